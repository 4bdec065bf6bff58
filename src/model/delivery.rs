//! Deliveries: one notification for one subscription, and its attempts (decisions W3).

use sha2::{Digest as _, Sha256};
use uuid::Uuid;

use super::{Event, Topic};
use crate::base::{Timestamp, text_enum};

/// A notification for one subscription. Its body is stored apart, rendered when the event happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Delivery {
    pub id: Uuid,
    pub event_id: Uuid,
    pub subscription_id: Uuid,
    pub partner_id: Uuid,
    pub card_id: Uuid,
    pub topic: Topic,
    /// The number of the event in its card's sequence.
    pub sequence: i64,
    pub test: bool,
    /// The API version of the body.
    pub api_version: String,
    pub state: DeliveryState,
    /// The number of attempts over the whole life of the delivery.
    pub attempt_count: i64,
    /// The current step of the retry schedule; 0 again after a resend.
    pub schedule_step: i64,
    /// When the next attempt is due, or the running one was.
    pub due_at: Option<Timestamp>,
    /// The lease of the running attempt.
    pub lease: Option<Uuid>,
    /// When the lease ends.
    pub leased_until: Option<Timestamp>,
    pub created_at: Timestamp,
    /// When the delivery succeeded or its last attempt failed.
    pub finished_at: Option<Timestamp>,
}

impl Delivery {
    /// Returns the delivery of an event to a subscription, due at once.
    pub(crate) fn new(event: &Event, subscription_id: Uuid, api_version: String) -> Self {
        Self {
            id: delivery_id(event.id, subscription_id),
            event_id: event.id,
            subscription_id,
            partner_id: event.partner_id,
            card_id: event.card_id,
            topic: event.topic,
            sequence: event.sequence,
            test: event.test,
            api_version,
            state: DeliveryState::Due,
            attempt_count: 0,
            schedule_step: 0,
            due_at: Some(event.occurred_at),
            lease: None,
            leased_until: None,
            created_at: event.occurred_at,
            finished_at: None,
        }
    }
}

/// A delivery as its partner reads it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WebhookDelivery {
    pub delivery: Delivery,
    /// The last `limits::ATTEMPTS_SHOWN_MAX` attempts, oldest first.
    pub attempts: Vec<Attempt>,
    /// The notification; `None` if its card was deleted.
    pub body: Option<String>,
}

/// The id of the delivery of an event to a subscription: a UUIDv7 with the time of the event, whose other bits are a digest
/// of both ids. It is deterministic, and deliveries sort by the time of their event.
pub fn delivery_id(event_id: Uuid, subscription_id: Uuid) -> Uuid {
    let moment_ms = event_id.as_u128() >> 80;
    let digest = Sha256::new().chain_update(event_id).chain_update(subscription_id).finalize();
    let mut rest = [0; 10];
    rest.copy_from_slice(&digest[..10]);
    uuid::Builder::from_unix_timestamp_millis(moment_ms as u64, &rest).into_uuid()
}

/// The state of a delivery.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DeliveryState {
    /// Waits for an earlier delivery of the same card to the same address.
    Waiting,
    /// The next delivery of its card at its address: attempted at `due_at`.
    Due,
    /// The receiver answered 2xx.
    Delivered,
    /// Every attempt of the schedule failed. Kept, so that the operator can send it again.
    Failed,
}

text_enum!(DeliveryState { Waiting => "WAITING", Due => "DUE", Delivered => "DELIVERED", Failed => "FAILED" });

/// One attempt to send a delivery.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attempt {
    pub delivery_id: Uuid,
    /// Counts from 1.
    pub number: i64,
    pub started_at: Timestamp,
    pub duration_ms: i64,
    pub outcome: AttemptOutcome,
    /// `None` with an answer, for a refused address, and in rows of earlier releases.
    pub cause: Option<NoAnswer>,
}

/// The outcome of an attempt. Only the status of the response is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AttemptOutcome {
    /// The receiver answered with this status.
    Answered(u16),
    /// No answer, for a cause that is no time-out.
    NoConnection,
    /// No answer in time.
    TimeOut,
    /// The egress policy refuses the address.
    Refused,
}

impl AttemptOutcome {
    /// The status of the answer, if there was one.
    pub const fn status(self) -> Option<u16> {
        match self {
            AttemptOutcome::Answered(status) => Some(status),
            _ => None,
        }
    }

