//! A partner changes cards and makes session links.

use card_service::base::{HttpUrl, Parsed, Patch};
use card_service::model::{Actor, PhotoKey, Topic, UserErrorCode, path};
use card_service::operation::card::CardInput;
use card_service::operation::{OperationError, card, session};
use uuid::Uuid;

use super::create::gid;
use super::refusals;
use crate::check::with_photo_of;
use crate::input::Values;
use crate::model::{Link, Refusals};
use crate::process::PUBLIC_BASE;
use crate::run::{Called, Sim};

impl Sim {
    pub(super) fn update(&mut self) {
        let (partner_id, mode) = self.any_partner();
        let Some(caller) = self.caller(partner_id, mode) else { return };
        let (id, today, now) = (self.any_card(), self.today(), self.now());
        let mut values = Values { random: &mut self.random, errors: 3, today, themes: &self.model.themes };
        let mut input = values.card();
        self.send_back_photo(id, &mut input);
        let sent = input.clone();
        let called = self.call(async |services, _| card::update(services, &caller, &gid(id), sent).await);
        self.note(format!("update of {id}"));
        let Some(mut dossier) = self.model.reached(partner_id, mode, id).cloned() else {
            if let Called::Returned(outcome) = called {
                let Err(OperationError::Refused(errors)) = outcome else { panic!("a card out of reach: {outcome:?}") };
                assert_eq!(refusals(&errors), [(UserErrorCode::NotFound, "id".to_owned())]);
            }
            if self.model.cards.contains_key(&id) {
                self.check_card(id);
            }
            return;
        };
        let mut after = dossier.card.clone();
        let mut refused = Refusals::default();
        let own = after.deceased.photo.as_ref().map(address);
        if let Patch::Value(deceased) = &mut input.deceased
            && matches!((&deceased.photo_url, own), (Patch::Value(Parsed::Value(sent)), Some(own)) if *sent == own)
        {
            deceased.photo_url = Patch::Absent;
        }
        refused.apply(&mut after, &input, &self.model.themes, today);
        let lost = called.is_lost();
        if refused.0.is_empty() {
            dossier.change(after, Topic::CardsUpdate, Actor::Partner, now);
        }
        match called {
            Called::Returned(Ok(card)) => {
                assert!(refused.0.is_empty() && card == with_photo_of(&dossier.card, &card), "{refused:?}");
            }
            Called::Returned(Err(OperationError::Refused(errors))) => assert_eq!(refusals(&errors), refused.0),
            Called::Returned(Err(error)) => panic!("an update failed: {error}"),
            Called::Lost => {}
        }
        self.changed(dossier, lost);
        self.adopt_photos(lost);
    }

    /// Sends the address of the card's own photo back, sometimes.
    fn send_back_photo(&mut self, id: Uuid, input: &mut CardInput) {
        let own = self.model.cards.get(&id).and_then(|dossier| dossier.card.deceased.photo.as_ref()).map(address);
        if let (Some(own), Patch::Value(deceased)) = (own, &mut input.deceased)
            && self.random.below(3) == 0
        {
            deceased.photo_url = Patch::Value(Parsed::Value(own));
        }
    }

    pub(super) fn create_link(&mut self) {
        let (partner_id, mode) = self.any_partner();
        let Some(caller) = self.caller(partner_id, mode) else { return };
        let (card_id, target) = (self.any_card(), self.any_target());
        let key_id = caller.key_id;
        let called = self.call(async |services, _| session::create(services, &caller, &gid(card_id), target).await);
        self.note(format!("a link to {target:?} of {card_id}"));
        let is_reached = self.model.reached(partner_id, mode, card_id).is_some();
        match called {
            Called::Returned(Ok(made)) => {
                assert!(is_reached, "a link to a card out of reach");
                let expires_at = self.now().after(card_service::base::limits::SESSION_LINK_VALID);
                assert_eq!((made.target, made.expires_at), (target, expires_at));
                let token = made.url.as_str().rsplit('/').next().expect("a token").to_owned();
                self.model.links.push(Link { token, card_id, target, key_id, expires_at, used_at: None });
            }
            Called::Returned(Err(OperationError::Refused(errors))) => {
                assert_eq!(refusals(&errors), [(UserErrorCode::NotFound, "cardId".to_owned())]);
                assert!(!is_reached);
            }
            Called::Returned(Err(error)) => panic!("no link was made: {error}"),
            Called::Lost => {} // a link that no person knows
        }
    }
}

/// The public address of a photo.
fn address(key: &PhotoKey) -> HttpUrl {
    HttpUrl::trusted(format!("{PUBLIC_BASE}{}", path::photo(key.as_str())))
}
