//! How much may be under way, in all and for each subscription: a slow or dead receiver takes up its own room only.
//!
//! A subscription that answers well may have a few deliveries claimed beyond those that are being sent, so that sending
//! does not wait for the database. One that fails and fails is tried one delivery at a time, with a pause between: the
//! million events that wait for it cost the others nothing.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use uuid::Uuid;

use crate::base::{Moment, limits};
use crate::store::{ClaimOrder, DueSubscription, Finished};

/// The rooms of all subscriptions that have something under way.
pub(super) struct Rooms {
    rooms: Mutex<HashMap<Uuid, Room>>,
    /// How many deliveries are claimed and not finished.
    under_way: watch::Sender<usize>,
    /// The places to send from, for all together.
    places: Arc<Semaphore>,
}

struct Room {
    under_way: usize,
    /// How many may be claimed beyond those that can be sent at once: grows with every quick success.
    ahead: usize,
    /// The attempts that failed since the last that did not.
    failures: usize,
    tried_at: Option<Moment>,
    /// Paused since something was claimed.
    closed: bool,
    places: Arc<Semaphore>,
}

/// Held while one delivery is sent.
pub(super) struct Place {
    _own: OwnedSemaphorePermit,
    _common: OwnedSemaphorePermit,
}

impl Default for Rooms {
    fn default() -> Self {
        Self {
            rooms: Mutex::default(),
            under_way: watch::Sender::new(0),
            places: Arc::new(Semaphore::new(limits::DELIVERIES_SENT_AT_ONCE)),
        }
    }
}

impl Rooms {
    /// What to claim of the subscriptions for which something is due.
    pub(super) fn orders(&self, due: &[DueSubscription], now: Moment) -> Vec<ClaimOrder> {
        let mut rooms = self.lock();
        let mut free = limits::DELIVERIES_UNDER_WAY_MAX.saturating_sub(self.under_way());
        let mut orders: Vec<ClaimOrder> = Vec::new();
        for DueSubscription { subscription, failure_count } in due {
            let room = rooms.entry(subscription.id).or_insert_with(Room::new);
            room.closed = false;
            if room.under_way == 0 {
                // Everything of ours is written: what stands there is what all replicas have seen.
                room.failures = usize::try_from(*failure_count).unwrap_or(usize::MAX);
            }
            let count_max = room.vacancies(now);
            if count_max > 0 {
                orders.push(ClaimOrder { subscription_id: subscription.id, count_max });
            }
        }
        rooms.retain(|id, room| room.under_way > 0 || due.iter().any(|due| due.subscription.id == *id));
        // Where there is not room for all, each has a share of what is left; those who want least come first.
        orders.sort_by_key(|order| order.count_max);
        let mut others = orders.len();
        for order in &mut orders {
            order.count_max = order.count_max.min(free.div_ceil(others));
            free -= order.count_max;
            others -= 1;
        }
        orders.retain(|order| order.count_max > 0);
        orders
    }

    /// Counts claimed deliveries in, by their subscriptions.
    pub(super) fn enter(&self, claimed: impl Iterator<Item = Uuid>, now: Moment) {
        let mut rooms = self.lock();
        let mut count = 0;
        for subscription_id in claimed {
            let room = rooms.entry(subscription_id).or_insert_with(Room::new);
            room.under_way += 1;
            room.tried_at = Some(now);
            count += 1;
        }
        drop(rooms);
        self.under_way.send_modify(|under_way| *under_way += count);
    }

    /// Waits for a place to send from; `None` when the subscription has come to fail, or was paused, meanwhile.
    pub(super) async fn place(&self, subscription_id: Uuid) -> Option<Place> {
        let places = self.lock().get(&subscription_id).map(|room| Arc::clone(&room.places))?;
        // No semaphore is ever closed: these waits cannot fail.
        let own = places.acquire_owned().await.ok()?;
        let barred = |room: &Room| room.closed || (room.is_failing() && room.under_way > 1);
        if self.lock().get(&subscription_id).is_none_or(barred) {
            return None;
        }
        let common = Arc::clone(&self.places).acquire_owned().await.ok()?;
        Some(Place { _own: own, _common: common })
    }

