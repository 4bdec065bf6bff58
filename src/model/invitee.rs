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
    /// Absent where the family hands the link over itself.
    pub email: Option<String>,
    /// The unguessable end of the personal link.
    ///
    /// Kept as it is, like the slug of a card: the list shows the link again, to be copied. It opens the one card that
    /// lies in the same database, so a digest would protect nothing that is not there to be read anyway.
    pub token: String,
    pub created_at: Timestamp,
    /// How many mails with the link were queued since the person is on the list, and when the last one was. What limits them
    /// is counted apart, by [`counted_address`].
    pub mail_count: i32,
    pub last_mail_at: Option<Timestamp>,
    /// The first time that the card was opened by the personal link; of that nothing else is kept.
    pub seen_at: Option<Timestamp>,
}

/// What the invitations to an address are counted by, for one card: a digest, which can stay when the person is taken off the
/// list. Capitals, and what follows a plus sign in the name of the mailbox, make no other address of it.
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
