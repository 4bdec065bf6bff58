//! Converts between enums of the schema and of the model.

use crate::generated::v2027_01 as api;
use crate::model;

impl From<model::DeliveryState> for api::WebhookDeliveryState {
    fn from(state: model::DeliveryState) -> Self {
        match state {
            model::DeliveryState::Waiting => Self::Waiting,
            model::DeliveryState::Due => Self::Due,
            model::DeliveryState::Delivered => Self::Delivered,
            model::DeliveryState::Failed => Self::Failed,
        }
    }
}

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

impl From<model::PauseReason> for api::WebhookSubscriptionPauseReason {
    fn from(reason: model::PauseReason) -> Self {
        match reason {
            model::PauseReason::Gone => Self::Gone,
            model::PauseReason::Failures => Self::Failures,
        }
    }
}