    /// Takes down that a subscription was paused.
    pub(super) fn close(&self, subscription_id: Uuid) {
        if let Some(room) = self.lock().get_mut(&subscription_id) {
            room.closed = true;
        }
    }

    /// Counts a delivery out, and takes down how its attempt went.
    pub(super) fn leave(&self, finished: &Finished) {
        if let Some(room) = self.lock().get_mut(&finished.subscription_id) {
            room.under_way -= 1;
            match &finished.attempt {
                Some(attempt) if attempt.outcome.is_success() => {
                    room.failures = 0;
                    let quick = attempt.duration_ms < limits::DELIVERY_QUICK.as_millis() as i64;
                    room.ahead = if quick { (room.ahead + 1).min(limits::DELIVERIES_AHEAD_MAX) } else { 0 };
                }
                Some(_) => {
                    room.failures = room.failures.saturating_add(1);
                    room.ahead = 0;
                }
                None => {}
            }
        }
        self.under_way.send_modify(|under_way| *under_way -= 1);
    }

    /// How many deliveries are claimed and not finished.
    pub(super) fn under_way(&self) -> usize {
        *self.under_way.borrow()
    }

    /// Waits until nothing is under way.
    pub(super) async fn empty(&self) {
        let mut under_way = self.under_way.subscribe();
        // The sender lives as long as `self`: the wait cannot fail.
        let _ = under_way.wait_for(|count| *count == 0).await;
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Uuid, Room>> {
        self.rooms.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Room {
    fn new() -> Self {
        Self {
            under_way: 0,
            ahead: 0,
            failures: 0,
            tried_at: None,
            closed: false,
            places: Arc::new(Semaphore::new(limits::DELIVERIES_SENT_AT_ONCE_PER_SUBSCRIPTION)),
        }
    }

    fn is_failing(&self) -> bool {
        self.failures >= limits::SUBSCRIPTION_FAILURES_IN_A_ROW
    }

    /// How many more may be claimed.
    fn vacancies(&self, now: Moment) -> usize {
        if self.is_failing() {
            let rested = self.tried_at.is_none_or(|at| at.after(limits::SUBSCRIPTION_FAILING_PAUSE) <= now);
            return usize::from(self.under_way == 0 && rested);
        }
        let all = limits::DELIVERIES_SENT_AT_ONCE_PER_SUBSCRIPTION + self.ahead;
        let vacant = all.saturating_sub(self.under_way);
        // Far ahead, a claim is worth its transaction when it is not one by one.
        if self.ahead > limits::DELIVERIES_SENT_AT_ONCE_PER_SUBSCRIPTION && vacant < all / 2 { 0 } else { vacant }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::WebAddress;
    use crate::model::{Attempt, AttemptOutcome, SubscriptionHealth, Topic, WebhookSubscription};
    use crate::store::Verdict;

    const SENT: usize = limits::DELIVERIES_SENT_AT_ONCE_PER_SUBSCRIPTION;

    fn at(ms: i64) -> Moment {
        Moment::from_millis(ms).expect("within the calendar")
    }

    fn due(id: u128, failure_count: i64) -> DueSubscription {
        let subscription = WebhookSubscription {
            id: Uuid::from_u128(id),
            partner_id: Uuid::nil(),
            topic: Topic::CardsCreate,
            callback_url: WebAddress::trusted("https://hooks.example/"),
            api_version: "2026-10".to_owned(),
            created_at: at(0),
            updated_at: at(0),
            health: SubscriptionHealth::default(),
        };
        DueSubscription { subscription, failure_count }
    }

    fn counts(orders: &[ClaimOrder]) -> Vec<(u128, usize)> {
        let mut counts: Vec<_> = orders.iter().map(|o| (o.subscription_id.as_u128(), o.count_max)).collect();
        counts.sort();
        counts
    }

    fn enter(rooms: &Rooms, id: u128, count: usize) {
        rooms.enter(std::iter::repeat_n(Uuid::from_u128(id), count), at(0));
    }

    fn leave(rooms: &Rooms, id: u128, outcome: Option<AttemptOutcome>) {
        let attempt = outcome.map(|outcome| Attempt {
            delivery_id: Uuid::nil(),
            number: 1,
            started_at: at(0),
            duration_ms: 1,
            outcome,
        });
        rooms.leave(&Finished {
            delivery_id: Uuid::nil(),
            subscription_id: Uuid::from_u128(id),
            card_id: Uuid::nil(),
            lease: Uuid::nil(),
            attempt,
            verdict: Verdict::Delivered,
        });
    }

    #[test]
    fn subscription_that_takes_nothing_holds_its_own_places_and_no_more() {
        let rooms = Rooms::default();
        let subscriptions = [due(1, 0), due(2, 0)];
        assert_eq!(counts(&rooms.orders(&subscriptions, at(0))), [(1, SENT), (2, SENT)]);
        enter(&rooms, 1, SENT);
        assert_eq!(counts(&rooms.orders(&subscriptions, at(0))), [(2, SENT)]);
    }

    #[test]
    fn subscription_that_answers_well_is_claimed_ahead_up_to_a_limit() {
        let rooms = Rooms::default();
        for _ in 0..10 * limits::DELIVERIES_AHEAD_MAX {
            enter(&rooms, 1, 1);
            leave(&rooms, 1, Some(AttemptOutcome::Answered(200)));
        }
        assert_eq!(counts(&rooms.orders(&[due(1, 0)], at(0))), [(1, SENT + limits::DELIVERIES_AHEAD_MAX)]);
        enter(&rooms, 1, 1);
        leave(&rooms, 1, Some(AttemptOutcome::Answered(500)));
        assert_eq!(counts(&rooms.orders(&[due(1, 1)], at(0))), [(1, SENT)]);
    }

    #[test]
    fn subscription_that_fails_and_fails_is_tried_one_at_a_time_with_pauses() {
        let rooms = Rooms::default();
        let many = i64::try_from(limits::SUBSCRIPTION_FAILURES_IN_A_ROW).expect("a small number");
        assert_eq!(counts(&rooms.orders(&[due(1, many)], at(0))), [(1, 1)], "as other replicas saw it");
        enter(&rooms, 1, 1);
        assert_eq!(counts(&rooms.orders(&[due(1, many)], at(10_000))), [], "one is under way");
        leave(&rooms, 1, Some(AttemptOutcome::TimeOut));
        assert_eq!(counts(&rooms.orders(&[due(1, many)], at(999))), []);
        assert_eq!(counts(&rooms.orders(&[due(1, many)], at(1_000))), [(1, 1)]);
        enter(&rooms, 1, 1);
        leave(&rooms, 1, Some(AttemptOutcome::Answered(204)));
        assert_eq!(counts(&rooms.orders(&[due(1, 0)], at(1_000))), [(1, SENT + 1)], "it is well again");
    }

    #[test]
    fn room_for_all_is_shared() {
        let rooms = Rooms::default();
        let subscriptions: Vec<_> = (1..=1_000).map(|id| due(id, 0)).collect();
        let orders = rooms.orders(&subscriptions, at(0));
        let total: usize = orders.iter().map(|order| order.count_max).sum();
        assert!(total <= limits::DELIVERIES_UNDER_WAY_MAX, "{total}");
        assert!(orders.iter().all(|order| order.count_max <= 2), "nobody takes it all");
        assert_eq!(orders.len(), subscriptions.len());
    }

    #[tokio::test]
    async fn claimed_delivery_of_a_subscription_that_was_paused_gets_no_place() {
        let rooms = Rooms::default();
        enter(&rooms, 1, 2);
        assert!(rooms.place(Uuid::from_u128(1)).await.is_some());
        rooms.close(Uuid::from_u128(1));
        assert!(rooms.place(Uuid::from_u128(1)).await.is_none());
        leave(&rooms, 1, None);
        leave(&rooms, 1, None);
        rooms.empty().await;
    }
}
