//! Webhook deliveries: their fields, their connection (specification, section 2.9) and their user errors.

use std::borrow::Cow;

use crate::base::{GlobalId, Kind, Timestamp};
use crate::generated::v2027_01::{
    self, WebhookDeliveryAttempt, WebhookDeliveryConnection, WebhookDeliveryEdge, WebhookDeliveryState,
    WebhookDeliveryUserError, WebhookDeliveryUserErrorCode, WebhookSubscriptionTopic,
};
use crate::model::{Attempt, AttemptOutcome, Page, UserError, UserErrorCode, WebhookDelivery, event_name};
use crate::resolver::Context;
use crate::resolver::cursor::{CursorKey as _, DeliveryKey};
use crate::resolver::v2026_10::connection::page_info;
use crate::resolver::v2026_10::user_error::field;

impl v2027_01::WebhookDelivery for WebhookDelivery {
    fn id(&self, _: &Context) -> GlobalId {
        GlobalId::new(Kind::WebhookDelivery, self.delivery.id)
    }

    fn event_id<'a>(&'a self, _: &'a Context) -> Cow<'a, str> {
        event_name(self.delivery.event_id).into()
    }

    fn topic(&self, _: &Context) -> WebhookSubscriptionTopic {
        self.delivery.topic.into()
    }

    fn card_id(&self, _: &Context) -> GlobalId {
        GlobalId::new(Kind::Card, self.delivery.card_id)
    }

    fn state(&self, _: &Context) -> WebhookDeliveryState {
        self.delivery.state.into()
    }

    fn attempt_count(&self, _: &Context) -> i32 {
        int(self.delivery.attempt_count)
    }

    fn attempts(&self, _: &Context) -> Vec<WebhookDeliveryAttempt> {
        self.attempts.iter().map(Into::into).collect()
    }

    fn next_attempt_at(&self, _: &Context) -> Option<Timestamp> {
        // While an attempt runs it says when that counts as lost.
        self.delivery.due_at.filter(|_| self.delivery.lease.is_none())
    }

    fn created_at(&self, _: &Context) -> Timestamp {
        self.delivery.created_at
    }

    fn finished_at(&self, _: &Context) -> Option<Timestamp> {
        self.delivery.finished_at
    }
}

impl From<&Attempt> for WebhookDeliveryAttempt {
    fn from(attempt: &Attempt) -> Self {
        let http_status = match attempt.outcome {
            AttemptOutcome::Answered(status) => Some(status.into()),
            _ => None,
        };
        Self {
            number: int(attempt.number),
            started_at: attempt.started_at,
            duration_ms: int(attempt.duration_ms),
            outcome: attempt.outcome.into(),
            http_status,
        }
    }
}

impl From<Page<WebhookDelivery>> for WebhookDeliveryConnection {
    fn from(page: Page<WebhookDelivery>) -> Self {
        let cursor = |delivery: &WebhookDelivery| Cow::from(DeliveryKey(delivery.delivery.id).to_cursor());
        let edge =
            |delivery: &WebhookDelivery| WebhookDeliveryEdge { cursor: cursor(delivery), node: delivery.clone() };
        Self { edges: page.items.iter().map(edge).collect(), page_info: page_info(&page, cursor), nodes: page.items }
    }
}

impl From<UserError> for WebhookDeliveryUserError {
    fn from(error: UserError) -> Self {
        let code = match error.code {
            UserErrorCode::NotFound => Some(WebhookDeliveryUserErrorCode::NotFound),
            UserErrorCode::Unprocessable => Some(WebhookDeliveryUserErrorCode::Unprocessable),
            // Reasons without a code in this schema version; `code` is nullable.
            UserErrorCode::Blank | UserErrorCode::Invalid | UserErrorCode::Taken | UserErrorCode::Immutable => None,
        };
        Self { code, field: field(error.field), message: error.message.into() }
    }
}

/// A number as GraphQL has it.
fn int(number: i64) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}
