//! How much may be under way, in all and for each subscription: a slow or dead receiver takes up its own room only.
//!
//! A subscription that answers well may have deliveries claimed beyond those that are being sent, so that sending does not
//! wait for the database; half of the room in all is kept from such use. One that fails and fails is tried one delivery at
//! a time, with a pause between: the million events that wait for it cost the others nothing.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::{Semaphore, SemaphorePermit, watch};
use uuid::Uuid;

use crate::base::{Timestamp, limits};
use crate::model::Attempt;
use crate::store::{ClaimOrder, DueSubscription};

const SENT_AT_ONCE: usize = limits::DELIVERIES_SENT_AT_ONCE_PER_SUBSCRIPTION;

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
    tried_at: Option<Timestamp>,
    /// Paused since something was claimed.
    closed: bool,
}

/// One who sends what is queued of a subscription, one after the other, until nothing is left.
pub(super) struct Sender<T> {
    rooms: Arc<Rooms<T>>,
    subscription_id: Uuid,
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
    /// What to claim of the subscriptions for which something is due, by and by.
    pub(super) fn orders(&self, due: &[DueSubscription], now: Timestamp) -> Vec<ClaimOrder> {
        let mut rooms = self.lock();
        let mut wanted: Vec<(usize, ClaimOrder)> = Vec::new();
        for DueSubscription { subscription, failure_count } in due {
            let room = rooms.entry(subscription.id).or_insert_with(Room::new);
            if room.under_way == 0 {
                // Everything of ours is written: what stands there is what all replicas have seen.
                room.failures = usize::try_from(*failure_count).unwrap_or(usize::MAX);
                room.closed = false;
            }
            let count_max = room.vacancies(now);
            if count_max > 0 {
                wanted.push((room.under_way, ClaimOrder { subscription_id: subscription.id, count_max }));
            }
        }
        rooms.retain(|id, room| room.is_in_use() || due.iter().any(|due| due.subscription.id == *id));
        let free = limits::DELIVERIES_UNDER_WAY_MAX.saturating_sub(self.under_way());
        share(wanted, free)
    }

    /// Queues what was claimed, by subscription. Those who are to send it beside those who do already.
    pub(super) fn enter(
        self: &Arc<Self>,
        claimed: impl IntoIterator<Item = (Uuid, T)>,
        now: Timestamp,
    ) -> Vec<Sender<T>> {
        let mut rooms = self.lock();
        let mut senders = Vec::new();
        let mut count = 0;
        for (subscription_id, item) in claimed {
            let room = rooms.entry(subscription_id).or_insert_with(Room::new);
            room.under_way += 1;
            room.tried_at = Some(now);
            room.queue.push_back(item);
            count += 1;
            if room.senders < SENT_AT_ONCE {
                room.senders += 1;
                senders.push(Sender { rooms: Arc::clone(self), subscription_id });
            }
        }
        // Before anybody who is at work already can see them, and count them out.
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

    /// Takes down how an attempt went.
    pub(super) fn tried(&self, subscription_id: Uuid, attempt: &Attempt) {
        let mut rooms = self.lock();
        let Some(room) = rooms.get_mut(&subscription_id) else { return };
        if attempt.outcome.is_success() {
            room.failures = 0;
            room.ahead = (room.ahead + 1).min(ahead_max(attempt.duration_ms));
        } else {
            room.failures = room.failures.saturating_add(1);
            room.ahead = 0;
        }
    }

    /// Takes down that something was claimed too early: it waited for its place for too long.
    pub(super) fn was_too_far_ahead(&self, subscription_id: Uuid) {
        if let Some(room) = self.lock().get_mut(&subscription_id) {
            room.ahead = 0;
        }
    }

    /// Counts deliveries out, each by its subscription.
    pub(super) fn leave(&self, subscription_ids: impl IntoIterator<Item = Uuid>) {
        let mut rooms = self.lock();
        let mut count = 0;
        for subscription_id in subscription_ids {
            if let Some(room) = rooms.get_mut(&subscription_id) {
                room.under_way -= 1;
            }
            count += 1;
        }
        drop(rooms);
        self.under_way.send_modify(|under_way| *under_way -= count);
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
                None
            }
        }
    }

    /// Counts out what it was sending, of which nothing is known: the lease ends, and it goes out again.
    pub(super) fn lost(&self) {
        self.rooms.leave([self.subscription_id]);
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
    fn vacancies(&self, now: Timestamp) -> usize {
        if self.closed {
            return 0;
        }
        if self.is_failing() {
            let rested = self.tried_at.is_none_or(|at| at.after(limits::SUBSCRIPTION_FAILING_PAUSE) <= now);
            return usize::from(self.under_way == 0 && rested);
        }
        let all = SENT_AT_ONCE + self.ahead;
        let vacant = all.saturating_sub(self.under_way);
        // Far ahead, a claim is worth its transaction when it is not one by one; and early enough, for as long as it and
        // the results before it are written, there is still something to send.
        if self.ahead > SENT_AT_ONCE && vacant < all / 4 { 0 } else { vacant }
    }
}

/// Shares out what is free among those who want it, each with what it has under way: who has least comes first, and gets
/// no more than its share. What would be claimed ahead takes no more than half of all.
fn share(mut wanted: Vec<(usize, ClaimOrder)>, mut free: usize) -> Vec<ClaimOrder> {
    let mut ahead = free.saturating_sub(limits::DELIVERIES_UNDER_WAY_MAX / 2);
    wanted.sort_by_key(|(under_way, order)| (*under_way, order.count_max));
    let mut others = wanted.len();
    for (under_way, order) in &mut wanted {
        let at_once = SENT_AT_ONCE.saturating_sub(*under_way);
        let count = order.count_max.min(free.div_ceil(others)).min(at_once + ahead);
        ahead -= count.saturating_sub(at_once);
        free -= count;
        others -= 1;
        order.count_max = count;
    }
    wanted.into_iter().map(|(_, order)| order).filter(|order| order.count_max > 0).collect()
}

/// What of the orders is claimed in one transaction. Whoever finds no room in it comes first in the next.
pub(super) fn in_one_transaction(orders: Vec<ClaimOrder>) -> Vec<ClaimOrder> {
    let mut left = limits::DELIVERIES_CLAIMED_AT_ONCE;
    let cut = |order: ClaimOrder| {
        let count_max = order.count_max.min(left);
        left -= count_max;
        (count_max > 0).then_some(ClaimOrder { count_max, ..order })
    };
    orders.into_iter().filter_map(cut).collect()
}

/// How far ahead one may claim for a receiver that takes so long: what it takes in a while, if not too many.
fn ahead_max(duration_ms: i64) -> usize {
    let rounds = limits::DELIVERIES_AHEAD.as_millis() / u128::from(duration_ms.max(1).unsigned_abs());
    let all = usize::try_from(rounds).unwrap_or(usize::MAX).saturating_mul(SENT_AT_ONCE);
    all.min(limits::DELIVERIES_AHEAD_MAX)
}

#[cfg(test)]
mod tests;
