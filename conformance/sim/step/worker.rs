//! One step of a worker: webhooks, the order of deliveries, housekeeping.

use card_service::base::limits;
use card_service::worker::delivery::sequence;
use card_service::worker::housekeeping;
use uuid::Uuid;

use super::RECEIVERS;
use crate::model::{Expected, Notification, Sent, Subscription, Subscriptions, retry_window};
use crate::network::{Mood, State};
use crate::run::{Called, Sim};

/// How often the workers make steps until nothing is left.
const ROUNDS: usize = 5;
const STEPS_PER_ROUND: usize = 60;

/// The steps of the webhook worker in an outage, in which subscriptions are paused.
const OUTAGE_STEPS: usize = 14;

impl Sim {
    pub(super) fn webhook_worker(&mut self) {
        let now = self.now();
        let network = self.world.network.clone();
        let wanted = self.model.claimed(|url| network.mood(url), now);
        let called = self.call(async |_, dispatcher| {
            let stepped = dispatcher.step().await;
            dispatcher.wait_until_idle().await;
            stepped
        });
        let faulted = self.faulted;
        if let (Called::Returned(Err(error)), false) = (&called, faulted) {
            panic!("a step of the webhook worker failed: {error}");
        }
        let posts = std::mem::take(&mut self.world.network.state().posts);
        self.note(format!("webhooks: {} of {} sent", posts.len(), wanted.len()));
        let mut unsent: Vec<&Expected> = wanted.iter().filter(|one| matches!(one.sent, Sent::Answered(_))).collect();
        for post in &posts {
            let place = self.check_post(post);
            let found = unsent.iter().position(|one| (one.subscription_id, one.place) == place);
            unsent.remove(found.unwrap_or_else(|| panic!("{place:?} was sent and is not due: {wanted:?}")));
        }
        assert!(unsent.is_empty() || faulted, "notifications were not sent: {unsent:?}");
        self.check_results(&wanted, faulted);
        if faulted {
            // The worker waits after a step that failed.
            self.world.clock.advance(chrono::Duration::from_std(limits::WORKER_POLL).expect("a second"));
        }
    }

    /// Checks what was claimed: written as the answers of the receivers were, or after a fault still leased.
    fn check_results(&mut self, wanted: &[Expected], faulted: bool) {
        let now = self.now();
        let mut after = self.model.finished(wanted, now);
        let lease_ends = now.after(limits::DELIVERY_LEASE);
        let mut is_written = !faulted;
        for expected in wanted {
            let before = &self.model.subscriptions[&expected.subscription_id].notifications[&expected.place].row;
            let delivery = before.id;
            let row = self.read(async |store| store.delivery(delivery).await).expect("a delivery is there");
            if faulted && row == *before {
                continue;
            }
            if faulted && row.lease.is_some() && row.leased_until == Some(lease_ends) {
                let row_before = before.clone();
                let subscription = self.model.subscriptions.get_mut(&expected.subscription_id).expect("it is there");
                let known = &mut subscription.notifications.get_mut(&expected.place).expect("it is there").row;
                (known.lease, known.leased_until) = (row.lease, row.leased_until);
                assert_eq!(row, *known, "a leased delivery, before {row_before:?}");
                continue;
            }
            is_written = true;
            let subscription = after.get_mut(&expected.subscription_id).expect("it is there");
            let known = &mut subscription.notifications.get_mut(&expected.place).expect("it is there").row;
            if let Sent::Answered(mood @ (Mood::Fails | Mood::Busy | Mood::TimesOut)) = expected.sent
                && let Some((from, to)) = retry_window(known, mood, now)
            {
                assert!(row.due_at.is_some_and(|at| from <= at && at <= to), "the next attempt: {row:?}");
                known.due_at = row.due_at;
            }
        }
        if is_written {
            // All results of a step are written together.
            let is_paused = |one: &Subscription| one.row.health.pause.is_some();
            let paused = |all: &Subscriptions| all.values().filter(|one| is_paused(one)).count();
            self.model.unordered |= paused(&after) > paused(&self.model.subscriptions);
            self.model.subscriptions = after;
        }
        self.check_subscriptions();
    }

    /// Puts all deliveries in sequence.
    pub(super) fn order_worker(&mut self) {
        let called = self.call(async |services, _| sequence::step(services, &mut sequence::Position::default()).await);
        self.note("the order is checked");
        let outcome = match called {
            Called::Returned(outcome) => outcome,
            Called::Lost => {
                self.calmly(async |services, _| sequence::step(services, &mut sequence::Position::default()).await)
            }
        };
        outcome.expect("the store answers");
        let now = self.now();
        self.model.put_all_in_order(now);
        self.check_subscriptions();
    }

    pub(super) fn housekeeping(&mut self) {
        let called = self.call(async |services, _| housekeeping::step(services).await);
        self.note("housekeeping");
        if let Called::Returned(Err(error)) = &called {
            panic!("housekeeping failed: {error}");
        }
        if called.is_lost() {
            // It does each deletion again.
            self.calmly(async |services, _| housekeeping::step(services).await).expect("the store answers");
        }
        let now = self.now();
        self.model.expire_notifications(now);
        self.order_worker();
        self.audit();
    }

    /// No receiver accepts anything for longer than the retry schedule.
    fn outage(&mut self) {
        self.world.network.state().moods = RECEIVERS.map(|url| (url.to_owned(), Mood::Fails)).into();
        for _ in 0..OUTAGE_STEPS {
            self.webhook_worker();
            self.order_worker();
            self.world.clock.advance(chrono::Duration::hours(10));
        }
    }

    /// Lets everything that waits happen: receivers accept, the operator resumes paused subscriptions, and time passes.
    pub fn settle(&mut self) {
        self.faults = 0;
        self.outage();
        *self.world.network.state() = State::default();
        let subscriptions: Vec<Uuid> = self.model.subscriptions.keys().copied().collect();
        subscriptions.into_iter().for_each(|id| self.resume_one(id));
        for _ in 0..ROUNDS {
            // The notifications of a card follow each other, one in each step.
            for _ in 0..STEPS_PER_ROUND {
                if self.unfinished().is_none() {
                    return;
                }
                self.order_worker();
                self.webhook_worker();
            }
            // Longer than any delay.
            self.world.clock.advance(chrono::Duration::hours(30));
        }
        assert!(self.unfinished().is_none(), "a notification waits for ever: {:?}", self.unfinished());
    }

    /// A notification that was neither delivered nor given up.
    fn unfinished(&self) -> Option<&Notification> {
        let mut all = self.model.subscriptions.values().flat_map(|subscription| subscription.notifications.values());
        all.find(|one| one.row.finished_at.is_none())
    }
}
