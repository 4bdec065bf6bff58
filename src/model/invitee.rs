//! The people whom a family invites to a card (decisions S6).

use sha2::{Digest as _, Sha256};
use uuid::Uuid;

use crate::base::Timestamp;

/// A person on the invitee list of a card.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invitee {
    pub id: Uuid,
    pub card_id: Uuid,
    pub name: String,
    /// `None` if the family passes the link on itself.
    pub email: Option<String>,
    /// The unguessable end of the personal link.
    ///
    /// Stored as it is, like the slug of a card, because the list shows the link again. The link opens only a card of the
    /// same database, so a digest would protect nothing.
    pub token: String,
    pub created_at: Timestamp,
    /// The number of mails with the link that the mail server accepted for this person, and the time of the last. The limit
    /// counts what was queued, by [`counted_address`].
    pub mail_count: i32,
    pub last_mail_at: Option<Timestamp>,
    /// When the card was first opened with the personal link; nothing else is recorded about it.
    pub seen_at: Option<Timestamp>,
}

/// The family's note in each invitation of its card, and whether answers reach it. Without both there is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvitationNote {
    pub card_id: Uuid,
    /// Its lines end with `\n`.
    pub note: String,
    /// Whether an answer to an invitation goes to the family contact.
    pub answers: bool,
    pub changed_at: Timestamp,
}

/// The key under which the invitations of a card to an address are counted: a digest, which may stay after the person is
/// deleted. Upper case and a `+` suffix of the mailbox do not make another address.
pub fn counted_address(card_id: Uuid, email: &str) -> [u8; 32] {
    let email = email.to_lowercase();
    let (mailbox, domain) = email.rsplit_once('@').unwrap_or((&email, ""));
    let mailbox = mailbox.split_once('+').map_or(mailbox, |(name, _)| name);
    Sha256::new().chain_update(card_id).chain_update(mailbox).chain_update("@").chain_update(domain).finalize().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mailbox_is_counted_once_for_each_card_however_it_is_written() {
        let (one, other) = (Uuid::from_u128(1), Uuid::from_u128(2));
        let counted = counted_address(one, "aal@voorbeeld.nl");
        for same in ["Aal@Voorbeeld.nl", "aal+1@voorbeeld.nl", "AAL+a+b@voorbeeld.nl"] {
            assert_eq!(counted_address(one, same), counted, "{same}");
        }
        for another in ["bep@voorbeeld.nl", "aal@voorbeeld.be", "aal", "+aal@voorbeeld.nl"] {
            assert_ne!(counted_address(one, another), counted, "{another}");
        }
        assert_ne!(counted_address(other, "aal@voorbeeld.nl"), counted);
    }
}
