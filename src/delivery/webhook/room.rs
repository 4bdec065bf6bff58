//! How much may be under way, in all and for each subscription: a slow or dead receiver takes up its own room only.
//!
//! A subscription that answers well may have a few deliveries claimed beyond those that are being sent, so that sending
//! does not wait for the database. One that fails and fails is tried one delivery at a time, with a pause between: the
//! million events that wait for it cost the others nothing.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::{Semaphore, SemaphorePermit, watch};
use uuid::Uuid;

use crate::base::{Moment, limits};
use crate::store::{ClaimOrder, DueSubscription, Finished};

/// The rooms of all subscriptions that have something under way; `T` is what is sent.
pub(super) struct Rooms<T> {
    rooms: Mutex<HashMap<Uuid, Room<T>>>,
    /// How many deliveries are claimed and not finished.
    under_way: watch::Sender<usize>,
    /// The places to send from, for all together.
    places: Semaphore,
}

struct Room<T> {
    under_way: usize,
    /// Claimed, and not begun.
    queue: VecDeque<T>,
    /// Who sends from the queue: no more than may be sent at once.
    senders: usize,
    /// How many may be claimed beyond those that can be sent at once: grows with every success.
    ahead: usize,
    /// The attempts that failed since the last that did not.
    failures: usize,
    tried_at: Option<Moment>,
    /// Paused since something was claimed.
    closed: bool,
}

/// One who sends what is queued of a subscription, one after the other, until nothing is left.
pub(super) struct Sender<T> {
    rooms: Arc<Rooms<T>>,
    subscription_id: Uuid,
    at_work: bool,
}

/// What a sender does next.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Next<T> {
    Send(T),
    /// The subscription has come to fail, or was paused, since this was claimed.
    HandBack(T),
}

/// Held while one delivery is sent.
pub(super) type Place<'a> = SemaphorePermit<'a>;

impl<T> Default for Rooms<T> {
    fn default() -> Self {
        Self {
            rooms: Mutex::default(),
            under_way: watch::Sender::new(0),
            places: Semaphore::new(limits::DELIVERIES_SENT_AT_ONCE),
        }
    }
}

impl<T> Rooms<T> {
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
        rooms.retain(|id, room| room.is_in_use() || due.iter().any(|due| due.subscription.id == *id));
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

    /// Queues what was claimed, by subscription. Those who are to send it beside those who do already.
    pub(super) fn enter(self: &Arc<Self>, claimed: impl IntoIterator<Item = (Uuid, T)>, now: Moment) -> Vec<Sender<T>> {
        let mut rooms = self.lock();
        let mut senders = Vec::new();
        let mut count = 0;
        for (subscription_id, item) in claimed {
            let room = rooms.entry(subscription_id).or_insert_with(Room::new);
            room.under_way += 1;
            room.tried_at = Some(now);
            room.queue.push_back(item);
            count += 1;
            if room.senders < limits::DELIVERIES_SENT_AT_ONCE_PER_SUBSCRIPTION {
                room.senders += 1;
                senders.push(Sender { rooms: Arc::clone(self), subscription_id, at_work: true });
            }
        }
        drop(rooms);
        self.under_way.send_modify(|under_way| *under_way += count);
        senders
    }

    /// Waits for a place to send from.
    pub(super) async fn place(&self) -> Place<'_> {
        self.places.acquire().await.expect("the semaphore is never closed")
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
                    room.ahead = (room.ahead + 1).min(ahead_max(attempt.duration_ms));
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

    fn lock(&self) -> MutexGuard<'_, HashMap<Uuid, Room<T>>> {
        self.rooms.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T> Sender<T> {
    /// The first in the queue; none, and the sender is counted out, when nothing is left.
    pub(super) fn next(&mut self) -> Option<Next<T>> {
        let mut rooms = self.rooms.lock();
        let room = rooms.get_mut(&self.subscription_id)?;
        match room.queue.pop_front() {
            Some(item) if room.is_barred() => Some(Next::HandBack(item)),
            Some(item) => Some(Next::Send(item)),
            // In one step with the look: what is queued from now on finds one sender less.
            None => {
                room.senders -= 1;
                self.at_work = false;
                None
            }
        }
    }
}

impl<T> Drop for Sender<T> {
    /// A sender that panicked leaves its room to the others.
    fn drop(&mut self) {
        if self.at_work
            && let Some(room) = self.rooms.lock().get_mut(&self.subscription_id)
        {
            room.senders -= 1;
        }
    }
}

impl<T> Room<T> {
    fn new() -> Self {
        Self { under_way: 0, queue: VecDeque::new(), senders: 0, ahead: 0, failures: 0, tried_at: None, closed: false }
    }

    fn is_in_use(&self) -> bool {
        self.under_way > 0 || self.senders > 0
    }

    fn is_failing(&self) -> bool {
        self.failures >= limits::SUBSCRIPTION_FAILURES_IN_A_ROW
    }

    /// Whether what is queued had better be claimed again later.
    fn is_barred(&self) -> bool {
        self.closed || (self.is_failing() && self.under_way > 1)
    }

