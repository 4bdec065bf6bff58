//! Enums of the schema, and the values of the model that they show.

use crate::generated::v2027_01 as api;
use crate::model;
use crate::resolver::v2026_10::vocabulary::same_variants;

same_variants!(model::Visibility => api::CardVisibility { Open, Invitation });
same_variants!(model::DeliveryState => api::WebhookDeliveryState { Waiting, Due, Delivered, Failed });
same_variants!(api::WebhookDeliveryState => model::DeliveryState { Waiting, Due, Delivered, Failed });
same_variants!(model::PauseReason => api::WebhookSubscriptionPauseReason { Gone, Failures, Operator });

impl From<model::AttemptOutcome> for api::WebhookDeliveryAttemptOutcome {
    fn from(outcome: model::AttemptOutcome) -> Self {
        match outcome {
            model::AttemptOutcome::Answered(_) if outcome.is_success() => Self::Delivered,
            model::AttemptOutcome::Answered(_) => Self::HttpError,
            model::AttemptOutcome::NoConnection => Self::NoConnection,
            model::AttemptOutcome::TimeOut => Self::TimeOut,
            model::AttemptOutcome::Refused => Self::AddressRefused,
        }
    }
}

impl From<model::SubscriptionHealth> for api::WebhookSubscriptionStatus {
    fn from(health: model::SubscriptionHealth) -> Self {
        match (health.pause, health.failing_since) {
            (Some(_), _) => Self::Paused,
            (None, Some(_)) => Self::Failing,
            (None, None) => Self::Active,
        }
    }
}
