//! Invitee lists, the links to them, and the limits on invitations (decisions S6).

use std::time::Duration;

use chrono::NaiveDate;
use uuid::Uuid;

use super::StoreError;
use super::engine::store_methods;
use crate::base::Timestamp;
use crate::model::{InvitationNote, Invitee, InviteeListLink, Mail};

/// The result of adding an invitee.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InviteeAddition {
    Added,
    /// The address is on the list already.
    Duplicate,
    /// The list has its maximum length.
    Full,
}

/// The result of changing an invitee.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InviteeChange {
    Changed,
    /// The address is that of another invitee of the card.
    Duplicate,
    /// The invitee is not on the list.
    NotFound,
}

/// How many invitations may be queued.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvitationLimits {
    /// To one address for one card, in total.
    pub per_address: i32,
    /// The minimum time between two of them.
    pub again_after: Duration,
    /// Today in the Netherlands.
    pub day: NaiveDate,
    /// On that day.
    pub per_card: i32,
    /// On that day, for all cards of the partner, live and test apart.
    pub per_partner: i32,
}

/// The result of queueing an invitation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Invitation {
    Queued,
    /// The last invitation to this address is too recent. The next one may be queued at this time.
    TooSoon(Timestamp),
    /// This address was sent the maximum number of invitations.
    TooMany,
    /// The card has reached its limit for this day.
    CardLimit,
    /// The partner has reached its limit for this day.
    PartnerLimit {
        partner_id: Uuid,
    },
    /// The invitee is not on the list, or has no address.
    NotFound,
}

store_methods! {
    /// Returns the invitees of a card, in the order in which they were added.
    pub read invitees_of(card_id: Uuid) -> Result<Vec<Invitee>, StoreError>;
    /// Returns the invitee with this id on the list of this card.
    pub read invitee(card_id: Uuid, id: Uuid) -> Result<Option<Invitee>, StoreError>;
    /// Returns the invitee with this personal link.
    pub lookup invitee_by_token(token: &str) -> Result<Option<Invitee>, StoreError>;
    /// Adds invitees to the list of a card, which holds at most `max`. Returns the result for each of them.
    pub transaction add_invitees(card_id: Uuid, invitees: Vec<Invitee>, max: usize)
        -> Result<Vec<InviteeAddition>, StoreError>;
    /// Changes the name and the address of an invitee of this card. With another address, mails to the one before are deleted
    /// and not counted for the invitee; the personal link stays.
    pub transaction change_invitee(card_id: Uuid, id: Uuid, name: String, email: Option<String>)
        -> Result<InviteeChange, StoreError>;
    /// Deletes an invitee of this card and the queued mails to it. Returns false if it is not on the list.
    pub write delete_invitee(card_id: Uuid, id: Uuid) -> Result<bool, StoreError>;
    /// Deletes all invitees of a card with their invitation counts and the note in their invitations, and counts the invitees.
    pub transaction delete_invitees_of(card_id: Uuid) -> Result<usize, StoreError>;
    /// Counts the invitees that were added before this time.
    pub read invitees_before(before: Timestamp) -> Result<i64, StoreError>;
    /// Counts the notes in invitations that were last changed before this time.
    pub read invitation_notes_before(before: Timestamp) -> Result<i64, StoreError>;
    /// Deletes at most so many invitees that were added before this time, and counts them. A smaller count means that
    /// none is left. Deletes invitation counts and notes of that age too.
    pub transaction delete_invitees_before(before: Timestamp, at_most: i64) -> Result<usize, StoreError>;
    /// Records when the personal link was first opened.
    pub write note_seen(invitee_id: Uuid, now: Timestamp) -> Result<(), StoreError>;

    /// Queues an invitation and counts it for its address, card and partner, unless one of them has reached its limit.
    pub transaction invite(mail: Mail, limits: InvitationLimits) -> Result<Invitation, StoreError>;
    /// Returns whether a partner has sent `max` invitations on this day, live or test.
    pub read invitations_used_up(day: NaiveDate, max: i32) -> Result<bool, StoreError>;
    /// Deletes the daily invitation counts before this day, and counts them.
    pub write delete_expired_invitation_days(before: NaiveDate) -> Result<usize, StoreError>;

    /// Returns the note in the invitations of a card.
    pub read invitation_note(card_id: Uuid) -> Result<Option<InvitationNote>, StoreError>;
    /// Stores the note in the invitations of a card, or deletes it. Returns false and changes nothing if the stored note was
    /// changed at another time than `seen`.
    pub transaction change_invitation_note(card_id: Uuid, note: Option<String>, seen: Option<Timestamp>, now: Timestamp)
        -> Result<bool, StoreError>;

    /// Adds a link to the invitee list of a card.
    pub write add_invitee_list_link(link: InviteeListLink) -> Result<(), StoreError>;
    /// Returns the link with this digest, also if it has expired.
    pub read invitee_list_link(digest: &[u8; 32]) -> Result<Option<InviteeListLink>, StoreError>;
    /// Returns when the last link to the list of this card expires, also if it has expired.
    pub read invitee_list_links_until(card_id: Uuid) -> Result<Option<Timestamp>, StoreError>;
    /// Deletes the links that expired before this time, and counts them.
    pub write delete_expired_invitee_list_links(before: Timestamp) -> Result<usize, StoreError>;
}
