//! What became of people who were added to an invitee list, or invited (decisions S6).

/// What became of a person who was to be added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InviteeAddition {
    Added,
    /// The address is on the list already.
    Duplicate,
    /// The list is as long as it may be.
    Full,
}

/// What became of an invitation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Invitation {
    Queued,
    /// The last mail to this person was queued too short a time ago.
    TooSoon,
    /// This person was sent as many mails as may be.
    TooMany,
    /// This person is not on the list, or has no address.
    NotFound,
}
