//! What became of people who were added to an invitee list, or invited, and how many may be (decisions S6).

use std::time::Duration;

use chrono::NaiveDate;
use uuid::Uuid;

use crate::base::Timestamp;

/// What became of a person who was to be added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InviteeAddition {
    Added,
    /// The address is on the list already.
    Duplicate,
    /// The list is as long as it may be.
    Full,
}

/// How many invitations may be queued.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvitationLimits {
    /// To one address for one card, in all.
    pub per_address: i32,
    /// Between two of them.
    pub again_after: Duration,
    /// The day that it is, in the Netherlands.
    pub day: NaiveDate,
    /// On that day.
    pub per_card: i32,
    /// On that day, for all cards of the partner, live and test apart.
    pub per_partner: i32,
}

/// What became of an invitation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Invitation {
    Queued,
    /// The last mail to this address was queued too short a time ago; from this moment on another may go.
    TooSoon(Timestamp),
    /// This address was sent as many mails as may be.
    TooMany,
    /// The card has sent as many on this day as it may.
    CardLimit,
    /// Its partner has.
    PartnerLimit {
        partner_id: Uuid,
    },
    /// This person is not on the list, or has no address.
    NotFound,
}
