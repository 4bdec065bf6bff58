//! A partner lets everything that failed be sent again (decisions W8).

use card_service::base::Parsed;
use card_service::model::UserErrorCode;
use card_service::operation::{OperationError, webhook};
use card_service::worker::webhook::recovery;
use uuid::Uuid;

use super::refusals;
use crate::model::id_before;
use crate::run::{Called, Sim};

impl Sim {
    /// The partner asks for everything that failed since a time.
    pub(super) fn recover(&mut self) {
        let (partner_id, mode) = self.any_partner();
        let Some(caller) = self.caller(partner_id, mode) else { return };
        let now = self.now();
        let since = now.plus(-chrono::Duration::seconds(*self.random.pick(&[-1, 0, 7_200, 200_000, 2_000_000])));
        let sent = if self.chance(3) { Parsed::Invalid("gisteren".to_owned()) } else { Parsed::Value(since) };
        let is_wrong = since > now || matches!(sent, Parsed::Invalid(_));
        let again = sent.clone();
        let called = self.call(async |services, _| webhook::recover(services, &caller, sent).await);
        self.note(format!("everything that failed since {since} is asked for"));
        let outcome = match called {
            Called::Returned(outcome) => outcome,
            // The partner asks again.
            Called::Lost => self.calmly(async |services, _| webhook::recover(services, &caller, again).await),
        };
        match outcome {
            Err(OperationError::Refused(errors)) => {
                assert!(is_wrong, "a recovery is refused");
                assert_eq!(refusals(&errors), [(UserErrorCode::Invalid, "since".to_owned())]);
            }
            Err(error) => panic!("no recovery: {error}"),
            Ok(count) => {
                assert!(!is_wrong, "a recovery that must be refused");
                let ids: Vec<Uuid> = self.model.subscriptions.keys().copied().collect();
                let mut wanted = 0;
                for id in ids.into_iter().filter(|id| self.reaches(partner_id, mode, *id)).collect::<Vec<_>>() {
                    let subscription = self.model.subscriptions.get_mut(&id).expect("it is there");
                    wanted += subscription.recover(id_before(since));
                }
                assert_eq!(usize::try_from(count), Ok(wanted), "what is sent again");
            }
        }
    }

    /// Sends the next batch of every recovery.
    pub(super) fn recovery_worker(&mut self) {
        let called = self.call(async |services, _| recovery::step(services).await);
        self.note("a batch of each recovery");
        let (now, lost) = (self.now(), called.is_lost());
        match called {
            Called::Returned(Ok(_)) => {}
            Called::Returned(Err(error)) => panic!("a step of the recovery failed: {error}"),
            // Those that had their batch get the next one.
            Called::Lost => {
                self.calmly(async |services, _| recovery::step(services).await).expect("the store answers");
            }
        }
        let recovering = self.read(async |store| store.recovering().await);
        let (cards, mut sent) = (self.model.card_ids(), Vec::new());
        for (id, subscription) in &mut self.model.subscriptions {
            if subscription.recover_after.is_some() {
                sent.push(*id);
            }
            subscription.recover_batch(|card_id| cards.contains(&card_id), now);
            if lost && !recovering.contains(id) {
                subscription.recover_after = None;
            }
            assert_eq!(subscription.recover_after.is_some(), recovering.contains(id), "a recovery");
        }
        sent.into_iter().for_each(|id| self.check_subscription(id));
    }
}
