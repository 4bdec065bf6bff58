//! The address of an ordered card is corrected: the mail of the order goes out again (decisions S10).

use super::input::CONTACT_EMAIL;
use crate::base::limits;
use crate::model::{Card, CardStatus, Mail, UserError, UserErrorCode, messages};
use crate::services::Services;
use crate::store::StoreError;

/// The mail of an order for another address, and how often the address was changed.
pub(super) struct OrderMailAgain {
    mail: Mail,
    changes: usize,
    /// The number of events of the card before the changes were counted.
    event_count: i64,
}

impl OrderMailAgain {
    /// Prepares the mail before the transaction that changes a card.
    pub(super) async fn prepare(services: &Services, card: &Card) -> Result<Self, StoreError> {
        let now = services.clock.now();
        let mail = Mail::order(services.entropy.uuid(now), card.id, now);
        let changes = match card.ordered_at {
            Some(ordered_at) => {
                let since = ordered_at.max(now.before(limits::ORDER_ADDRESS_CHANGES_WITHIN));
                services.store.contact_email_changes(card.id, since).await?
            }
            None => 0,
        };
        Ok(Self { mail, changes, event_count: card.event_count })
    }

    /// Returns the mail if the change from `before` to `after` gives the contact of an ordered card another address. The mails of a test
    /// card go to the test address of its partner, whatever the contact is.
    pub(super) fn for_change(self, before: &Card, after: &Card) -> Result<Option<Mail>, Vec<UserError>> {
        let (old, new) = (&before.family_contact.email, &after.family_contact.email);
        if before.status == CardStatus::Draft || before.test || new.is_none() || new == old {
            return Ok(None);
        }
        // Each event since the count may be one more change.
        let uncounted = usize::try_from(before.event_count - self.event_count).unwrap_or_default();
        if self.changes + uncounted >= limits::ORDER_ADDRESS_CHANGES_MAX {
            let message = messages::EMAIL_CHANGED_TOO_OFTEN;
            return Err(vec![UserError::new(UserErrorCode::Invalid, CONTACT_EMAIL, message)]);
        }
        Ok(Some(self.mail))
    }
}
