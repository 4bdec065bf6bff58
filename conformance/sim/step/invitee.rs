//! A family adds people to the invitee list, invites them and removes them.

use card_service::base::limits;
use card_service::model::Invitee;
use card_service::operation::invitee::{self, NewInvitee};
use card_service::store::{Invitation, InviteeAddition, StoreError};
use uuid::Uuid;

use crate::run::{Called, Sim};

/// Addresses; the second is the first in capitals, and the third counts as the first.
const PEOPLE: [&str; 6] =
    ["gast@voorbeeld.nl", "GAST@voorbeeld.nl", "gast+1@voorbeeld.nl", "buur@voorbeeld.nl", "oom@voorbeeld.nl", ""];

impl Sim {
    pub(super) fn add_invitee(&mut self) {
        let card_id = self.any_card();
        if !self.model.cards.contains_key(&card_id) {
            return;
        }
        let email = Some((*self.random.pick(&PEOPLE)).to_owned()).filter(|email| !email.is_empty());
        let (now, person) = (self.now(), NewInvitee { name: "Gast".to_owned(), email: email.clone() });
        let called = self.call(async |services, _| invitee::add(services, card_id, vec![person]).await);
        self.note(format!("{email:?} is added to the list of {card_id}"));
        let mut dossier = self.model.cards[&card_id].clone();
        let folded = |email: &Option<String>| email.as_ref().map(|email| email.to_lowercase());
        let is_known = email.is_some() && dossier.invitees.iter().any(|known| folded(&known.email) == folded(&email));
        let wanted = match (is_known, dossier.invitees.len() < limits::INVITEES_MAX) {
            (true, _) => InviteeAddition::Duplicate,
            (false, true) => InviteeAddition::Added,
            (false, false) => InviteeAddition::Full,
        };
        if let Called::Returned(outcome) = &called {
            let outcome = outcome.as_ref().unwrap_or_else(|error| panic!("nobody was added: {error}"));
            assert_eq!((outcome.len(), outcome[0].outcome), (1, wanted));
        }
        let stored = self.read(async |store| store.invitees_of(card_id).await);
        let new = stored.into_iter().find(|row| dossier.invitees.iter().all(|known| known.id != row.id));
        assert!(called.is_lost() || new.is_some() == (wanted == InviteeAddition::Added));
        if let Some(new) = new {
            let (id, token) = (new.id, new.token.clone());
            let (name, mail_count) = ("Gast".to_owned(), 0);
            let wanted = Invitee {
                id,
                card_id,
                name,
                email,
                token,
                created_at: now,
                mail_count,
                last_mail_at: None,
                seen_at: None,
            };
            assert_eq!(new, wanted, "the new invitee");
            dossier.invitees.push(new);
            self.model.cards.insert(card_id, dossier);
        }
        self.check_card(card_id);
    }

    /// Someone on a list, and the card.
    fn any_invitee(&mut self) -> Option<(Uuid, Invitee)> {
        let all: Vec<Invitee> = self.model.cards.values().flat_map(|dossier| dossier.invitees.clone()).collect();
        (!all.is_empty()).then(|| self.random.pick(&all).clone()).map(|invitee| (invitee.card_id, invitee))
    }

    pub(super) fn invite(&mut self) {
        let Some((card_id, person)) = self.any_invitee() else { return };
        let card_id = if self.chance(5) { self.any_card() } else { card_id };
        let called = self.call(async |services, _| invitee::invite(services, card_id, person.id).await);
        let before =
            (self.model.invited.clone(), self.model.invited_on.clone(), self.model.cards.get(&card_id).cloned());
        let wanted = self.model.invite(card_id, person.id, self.now(), self.today());
        self.note(format!("{:?} is invited to {card_id}: {wanted:?}", person.email));
        let made = match called {
            Called::Returned(outcome) => {
                assert_eq!(outcome.unwrap_or_else(|error| panic!("no invitation: {error}")), wanted);
                true
            }
            Called::Lost if wanted == Invitation::Queued => {
                let queued = self.read(async |store| store.mails_of(card_id).await).len();
                queued == self.model.cards[&card_id].mails.len()
            }
            Called::Lost => false,
        };
        if let (false, (invited, invited_on, Some(dossier))) = (made, before) {
            (self.model.invited, self.model.invited_on) = (invited, invited_on);
            self.model.cards.insert(card_id, dossier);
        }
        if self.model.cards.contains_key(&card_id) {
            self.check_card(card_id);
        }
    }

    pub(super) fn remove_invitee(&mut self) {
        let Some((card_id, person)) = self.any_invitee() else { return };
        let is_seen = self.chance(50);
        let now = self.now();
        let called = self.call(async |services, _| {
            if is_seen {
                // As read before another visit.
                let read_before = Invitee { seen_at: None, ..person.clone() };
                return invitee::note_seen(services, &read_before).await.map(|()| true);
            }
            Ok(services.store.delete_invitee(card_id, person.id).await?)
        });
        self.note(format!("an invitee of {card_id} {}", if is_seen { "has seen the card" } else { "is removed" }));
        if let Called::Returned(done) = &called {
            assert!(matches!(done, Ok(true)), "{done:?}");
        }
        let row = self.read(async |store| Ok::<_, StoreError>(store.invitee(card_id, person.id).await?));
        let dossier = self.model.cards.get_mut(&card_id).expect("it has a list");
        match row {
            None => {
                assert!(!is_seen, "an invitee is gone");
                dossier.invitees.retain(|known| known.id != person.id);
                dossier.mails.retain(|mail| mail.invitee_id != Some(person.id));
            }
            Some(row) => {
                assert!(called.is_lost() || (is_seen && row.seen_at.is_some()), "an invitee is still there");
                assert!(
                    row.seen_at == person.seen_at || (is_seen && person.seen_at.is_none() && row.seen_at == Some(now))
                );
                let known = dossier.invitees.iter_mut().find(|known| known.id == person.id).expect("it is on the list");
                known.seen_at = row.seen_at;
            }
        }
        self.check_card(card_id);
    }
}
