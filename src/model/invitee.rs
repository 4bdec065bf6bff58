//! The people whom a family invites to a card (decisions S6).

use uuid::Uuid;

use crate::base::Moment;

/// A person on the invitee list of a card.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invitee {
    pub id: Uuid,
    pub card_id: Uuid,
    pub name: String,
    /// Absent where the family hands the link over itself.
    pub email: Option<String>,
    /// The unguessable end of the personal link.
    ///
    /// Kept as it is, like the slug of a card: the list shows the link again, to be copied. It opens the one card that
    /// lies in the same database, so a digest would protect nothing that is not there to be read anyway.
    pub token: String,
    pub created_at: Moment,
    /// How many mails with the link were queued, and when the last one was.
    pub mail_count: i32,
    pub last_mail_at: Option<Moment>,
    /// The first time that the card was opened by the personal link; of that nothing else is kept.
    pub seen_at: Option<Moment>,
}
