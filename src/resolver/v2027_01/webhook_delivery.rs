//! The fields of `WebhookDelivery`.

use std::borrow::Cow;

use crate::base::{GlobalId, Kind, Timestamp};
use crate::generated::v2027_01::{self, WebhookDeliveryAttempt, WebhookDeliveryState, WebhookSubscriptionTopic};
use crate::model::{Attempt, AttemptOutcome, WebhookDelivery, event_name};
use crate::resolver::Context;

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

/// A number as GraphQL has it.
fn int(number: i64) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}
