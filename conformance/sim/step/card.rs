//! A partner changes cards; the operator orders and activates them.

use card_service::model::{Actor, Topic, UserErrorCode};
use card_service::operation::OperationError;
use card_service::operation::card::{self, CardStateError, OrderError};

use super::create::gid;
use super::refusals;
use crate::input::card_input;
use crate::model::apply;
use crate::run::{Called, Sim};

impl Sim {
    pub(super) fn update(&mut self) {
        let partner_id = self.any_partner();
        let caller = self.caller(partner_id);
        let (id, now) = (self.any_card(), self.now());
        let input = card_input(&mut self.random, &self.model.themes);
        let sent = input.clone();
        let called = self.call(async |services, _| card::update(services, &caller, &gid(id), sent).await);
        self.note(format!("update of {id}"));
        let Some(mut dossier) = self.model.reached(partner_id, id).cloned() else {
            if let Called::Returned(outcome) = called {
                let Err(OperationError::Refused(errors)) = outcome else { panic!("a card out of reach: {outcome:?}") };
                assert_eq!(refusals(&errors), [(UserErrorCode::NotFound, "id".to_owned())]);
            }
            return;
        };
        let mut after = dossier.card.clone();
        let refused = apply(&mut after, &input, &self.model.themes).or_else(|| dossier.refuse_address(&after, now));
        let lost = called.is_lost();
        if refused.is_none() {
            dossier.change(after, Topic::CardsUpdate, Actor::Partner, now);
        }
        match called {
            Called::Returned(Ok(card)) => assert!(refused.is_none() && card == dossier.card, "{refused:?}"),
            Called::Returned(Err(OperationError::Refused(errors))) => {
                assert_eq!(refusals(&errors), Vec::from_iter(refused));
            }
            Called::Returned(Err(error)) => panic!("an update failed: {error}"),
            Called::Lost => {}
        }
        self.changed(dossier, lost);
    }

    pub(super) fn order_card(&mut self) {
        let (id, now) = (self.any_card(), self.now());
        let called = self.call(async |services, _| {
            card::order_by_operator(services, id, Actor::Operator, services.activation).await
        });
        self.note(format!("the operator orders {id}"));
        let Some(mut dossier) = self.model.cards.get(&id).cloned() else { return };
        let ordered = dossier.order(Actor::Operator, now);
        let lost = called.is_lost();
        match called {
            Called::Returned(Err(OrderError::Failed(error))) => panic!("an order failed: {error}"),
            Called::Returned(outcome) => assert_eq!(outcome.is_ok(), ordered, "{outcome:?}"),
            Called::Lost => {}
        }
        self.changed(dossier, lost);
    }

    pub(super) fn activate_card(&mut self) {
        let (id, now) = (self.any_card(), self.now());
        let called = self.call(async |services, _| card::activate(services, id, Actor::Operator).await);
        self.note(format!("the operator activates {id}"));
        let Some(mut dossier) = self.model.cards.get(&id).cloned() else { return };
        let activated = dossier.activate(Actor::Operator, now);
        let lost = called.is_lost();
        match called {
            Called::Returned(Ok(_)) => assert!(activated, "only an ordered card is activated"),
            Called::Returned(Err(CardStateError::Transition(_))) => assert!(!activated, "an ordered card is activated"),
            Called::Returned(Err(error)) => panic!("an activation failed: {error}"),
            Called::Lost => {}
        }
        self.changed(dossier, lost);
    }
}
