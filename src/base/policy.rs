//! The numbers that the operator can set, where the decisions say "config".
//!
//! `app` reads them from the settings; operations, the HTTP server and workers get them with their services.

use std::num::NonZeroU32;
use std::time::Duration;

use super::limits;

/// The operator's numbers; [`limits`] has their defaults.
#[derive(Clone, Debug, PartialEq)]
pub struct Policy {
    /// The retry schedule of notifications.
    pub retry: RetrySchedule,
    /// The rate limit of a partner.
    pub rate: RateLimit,
    /// The limits on connections and responses.
    pub front: FrontLimits,
    /// Invitations of all cards of a partner on one day, live and test apart.
    pub invitations_per_partner_and_day: i32,
    /// How long data is kept.
    pub retention: Retention,
    /// Whether a callback answers a challenge before it is subscribed.
    pub webhook_challenge: bool,
}

/// How long data is kept, in whole days; `None` is until it is deleted by hand (decisions, section 9).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Retention {
    /// Cards that were never ordered, from their last change.
    pub drafts: Option<Duration>,
    /// Cards that are online, from the day they went online.
    pub cards: Option<Duration>,
    /// People on invitee lists, from the day they were added.
    pub invitees: Option<Duration>,
    /// Events of cards.
    pub events: Option<Duration>,
    /// The audit log.
    pub audit: Option<Duration>,
}

impl Default for Retention {
    fn default() -> Self {
        Self { drafts: None, cards: None, invitees: None, events: None, audit: Some(limits::AUDIT_KEPT) }
    }
}

/// The retry schedule of a delivery.
#[derive(Clone, Debug, PartialEq)]
pub struct RetrySchedule {
    /// The delays, each after the attempt before; the first delay is before the first attempt.
    pub delays: Vec<Duration>,
    /// The maximum jitter of a delay, as a share of it.
    pub jitter: f64,
}

/// A bucket of points for each partner and key mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RateLimit {
    /// The capacity, and so the maximum cost of one request.
    pub points: NonZeroU32,
    /// The refill each second.
    pub restored_per_second: NonZeroU32,
}

/// Limits on connections and on responses that are being sent. Most are not settings; tests lower them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrontLimits {
    /// The number of open connections, in all.
    pub connections: usize,
    /// Connections of one client address, except this machine and private networks.
    pub connections_per_address: usize,
    /// How long a new connection may be idle.
    pub first_request: Duration,
    /// How long a connection may be idle after its first request.
    pub connection_idle: Duration,
    /// How long a client may pause while it reads a response.
    pub response_stalled: Duration,
    /// How long a browser may pause while it sends a form.
    pub form_stalled: Duration,
    /// The memory of responses that clients have not read yet, in bytes.
    pub response_bytes: usize,
}

impl Default for FrontLimits {
    fn default() -> Self {
        Self {
            connections: limits::CONNECTIONS_MAX,
            connections_per_address: limits::CONNECTIONS_PER_ADDRESS,
            first_request: limits::FIRST_REQUEST,
            connection_idle: limits::CONNECTION_IDLE,
            response_stalled: limits::RESPONSE_STALLED,
            form_stalled: limits::FORM_STALLED,
            response_bytes: limits::RESPONSE_BYTES_UNSENT_MAX,
        }
    }
}

impl Default for Policy {
    fn default() -> Self {
        let number = |number: u32| NonZeroU32::new(number).expect("the limit is not nothing");
        Self {
            retry: RetrySchedule { delays: limits::DELIVERY_RETRY_SCHEDULE.to_vec(), jitter: limits::DELIVERY_JITTER },
            rate: RateLimit {
                points: number(limits::RATE_POINTS),
                restored_per_second: number(limits::RATE_RESTORED_PER_SECOND),
            },
            front: FrontLimits::default(),
            invitations_per_partner_and_day: limits::INVITATIONS_PER_PARTNER_AND_DAY,
            retention: Retention::default(),
            webhook_challenge: false,
        }
    }
}
