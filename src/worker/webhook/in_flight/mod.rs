//! Concurrency limits for webhook deliveries, so that a slow or dead receiver cannot starve the others.
//!
//! - At most [`limits::DELIVERIES_IN_FLIGHT_MAX`] deliveries are claimed at a time, over all subscriptions.
//! - At most [`limits::DELIVERIES_SENT_AT_ONCE_PER_SUBSCRIPTION`] requests per subscription run concurrently.
//! - Prefetch: a subscription that succeeds may have more deliveries claimed than can be sent at once, so that sending does
//!   not wait for the database. At most half of the global limit is used for this.
//! - After [`limits::SUBSCRIPTION_FAILURES_IN_A_ROW`] failures a subscription gets one attempt at a time, with a pause between
//!   attempts.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::{Semaphore, SemaphorePermit, watch};
use uuid::Uuid;

use crate::base::{Timestamp, limits};
use crate::model::Attempt;
use crate::store::{ClaimOrder, DueSubscription};

const SENT_AT_ONCE: usize = limits::DELIVERIES_SENT_AT_ONCE_PER_SUBSCRIPTION;

/// The deliveries that are claimed and not finished; `T` is a claimed delivery.
pub(super) struct InFlight<T> {
    queues: Mutex<HashMap<Uuid, SubscriptionQueue<T>>>,
    count: watch::Sender<usize>,
    permits: Semaphore,
}

/// The claimed deliveries of one subscription.
struct SubscriptionQueue<T> {
    /// Claimed and not finished, including those being sent.
    in_flight: usize,
    /// Claimed and not started.
    pending: VecDeque<T>,
    /// Running workers, at most [`SENT_AT_ONCE`].
    workers: usize,
    /// How many deliveries may be claimed beyond those that can be sent at once. Grows with each success, 0 after a failure.
    prefetch: usize,
    /// Failed attempts since the last success.
    failures: usize,
    attempted_at: Option<Timestamp>,
    /// Paused since the last claim.
    paused: bool,
}

/// Sends the pending deliveries of one subscription, one after the other.
pub(super) struct SubscriptionWorker<T> {
    in_flight: Arc<InFlight<T>>,
    subscription_id: Uuid,
}

/// What to do with the next pending delivery.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Next<T> {
    Send(T),
    /// The subscription failed or was paused after the claim: the delivery has to be claimed again later.
    Release(T),
}

/// Held while one delivery is sent.
pub(super) type Permit<'a> = SemaphorePermit<'a>;

impl<T> Default for InFlight<T> {
    fn default() -> Self {
        Self {
            queues: Mutex::default(),
            count: watch::Sender::new(0),
            permits: Semaphore::new(limits::DELIVERIES_SENT_AT_ONCE),
        }
    }
}

impl<T> InFlight<T> {
    /// Returns how many deliveries to claim of each subscription.
    pub(super) fn claim_orders(&self, due: &[DueSubscription], now: Timestamp) -> Vec<ClaimOrder> {
        let mut queues = self.lock();
        let mut wanted: Vec<(usize, ClaimOrder)> = Vec::new();
        for DueSubscription { subscription, failure_count } in due {
            let queue = queues.entry(subscription.id).or_insert_with(SubscriptionQueue::new);
            if queue.in_flight == 0 {
                // All our results are written, so the row holds the state that every replica sees.
                queue.failures = usize::try_from(*failure_count).unwrap_or(usize::MAX);
                queue.paused = false;
            }
            let count_max = queue.capacity(now);
            if count_max > 0 {
                wanted.push((queue.in_flight, ClaimOrder { subscription_id: subscription.id, count_max }));
            }
        }
        queues.retain(|id, queue| queue.is_in_use() || due.iter().any(|due| due.subscription.id == *id));
        let free = limits::DELIVERIES_IN_FLIGHT_MAX.saturating_sub(self.count());
        share(wanted, free)
    }

    /// Queues claimed deliveries by subscription. Returns the workers to start, in addition to those that already run.
    pub(super) fn enqueue(
        self: &Arc<Self>,
        claimed: impl IntoIterator<Item = (Uuid, T)>,
        now: Timestamp,
    ) -> Vec<SubscriptionWorker<T>> {
        let mut queues = self.lock();
        let mut workers = Vec::new();
        let mut added = 0;
        for (subscription_id, item) in claimed {
            let queue = queues.entry(subscription_id).or_insert_with(SubscriptionQueue::new);
            queue.in_flight += 1;
            queue.attempted_at = Some(now);
            queue.pending.push_back(item);
            added += 1;
            if queue.workers < SENT_AT_ONCE {
                queue.workers += 1;
                workers.push(SubscriptionWorker { in_flight: Arc::clone(self), subscription_id });
            }
        }
        // Under the lock: a running worker may otherwise finish a delivery before it is counted.
        self.count.send_modify(|count| *count += added);
        workers
    }

