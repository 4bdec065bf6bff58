//! What the operator chooses by a setting, where the decisions leave it open (those marked "config").
//!
//! Read from the settings by `app`; handed to the operations, the front door and the workers with their services.

use std::num::NonZeroU32;
use std::time::Duration;

use super::limits;

/// The operator's choices; without a setting, the numbers of [`limits`].
#[derive(Clone, Debug, PartialEq)]
pub struct Policy {
    /// Root fields of one mutation (decisions H7).
    pub root_mutation_fields_max: usize,
    /// How long the answer to a request with an idempotency key is remembered (decisions, section 4).
    pub idempotency_remembered: Duration,
    /// When notifications are tried again (decisions W3).
    pub retry: RetrySchedule,
    /// What a partner may ask for in a while (decisions H8).
    pub rate: RateLimit,
    /// What clients may take of the front door.
    pub front: FrontLimits,
    /// Invitations that all cards of a partner send on one day, live and test apart.
    pub invitations_per_partner_and_day: i32,
}

/// When the attempts of a delivery are made.
#[derive(Clone, Debug, PartialEq)]
pub struct RetrySchedule {
    /// Each delay after the attempt before; the first is that of the first attempt.
    pub delays: Vec<Duration>,
    /// How much longer or shorter a delay may turn out, as a share of it.
    pub jitter: f64,
}

/// A bucket of points for each partner and key mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RateLimit {
    /// What the bucket holds, and so the most that one request may cost.
    pub points: NonZeroU32,
    /// What flows back into it each second.
    pub restored_per_second: NonZeroU32,
}

/// Limits on connections and on answers that are being sent. Most are no settings; tests make them smaller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrontLimits {
    pub connections: usize,
    /// Of one client that is neither on this machine nor in a private network.
    pub connections_per_address: usize,
    /// How long a new connection may be without a request.
    pub first_request: Duration,
    /// How long a connection may be without a request after that.
    pub connection_idle: Duration,
    /// How long a client may pause in taking an answer.
    pub answer_stalled: Duration,
    /// Memory of answers that clients have not taken yet, in bytes.
    pub answer_bytes: usize,
}

impl Default for FrontLimits {
    fn default() -> Self {
        Self {
            connections: limits::CONNECTIONS_MAX,
            connections_per_address: limits::CONNECTIONS_PER_ADDRESS,
            first_request: limits::FIRST_REQUEST,
            connection_idle: limits::CONNECTION_IDLE,
            answer_stalled: limits::ANSWER_STALLED,
            answer_bytes: limits::ANSWER_BYTES_UNSENT_MAX,
        }
    }
}

impl Default for Policy {
    fn default() -> Self {
        let number = |number: u32| NonZeroU32::new(number).expect("the limit is not nothing");
        Self {
            root_mutation_fields_max: limits::ROOT_MUTATION_FIELDS_MAX,
            idempotency_remembered: limits::IDEMPOTENCY_REMEMBERED,
            retry: RetrySchedule { delays: limits::DELIVERY_SCHEDULE.to_vec(), jitter: limits::DELIVERY_JITTER },
            rate: RateLimit {
                points: number(limits::RATE_POINTS),
                restored_per_second: number(limits::RATE_RESTORED_PER_SECOND),
            },
            front: FrontLimits::default(),
            invitations_per_partner_and_day: limits::INVITATIONS_PER_PARTNER_AND_DAY,
        }
    }
}
