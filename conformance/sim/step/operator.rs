//! The operator's commands.

use card_service::base::limits;
use card_service::model::{Actor, KeyMode, Price, SessionSelection, WebhookSecret};
use card_service::operation::card::{self, CardStateError};
use card_service::operation::webhook::secret::{self, NewSecretError};
use card_service::operation::{OperationError, key, partner, session};
use uuid::Uuid;

use crate::run::{self, Called, Sim};

impl Sim {
    pub(super) fn operator_orders(&mut self) {
        let id = self.any_card();
        let called =
            self.call(async |services, _| card::order(services, id, Actor::Operator, services.activation).await);
        self.note(format!("the operator orders {id}"));
        self.ordered(id, None, called);
    }

    pub(super) fn operator_activates(&mut self) {
        let id = self.any_card();
        self.activate_one(id);
    }

    pub(super) fn activate_one(&mut self, id: Uuid) {
        let called = self.call(async |services, _| card::activate(services, id, Actor::Operator).await);
        self.note(format!("the operator activates {id}"));
        let Some(mut dossier) = self.model.cards.get(&id).cloned() else {
            assert!(matches!(called, Called::Lost | Called::Returned(Err(CardStateError::NotFound(_)))));
            return;
        };
        let activated = dossier.activate(Actor::Operator, self.now());
        let lost = called.is_lost();
        match called {
            Called::Returned(Ok(_)) => assert!(activated, "only an ordered card is activated"),
            Called::Returned(Err(CardStateError::Transition(_))) => assert!(!activated, "an ordered card is activated"),
            Called::Returned(Err(error)) => panic!("an activation failed: {error}"),
            Called::Lost => {}
        }
        self.changed(dossier, lost);
    }

    pub(super) fn delete_card(&mut self) {
        let id = self.any_card();
        let called = self.call(async |services, _| card::delete(services, id).await);
        let faulted = self.faulted;
        self.note(format!("the operator deletes {id}"));
        let Some(dossier) = self.model.cards.get(&id).cloned() else {
            assert!(matches!(called, Called::Lost | Called::Returned(Err(CardStateError::NotFound(_)))));
            return;
        };
        if let Called::Returned(outcome) = &called {
            let deletion = outcome.as_ref().unwrap_or_else(|error| panic!("no deletion: {error}"));
            assert_eq!(deletion.card.invitees, dossier.invitees.len());
        }
        let row = self.read(async |store| store.any_card(id).await);
        assert!(row.is_none() || called.is_lost(), "a deleted card is still there");
        if row.is_none() {
            self.model.delete(id, self.now());
            if let Some(key) = &dossier.card.deceased.photo {
                self.check_deleted_photo(key, faulted);
            }
        }
    }

    /// The operator issues, rotates or revokes a signing secret, or the partner rotates its own.
    pub(super) fn change_secrets(&mut self) {
        let (id, mode) = self.any_partner();
        let (account, now, choice) = (self.model.account(id).clone(), self.now(), self.random.below(5));
        let Some(caller) = self.caller(id, mode) else { return };
        let overlap = std::time::Duration::from_secs(*self.random.pick(&[0, 3_600]));
        let revoked = account.secrets[self.random.below(account.secrets.len())].id;
        let called = self.call(async |services, _| match choice {
            0 | 1 => secret::issue(services, &account.partner).await.map(|_| true).or_else(refused),
            2 => secret::rotate(services, &account.partner, overlap).await.map(|_| true).or_else(refused),
            3 => match secret::rotate_own(services, &caller).await {
                Err(OperationError::Failed(_)) => Err(()),
                made => Ok(made.is_ok()),
            },
            _ => secret::revoke(services, &revoked.to_string(), true).await.map(|_| true).map_err(drop),
        });
        let signing = KeyMode::ALL.map(|mode| account.signing(mode, now).len());
        let may = match choice {
            0 | 1 => signing.iter().all(|count| *count < limits::SECRETS_ACTIVE_MAX),
            2 => signing.contains(&1) && signing.iter().all(|count| *count <= 1),
            3 => account.signing(mode, now).len() == 1,
            _ => true,
        };
        self.note(format!("secrets of {}: {choice} {may}", account.partner.name));
        if let Called::Returned(done) = &called {
            assert_eq!(*done, Ok(may), "a change of secrets");
        }
        let rows = self.read(async |store| store.webhook_secrets_of(id).await);
        let mut wanted = account.secrets.clone();
        let is_new = |row: &&WebhookSecret| wanted.iter().all(|known| known.id != row.id);
        if choice == 4 {
            let row = wanted.iter_mut().find(|row| row.id == revoked).expect("it is one of them");
            row.revoked_at = row.revoked_at.or(Some(now));
        } else if may && let Some(new) = rows.iter().find(is_new) {
            let (secret, created_at) = (new.secret.clone(), now);
            let (expires_at, revoked_at, live_ends_at, test_ends_at) = (None, None, None, None);
            let mut new = WebhookSecret {
                id: new.id,
                partner_id: id,
                secret,
                created_at,
                expires_at,
                revoked_at,
                live_ends_at,
                test_ends_at,
            };
            if choice == 3 {
                let other = if mode == KeyMode::Live { KeyMode::Test } else { KeyMode::Live };
                *new.end_of_mode(other) = Some(now);
            }
            for old in &mut wanted {
                let signs = |mode: &KeyMode| account.signing(*mode, now).iter().any(|active| active.id == old.id);
                match choice {
                    2 if KeyMode::ALL.iter().any(signs) => old.expires_at = Some(now.after(overlap)),
                    3 if signs(&mode) => *old.end_of_mode(mode) = Some(now.after(limits::SECRET_OVERLAP)),
                    _ => {}
                }
            }
            wanted.push(new);
            wanted.sort_by_key(|row| std::cmp::Reverse((row.created_at, row.id)));
        }
        assert!(rows == wanted || (called.is_lost() && rows == account.secrets), "the secrets of a partner");
        self.model.partners.iter_mut().find(|account| account.partner.id == id).expect("it is one").secrets = rows;
    }

