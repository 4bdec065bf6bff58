//! Deliveries: a notification on its way to one subscription, and the attempts to hand it over (decisions W3).

use sha2::{Digest as _, Sha256};
use uuid::Uuid;

use super::Topic;
use crate::base::{Timestamp, text_enum};

/// A notification for one subscription, but for its body, which was rendered when the event happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Delivery {
    pub id: Uuid,
    pub event_id: Uuid,
    pub subscription_id: Uuid,
    pub partner_id: Uuid,
    pub card_id: Uuid,
    pub topic: Topic,
    /// The event's number among those of its card.
    pub sequence: i64,
    pub test: bool,
    /// The version that the body is rendered in.
    pub api_version: String,
    pub state: DeliveryState,
    /// How many attempts were made, ever.
    pub attempt_count: i64,
    /// How far the schedule has come; starts afresh when the delivery is sent again.
    pub schedule_step: i64,
    /// While it is due: when the next attempt is; while one runs: when that attempt counts as lost.
    pub due_at: Option<Timestamp>,
    /// There while an attempt runs: whose it is.
    pub lease: Option<Uuid>,
    pub created_at: Timestamp,
    /// When it was delivered or given up.
    pub finished_at: Option<Timestamp>,
}

/// A delivery as its partner sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WebhookDelivery {
    pub delivery: Delivery,
    /// Oldest first: the last of them, as many as `limits::ATTEMPTS_SHOWN_MAX`.
    pub attempts: Vec<Attempt>,
}

/// The id of the delivery of an event to a subscription: a UUIDv7 with the event's moment, whose other bits follow from
/// both. The same two always have the same one, and deliveries sort by when their events happened.
pub fn delivery_id(event_id: Uuid, subscription_id: Uuid) -> Uuid {
    let moment_ms = event_id.as_u128() >> 80;
    let digest = Sha256::new().chain_update(event_id).chain_update(subscription_id).finalize();
    let mut rest = [0; 10];
    rest.copy_from_slice(&digest[..10]);
    uuid::Builder::from_unix_timestamp_millis(moment_ms as u64, &rest).into_uuid()
}

/// How far a delivery is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DeliveryState {
    /// An earlier delivery of the same card to the same subscription is not finished.
    Waiting,
    /// The next of its card: tried at `due_at`.
    Due,
    /// The receiver answered 2xx.
    Delivered,
    /// Every attempt of the schedule failed. Kept for the operator, who may send it again.
    Failed,
}

text_enum!(DeliveryState { Waiting => "WAITING", Due => "DUE", Delivered => "DELIVERED", Failed => "FAILED" });

/// One try to hand a delivery over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attempt {
    pub delivery_id: Uuid,
    /// Counts from 1.
    pub number: i64,
    pub started_at: Timestamp,
    pub duration_ms: i64,
    pub outcome: AttemptOutcome,
}

/// How an attempt ended. Nothing of the answer but its status is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AttemptOutcome {
    /// The receiver answered with this status.
    Answered(u16),
    /// No answer: the name has no address, nothing listens, TLS failed, or the connection broke.
    NoConnection,
    /// No answer in time.
    TimeOut,
    /// The address is not one that may be called.
    Refused,
}

impl AttemptOutcome {
    /// Whether the receiver took the notification.
    pub fn is_success(self) -> bool {
        matches!(self, AttemptOutcome::Answered(200..=299))
    }

    /// Whether the receiver said that nobody is there any more.
    pub fn is_gone(self) -> bool {
        self == AttemptOutcome::Answered(410)
    }

    /// The word for an attempt without an answer, as it stands in rows.
    pub const fn failure(self) -> Option<&'static str> {
        match self {
            AttemptOutcome::Answered(_) => None,
            AttemptOutcome::NoConnection => Some("NO_CONNECTION"),
            AttemptOutcome::TimeOut => Some("TIME_OUT"),
            AttemptOutcome::Refused => Some("REFUSED"),
        }
    }

    /// The kind of outcome, as it is counted.
    pub const fn as_counted(self) -> &'static str {
        match self {
            AttemptOutcome::Answered(200..=299) => "delivered",
            AttemptOutcome::Answered(300..=399) => "redirect",
            AttemptOutcome::Answered(400..=499) => "client_error",
            AttemptOutcome::Answered(_) => "server_error",
            AttemptOutcome::NoConnection => "no_connection",
            AttemptOutcome::TimeOut => "time_out",
            AttemptOutcome::Refused => "refused",
        }
    }

    /// Reads what [`AttemptOutcome::failure`] writes.
    pub fn by_failure(word: &str) -> Option<Self> {
        [AttemptOutcome::NoConnection, AttemptOutcome::TimeOut, AttemptOutcome::Refused]
            .into_iter()
            .find(|outcome| outcome.failure() == Some(word))
    }
}

/// How a subscription fares.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SubscriptionHealth {
    /// There while nothing is sent to it.
    pub pause: Option<Pause>,
    /// Since when every attempt has failed.
    pub failing_since: Option<Timestamp>,
    /// How many attempts have failed since the last that did not.
    pub failure_count: i64,
}

/// Since when and why nothing is sent to a subscription.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pause {
    pub at: Timestamp,
    pub reason: PauseReason,
}

/// Why nothing is sent to a subscription.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PauseReason {
    /// Nothing but failures for days.
    Failures,
    /// The receiver answered 410.
    Gone,
}

text_enum!(PauseReason { Failures => "FAILURES", Gone => "GONE" });

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delivery_id_is_its_own_and_keeps_the_moment_of_the_event() {
        let event = Uuid::from_u128(0x0191_d8a4_3c00_7abc_8def_0123_4567_89ab);
        let (one, other) = (Uuid::from_u128(1), Uuid::from_u128(2));
        let id = delivery_id(event, one);
        assert_eq!(id, delivery_id(event, one));
        assert_ne!(id, delivery_id(event, other));
        assert_ne!(id, delivery_id(Uuid::from_u128(event.as_u128() + 1), one));
        assert_eq!((id.as_u128() >> 80, id.get_version_num()), (0x0191_d8a4_3c00, 7));
    }

    #[test]
    fn attempt_succeeds_with_2xx_alone() {
        let succeeded = |status| AttemptOutcome::Answered(status).is_success();
        assert!(succeeded(200) && succeeded(204) && succeeded(299));
        assert!(![199, 300, 301, 302, 307, 400, 404, 410, 429, 500, 503].into_iter().any(succeeded));
        for outcome in [AttemptOutcome::NoConnection, AttemptOutcome::TimeOut, AttemptOutcome::Refused] {
            assert!(!outcome.is_success());
            assert_eq!(outcome.failure().and_then(AttemptOutcome::by_failure), Some(outcome));
        }
    }
}