    /// How many more may be claimed.
    fn vacancies(&self, now: Moment) -> usize {
        if self.is_failing() {
            let rested = self.tried_at.is_none_or(|at| at.after(limits::SUBSCRIPTION_FAILING_PAUSE) <= now);
            return usize::from(self.under_way == 0 && rested);
        }
        let all = limits::DELIVERIES_SENT_AT_ONCE_PER_SUBSCRIPTION + self.ahead;
        let vacant = all.saturating_sub(self.under_way);
        // Far ahead, a claim is worth its transaction when it is not one by one; and early enough, for as long as it and
        // the results before it are written, there is still something to send.
        let far = self.ahead > limits::DELIVERIES_SENT_AT_ONCE_PER_SUBSCRIPTION;
        if far && vacant < all / 4 { 0 } else { vacant.min(limits::DELIVERIES_CLAIMED_AT_ONCE) }
    }
}

/// How far ahead one may claim for a receiver that takes so long: what it takes in a while, if not too many.
fn ahead_max(duration_ms: i64) -> usize {
    let rounds = limits::DELIVERIES_AHEAD.as_millis() / u128::from(duration_ms.max(1).unsigned_abs());
    let all =
        usize::try_from(rounds).unwrap_or(usize::MAX).saturating_mul(limits::DELIVERIES_SENT_AT_ONCE_PER_SUBSCRIPTION);
    all.min(limits::DELIVERIES_AHEAD_MAX)
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

    fn rooms() -> Arc<Rooms<usize>> {
        Arc::default()
    }

    fn enter(rooms: &Arc<Rooms<usize>>, id: u128, count: usize) -> Vec<Sender<usize>> {
        rooms.enter((0..count).map(|item| (Uuid::from_u128(id), item)), at(0))
    }

    fn leave(rooms: &Rooms<usize>, id: u128, outcome: Option<AttemptOutcome>) {
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
        let rooms = rooms();
        let subscriptions = [due(1, 0), due(2, 0)];
        assert_eq!(counts(&rooms.orders(&subscriptions, at(0))), [(1, SENT), (2, SENT)]);
        enter(&rooms, 1, SENT);
        assert_eq!(counts(&rooms.orders(&subscriptions, at(0))), [(2, SENT)]);
    }

    #[test]
    fn subscription_that_answers_well_is_claimed_ahead_up_to_a_limit() {
        let rooms = rooms();
        for _ in 0..10 * limits::DELIVERIES_AHEAD_MAX {
            enter(&rooms, 1, 1);
            leave(&rooms, 1, Some(AttemptOutcome::Answered(200)));
        }
        assert_eq!(rooms.lock()[&Uuid::from_u128(1)].ahead, limits::DELIVERIES_AHEAD_MAX);
        assert_eq!(counts(&rooms.orders(&[due(1, 0)], at(0))), [(1, limits::DELIVERIES_CLAIMED_AT_ONCE)]);
        enter(&rooms, 1, 1);
        leave(&rooms, 1, Some(AttemptOutcome::Answered(500)));
        assert_eq!(counts(&rooms.orders(&[due(1, 1)], at(0))), [(1, SENT)]);
    }

    #[test]
    fn receiver_that_takes_its_time_is_claimed_ahead_as_far_as_it_comes_in_a_while() {
        let (pace, most) = (limits::DELIVERIES_AHEAD.as_millis() as i64, limits::DELIVERIES_AHEAD_MAX);
        for (duration_ms, ahead) in [(0, most), (1, most), (pace / 10, 10 * SENT), (pace, SENT), (pace + 1, 0)] {
            assert_eq!(ahead_max(duration_ms), ahead, "{duration_ms} ms");
        }
    }

    #[test]
    fn subscription_that_fails_and_fails_is_tried_one_at_a_time_with_pauses() {
        let rooms = rooms();
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
        let rooms = rooms();
        let many = limits::DELIVERIES_UNDER_WAY_MAX as u128 - 24;
        let subscriptions: Vec<_> = (1..=many).map(|id| due(id, 0)).collect();
        let orders = rooms.orders(&subscriptions, at(0));
        let total: usize = orders.iter().map(|order| order.count_max).sum();
        assert!(total <= limits::DELIVERIES_UNDER_WAY_MAX, "{total}");
        assert!(orders.iter().all(|order| order.count_max <= 2), "nobody takes it all");
        assert_eq!(orders.len(), subscriptions.len());
    }

    #[test]
    fn queue_is_worked_off_in_order_by_no_more_senders_than_may_send_at_once() {
        let rooms = rooms();
        let mut senders = enter(&rooms, 1, SENT + 2);
        assert_eq!(senders.len(), SENT);
        assert_eq!(enter(&rooms, 1, 1).len(), 0, "all are at work");
        let (first, second) = senders.split_at_mut(1);
        assert_eq!(first[0].next(), Some(Next::Send(0)));
        assert_eq!(second[0].next(), Some(Next::Send(1)));
        let left = std::iter::from_fn(|| first[0].next()).count();
        assert_eq!(left, SENT + 1, "the queue is empty, and the sender has gone");
        assert_eq!(enter(&rooms, 1, 2).len(), 1, "another takes its place");
        drop(senders);
        assert_eq!(enter(&rooms, 1, SENT).len(), SENT, "so it is when senders end before the queue does");
    }

    #[tokio::test]
    async fn claimed_delivery_of_a_subscription_that_fails_or_was_paused_is_handed_back() {
        let rooms = rooms();
        let mut senders = enter(&rooms, 1, 3);
        assert_eq!(senders[0].next(), Some(Next::Send(0)));
        rooms.close(Uuid::from_u128(1));
        assert_eq!(senders[0].next(), Some(Next::HandBack(1)));
        rooms.orders(&[due(1, 0)], at(0));
        (0..limits::SUBSCRIPTION_FAILURES_IN_A_ROW).for_each(|_| {
            enter(&rooms, 2, 1);
            leave(&rooms, 2, Some(AttemptOutcome::Answered(500)));
        });
        let mut failing = enter(&rooms, 2, 2);
        assert_eq!(failing[0].next(), Some(Next::HandBack(0)), "one at a time");
        assert_eq!(senders[0].next(), Some(Next::Send(2)), "it goes on");
        (0..3).for_each(|_| leave(&rooms, 1, None));
        (0..2).for_each(|_| leave(&rooms, 2, None));
        rooms.empty().await;
    }
}