    /// Whether the receiver accepted the notification.
    pub fn is_success(self) -> bool {
        matches!(self, AttemptOutcome::Answered(200..=299))
    }

    /// Whether the receiver answered 410 Gone.
    pub fn is_gone(self) -> bool {
        self == AttemptOutcome::Answered(410)
    }

    /// The text of an attempt without a response, as stored in rows.
    pub const fn failure(self) -> Option<&'static str> {
        match self {
            AttemptOutcome::Answered(_) => None,
            AttemptOutcome::NoConnection => Some("NO_CONNECTION"),
            AttemptOutcome::TimeOut => Some("TIME_OUT"),
            AttemptOutcome::Refused => Some("REFUSED"),
        }
    }

    /// The label of the outcome in metrics.
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

    /// The outcome with this text of [`AttemptOutcome::failure`].
    pub fn by_failure(word: &str) -> Option<Self> {
        [AttemptOutcome::NoConnection, AttemptOutcome::TimeOut, AttemptOutcome::Refused]
            .into_iter()
            .find(|outcome| outcome.failure() == Some(word))
    }
}

/// Why a request to an address that a partner supplied got no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NoAnswer {
    NameUnknown,
    NameTimeOut,
    ConnectionRefused,
    Unreachable,
    ConnectTimeOut,
    CertificateIssuer,
    CertificateName,
    CertificateExpired,
    CertificateNotYetValid,
    CertificateInvalid,
    Tls,
    TlsTimeOut,
    ConnectionClosed,
    AnswerUnreadable,
    AnswerTimeOut,
    /// A failure of this machine, such as a lack of ports.
    Other,
}

// What happened, for a developer and the operator. Rows hold these texts.
text_enum!(NoAnswer {
    NameUnknown => "The host name has no address.",
    NameTimeOut => "Looking up the host name took too long.",
    ConnectionRefused => "Nothing listens at the address and port.",
    Unreachable => "The address cannot be reached.",
    ConnectTimeOut => "The address did not accept a connection in time.",
    CertificateIssuer => "TLS: the certificate is not signed by a trusted authority, or the intermediate certificate is not sent.",
    CertificateName => "TLS: the certificate is not for this host name.",
    CertificateExpired => "TLS: the certificate has expired.",
    CertificateNotYetValid => "TLS: the certificate is not valid yet.",
    CertificateInvalid => "TLS: the certificate is not valid.",
    Tls => "TLS: the handshake failed.",
    TlsTimeOut => "TLS: the handshake took too long.",
    ConnectionClosed => "The connection was closed before the answer.",
    AnswerUnreadable => "The answer is not HTTP, or its head is too large.",
    AnswerTimeOut => "The answer did not come in time.",
    Other => "The request could not be sent.",
});

impl NoAnswer {
    /// Whether something took too long.
    pub const fn is_time_out(self) -> bool {
        use NoAnswer as N;
        matches!(self, N::NameTimeOut | N::ConnectTimeOut | N::TlsTimeOut | N::AnswerTimeOut)
    }

    /// Whether TLS failed.
    pub const fn is_of_tls(self) -> bool {
        use NoAnswer as N;
        matches!(self, N::CertificateIssuer | N::CertificateName | N::CertificateExpired)
            || matches!(self, N::CertificateNotYetValid | N::CertificateInvalid | N::Tls)
    }

    /// The outcome of an attempt that failed for this cause.
    pub const fn outcome(self) -> AttemptOutcome {
        if self.is_time_out() { AttemptOutcome::TimeOut } else { AttemptOutcome::NoConnection }
    }
}

/// The health of a subscription.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SubscriptionHealth {
    /// Set while the subscription is paused.
    pub pause: Option<Pause>,
    /// The start of the current series of failed attempts.
    pub failing_since: Option<Timestamp>,
    /// The number of failed attempts since the last success.
    pub failure_count: i64,
}

/// When and why a subscription was paused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pause {
    pub at: Timestamp,
    pub reason: PauseReason,
}

/// Why a subscription is paused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PauseReason {
    /// Every attempt failed for days.
    Failures,
    /// The receiver answered 410.
    Gone,
    /// The operator paused it.
    Operator,
}

text_enum!(PauseReason { Failures => "FAILURES", Gone => "GONE", Operator => "OPERATOR" });

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
