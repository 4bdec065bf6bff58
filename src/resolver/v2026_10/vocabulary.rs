//! Converts between enums of the schema and of the model.

use crate::generated::v2026_10 as api;
use crate::model;

impl From<model::CardStatus> for api::CardStatus {
    fn from(status: model::CardStatus) -> Self {
        match status {
            model::CardStatus::Draft => Self::Draft,
            model::CardStatus::Ordered => Self::Ordered,
            model::CardStatus::Active => Self::Active,
        }
    }
}

impl From<model::SessionTarget> for api::CardSessionTarget {
    fn from(target: model::SessionTarget) -> Self {
        match target {
            model::SessionTarget::Customizer => Self::Customizer,
            model::SessionTarget::InviteeList => Self::InviteeList,
        }
    }
}

impl From<api::CardSessionTarget> for model::SessionTarget {
    fn from(target: api::CardSessionTarget) -> Self {
        match target {
            api::CardSessionTarget::Customizer => Self::Customizer,
            api::CardSessionTarget::InviteeList => Self::InviteeList,
        }
    }
}

impl From<model::Topic> for api::WebhookSubscriptionTopic {
    fn from(topic: model::Topic) -> Self {
        match topic {
            model::Topic::CardsCreate => Self::CardsCreate,
            model::Topic::CardsUpdate => Self::CardsUpdate,
            model::Topic::CardsOrdered => Self::CardsOrdered,
            model::Topic::CardsActivated => Self::CardsActivated,
        }
    }
}

impl From<api::WebhookSubscriptionTopic> for model::Topic {
    fn from(topic: api::WebhookSubscriptionTopic) -> Self {
        match topic {
            api::WebhookSubscriptionTopic::CardsCreate => Self::CardsCreate,
            api::WebhookSubscriptionTopic::CardsUpdate => Self::CardsUpdate,
            api::WebhookSubscriptionTopic::CardsOrdered => Self::CardsOrdered,
            api::WebhookSubscriptionTopic::CardsActivated => Self::CardsActivated,
        }
    }
}