    /// Changes the price or the test address of a partner, or blocks it for a while.
    pub(super) fn change_partner(&mut self) {
        let (id, _) = self.any_partner();
        let before = self.model.account(id).partner.clone();
        let (choice, name) = (self.random.below(8), before.name.clone());
        let price = *self.random.pick(&["49,50", "60,00", "0"]);
        let address = *self.random.pick(&[Some("test@noord.nl"), Some("proef@noord.nl"), None]);
        let blocks = !before.blocked && self.chance(30);
        let called = self.call(async |services, _| match choice {
            0..3 => partner::set_price(services, &name, price).await,
            3..6 => partner::set_test_address(services, &name, address).await,
            _ => partner::set_blocked(services, &name, blocks).await,
        });
        let mut after = before.clone();
        match choice {
            0..3 => after.price = Price::parse(price).expect("a price"),
            3..6 => after.test_address = address.map(str::to_owned),
            _ => after.blocked = blocks,
        }
        self.note(format!("the partner {name} changes: {choice}"));
        let row = self.read(async |store| store.partner(id).await).expect("a partner is there");
        assert!(row == after || (called.is_lost() && row == before), "the partner: {row:?}, not {after:?}");
        self.model.partners.iter_mut().find(|account| account.partner.id == id).expect("it is one").partner = row;
    }

    /// Revokes a key, and issues another.
    pub(super) fn revoke_key(&mut self) {
        let (id, mode) = self.any_partner();
        let account = self.model.account(id).clone();
        let old = account.key(mode);
        let called = self.call(async |services, _| key::revoke(services, &old.to_string()).await);
        self.note(format!("the {mode:?} key of {} is revoked", account.partner.name));
        let keys = self.read(async |store| store.keys_of(id).await);
        let revoked = keys.iter().find(|key| key.id == old).expect("the key is there").revoked_at.is_some();
        assert!(revoked || called.is_lost(), "a revoked key is still valid");
        if revoked {
            let new = self.calmly(async |services, _| run::key(services, &account.partner, mode).await);
            let account = self.model.partners.iter_mut().find(|account| account.partner.id == id).expect("it is one");
            match mode {
                KeyMode::Live => account.live_key = new,
                KeyMode::Test => account.test_key = new,
            }
        }
    }

    pub(super) fn revoke_sessions(&mut self) {
        let (id, mode) = self.any_partner();
        let selection = match self.random.below(3) {
            0 => SessionSelection::Partner(id),
            1 => SessionSelection::Key(self.model.account(id).key(mode)),
            _ => SessionSelection::Card(self.any_card()),
        };
        let open =
            self.calmly(async |services, _| session::list_open(services, selection).await).expect("a list").len();
        let called = self.call(async |services, _| session::revoke(services, selection).await);
        let mut after = self.model.clone();
        let count = after.end_sessions(selection, self.now());
        self.note(format!("sessions are revoked: {count}"));
        match called {
            // A call that was lost may have made links and sessions that the model does not know.
            Called::Returned(revoked) => {
                assert!(revoked.is_ok_and(|revoked| revoked == open && revoked >= count), "{count} of {open}")
            }
            Called::Lost => {
                let left =
                    self.calmly(async |services, _| session::list_open(services, selection).await).expect("a list");
                assert!(left.is_empty() || left.len() == open, "all sessions are revoked, or none");
                if !left.is_empty() {
                    return;
                }
            }
        }
        self.model = after;
    }

    /// Retires a theme, or restores it.
    pub(super) fn retire_theme(&mut self) {
        let (index, retired) = (self.random.below(self.model.themes.len()), self.chance(50));
        let (id, now) = (self.model.themes[index].id, self.now());
        let called = self.call(async |services, _| services.store.retire_theme(id, retired.then_some(now)).await);
        self.note(format!("a theme is retired: {retired}"));
        let rows = self.read(async |store| store.all_themes().await);
        let row = rows.iter().find(|(theme, _)| theme.id == id).expect("a theme is there");
        let is_retired = row.1.is_some();
        assert!(is_retired == retired || (called.is_lost() && is_retired == self.model.themes[index].retired));
        self.model.themes[index].retired = is_retired;
    }
}

/// Whether a secret was made: it was refused, or the store failed.
fn refused(error: NewSecretError) -> Result<bool, ()> {
    if let NewSecretError::Failed(_) = error { Err(()) } else { Ok(false) }
}