    /// Waits for a permit to send.
    pub(super) async fn acquire(&self) -> Permit<'_> {
        self.permits.acquire().await.expect("the semaphore is never closed")
    }

    /// Records that a subscription was paused.
    pub(super) fn pause(&self, subscription_id: Uuid) {
        if let Some(queue) = self.lock().get_mut(&subscription_id) {
            queue.paused = true;
        }
    }

    /// Adjusts the prefetch and the failure count after an attempt.
    pub(super) fn record_attempt(&self, subscription_id: Uuid, attempt: &Attempt) {
        let mut queues = self.lock();
        let Some(queue) = queues.get_mut(&subscription_id) else { return };
        if attempt.outcome.is_success() {
            queue.failures = 0;
            queue.prefetch = (queue.prefetch + 1).min(prefetch_max(attempt.duration_ms));
        } else {
            queue.failures = queue.failures.saturating_add(1);
            queue.prefetch = 0;
        }
    }

    /// Stops prefetching for a subscription whose delivery waited too long for a permit.
    pub(super) fn reset_prefetch(&self, subscription_id: Uuid) {
        if let Some(queue) = self.lock().get_mut(&subscription_id) {
            queue.prefetch = 0;
        }
    }

    /// Removes finished deliveries from the counts; one subscription id for each.
    pub(super) fn finish(&self, subscription_ids: impl IntoIterator<Item = Uuid>) {
        let mut queues = self.lock();
        let mut finished = 0;
        for subscription_id in subscription_ids {
            if let Some(queue) = queues.get_mut(&subscription_id) {
                queue.in_flight -= 1;
            }
            finished += 1;
        }
        drop(queues);
        self.count.send_modify(|count| *count -= finished);
    }

    /// Returns how many deliveries are claimed and not finished.
    pub(super) fn count(&self) -> usize {
        *self.count.borrow()
    }

    /// Waits until nothing is in flight.
    pub(super) async fn wait_until_empty(&self) {
        let mut count = self.count.subscribe();
        // The sender lives as long as `self`: the wait cannot fail.
        let _ = count.wait_for(|count| *count == 0).await;
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Uuid, SubscriptionQueue<T>>> {
        self.queues.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T> SubscriptionWorker<T> {
    /// Returns the next pending delivery. `None`: the queue is empty, and this worker is removed from it.
    pub(super) fn next(&mut self) -> Option<Next<T>> {
        let mut queues = self.in_flight.lock();
        let queue = queues.get_mut(&self.subscription_id)?;
        match queue.pending.pop_front() {
            Some(item) if queue.must_release() => Some(Next::Release(item)),
            Some(item) => Some(Next::Send(item)),
            // Under the same lock as the check, so that `enqueue` starts another worker.
            None => {
                queue.workers -= 1;
                None
            }
        }
    }

    /// Gives up the current delivery after a panic: its lease expires, and it is sent again.
    pub(super) fn abandon(&self) {
        self.in_flight.finish([self.subscription_id]);
    }
}

impl<T> SubscriptionQueue<T> {
    fn new() -> Self {
        Self {
            in_flight: 0,
            pending: VecDeque::new(),
            workers: 0,
            prefetch: 0,
            failures: 0,
            attempted_at: None,
            paused: false,
        }
    }

    fn is_in_use(&self) -> bool {
        self.in_flight > 0 || self.workers > 0
    }

    fn is_failing(&self) -> bool {
        self.failures >= limits::SUBSCRIPTION_FAILURES_IN_A_ROW
    }

    /// Whether pending deliveries have to be claimed again later.
    fn must_release(&self) -> bool {
        self.paused || (self.is_failing() && self.in_flight > 1)
    }

    /// Returns how many more deliveries may be claimed.
    fn capacity(&self, now: Timestamp) -> usize {
        if self.paused {
            return 0;
        }
        if self.is_failing() {
            let is_over = |at: Timestamp| at.after(limits::SUBSCRIPTION_FAILING_PAUSE) <= now;
            return usize::from(self.in_flight == 0 && self.attempted_at.is_none_or(is_over));
        }
        let max = SENT_AT_ONCE + self.prefetch;
        let capacity = max.saturating_sub(self.in_flight);
        // With a large prefetch, claims are made in batches of a quarter: the queue does not run empty meanwhile.
        if self.prefetch > SENT_AT_ONCE && capacity < max / 4 { 0 } else { capacity }
    }
}

/// Shares the free capacity between subscriptions, each given with its count in flight. Those with the fewest in flight come
/// first, and none gets more than an equal share. Prefetching uses at most half of the global limit.
fn share(mut wanted: Vec<(usize, ClaimOrder)>, mut free: usize) -> Vec<ClaimOrder> {
    let mut prefetch = free.saturating_sub(limits::DELIVERIES_IN_FLIGHT_MAX / 2);
    wanted.sort_by_key(|(in_flight, order)| (*in_flight, order.count_max));
    let mut remaining = wanted.len();
    for (in_flight, order) in &mut wanted {
        let sendable = SENT_AT_ONCE.saturating_sub(*in_flight);
        let count = order.count_max.min(free.div_ceil(remaining)).min(sendable + prefetch);
        prefetch -= count.saturating_sub(sendable);
        free -= count;
        remaining -= 1;
        order.count_max = count;
    }
    wanted.into_iter().map(|(_, order)| order).filter(|order| order.count_max > 0).collect()
}

/// Returns the orders that fit into one transaction; the others are claimed by the next step.
pub(super) fn in_one_transaction(orders: Vec<ClaimOrder>) -> Vec<ClaimOrder> {
    let mut left = limits::DELIVERIES_CLAIMED_AT_ONCE;
    let cut = |order: ClaimOrder| {
        let count_max = order.count_max.min(left);
        left -= count_max;
        (count_max > 0).then_some(ClaimOrder { count_max, ..order })
    };
    orders.into_iter().filter_map(cut).collect()
}

/// Returns the prefetch limit for a receiver whose last response took this long: what it accepts in
/// [`limits::DELIVERIES_PREFETCHED_FOR`].
fn prefetch_max(duration_ms: i64) -> usize {
    let rounds = limits::DELIVERIES_PREFETCHED_FOR.as_millis() / u128::from(duration_ms.max(1).unsigned_abs());
    let max = usize::try_from(rounds).unwrap_or(usize::MAX).saturating_mul(SENT_AT_ONCE);
    max.min(limits::DELIVERIES_PREFETCHED_MAX)
}

#[cfg(test)]
mod tests;
