//! The rules of a card's input, order and activation that its steps need (specification, section 3; decisions S8, S9).

use card_service::base::{Patch, Timestamp, limits};
use card_service::model::{Actor, Card, CardStatus, Event, Topic, UserErrorCode};
use card_service::operation::card::CardInput;
use uuid::Uuid;

use super::{Dossier, Refusal};
use crate::input::theme_gid;

/// Writes the input to the card. Returns the user error if the input is refused.
pub fn apply(card: &mut Card, input: &CardInput, themes: &[Uuid]) -> Option<Refusal> {
    let theme_id = match &input.theme_id {
        Patch::Absent => card.theme_id,
        Patch::Null => None,
        Patch::Value(gid) => themes.iter().copied().find(|id| theme_gid(*id) == *gid),
    };
    let is_fixed = theme_id != card.theme_id && card.status != CardStatus::Draft;
    card.theme_id = theme_id;
    if let Patch::Value(deceased) = &input.deceased {
        deceased.first_name.clone().apply_to(&mut card.deceased.first_name);
    }
    if let Patch::Value(contact) = &input.family_contact {
        contact.email.clone().apply_to(&mut card.family_contact.email);
    }
    is_fixed.then(|| (UserErrorCode::Immutable, "input.themeId".to_owned()))
}

impl Dossier {
    /// Orders a draft that is complete. Returns whether it did.
    pub fn order(&mut self, actor: Actor, now: Timestamp) -> bool {
        let card = &self.card;
        let is_complete =
            card.theme_id.is_some() && card.deceased.first_name.is_some() && card.family_contact.email.is_some();
        if card.status != CardStatus::Draft || !is_complete {
            return false;
        }
        let after = Card { status: CardStatus::Ordered, ordered_at: Some(now), ..card.clone() };
        self.change(after, Topic::CardsOrdered, actor, now);
        true
    }

    /// Returns the user error if the contact of an ordered card gets another address too often (decisions S10).
    pub fn refuse_address(&self, after: &Card, now: Timestamp) -> Option<Refusal> {
        let since = self.card.ordered_at?.max(now.before(limits::ORDER_ADDRESS_CHANGES_WITHIN));
        let [old, new] = [&self.card, after].map(|card| &card.family_contact.email);
        let is_change = |event: &&Event| {
            event.occurred_at >= since && event.changed_fields.iter().any(|field| field == "familyContact.email")
        };
        let is_too_often = self.events.iter().filter(is_change).count() >= limits::ORDER_ADDRESS_CHANGES_MAX;
        let is_refused = is_too_often && !after.test && new.is_some() && new != old;
        is_refused.then(|| (UserErrorCode::Invalid, "input.familyContact.email".to_owned()))
    }

    /// Activates an ordered card; its address is not known yet. Returns whether it did.
    pub fn activate(&mut self, actor: Actor, now: Timestamp) -> bool {
        if self.card.status != CardStatus::Ordered {
            return false;
        }
        let slug = Some(String::new());
        let after = Card { status: CardStatus::Active, activated_at: Some(now), slug, ..self.card.clone() };
        self.change(after, Topic::CardsActivated, actor, now);
        true
    }
}
