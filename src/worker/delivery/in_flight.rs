//! How many deliveries this replica claims and sends at once.

use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;
use uuid::Uuid;

use super::{Claimed, SENT_AT_ONCE};
use crate::base::{Timestamp, limits};
use crate::model::{AttemptOutcome, WebhookSubscription};
use crate::store::ClaimRequest;

pub(super) const CLAIMED_MAX: usize = limits::DELIVERIES_IN_FLIGHT_PER_SUBSCRIPTION_MAX;

/// The deliveries that are claimed and not finished, within limits, so that a slow or dead receiver cannot starve the others:
///
/// - At most [`limits::DELIVERIES_IN_FLIGHT_MAX`] deliveries are claimed at a time, over all subscriptions, and at most [`CLAIMED_MAX`]
///   of one, which is refilled when half of them are finished.
/// - At most [`SENT_AT_ONCE`] requests of a subscription run concurrently.
/// - After [`limits::SUBSCRIPTION_FAILURES_IN_A_ROW`] failures a subscription gets one attempt at a time, with a pause between
///   attempts.
pub(super) struct InFlight {
    queues: Mutex<HashMap<Uuid, SubscriptionQueue>>,
    count: watch::Sender<usize>,
}

/// The claimed deliveries of one subscription.
#[derive(Default)]
pub(super) struct SubscriptionQueue {
    /// The number of claimed deliveries that are not finished, including deliveries being sent.
    pub(super) in_flight: usize,
    /// Claimed and not started.
    pending: VecDeque<Claimed>,
    /// Running tasks that send, at most [`SENT_AT_ONCE`].
    senders: usize,
    /// Failed attempts since the last success.
    failures: usize,
    attempted_at: Option<Timestamp>,
    /// Paused since the last claim.
    paused: bool,
}

/// The next pending delivery: to send, or to release.
pub(super) enum Next {
    Send(Claimed),
    /// The subscription failed or was paused after the claim: the delivery has to be claimed again later.
    Release(Claimed),
}

impl Default for InFlight {
    fn default() -> Self {
        Self { queues: Mutex::default(), count: watch::Sender::new(0) }
    }
}

impl InFlight {
    /// Returns how many deliveries to claim of each subscription.
    pub(super) fn claim_requests(&self, due: &[WebhookSubscription], now: Timestamp) -> Vec<ClaimRequest> {
        let mut queues = self.lock();
        let mut wanted: Vec<(usize, ClaimRequest)> = Vec::new();
        for subscription in due {
            let queue = queues.entry(subscription.id).or_default();
            if queue.in_flight == 0 {
                // All our results are written, so the row holds the state that every replica sees.
                queue.failures = usize::try_from(subscription.health.failure_count).unwrap_or(usize::MAX);
                queue.paused = false;
            }
            let count_max = queue.capacity(now);
            if count_max > 0 {
                wanted.push((queue.in_flight, ClaimRequest { subscription_id: subscription.id, count_max }));
            }
        }
        let is_due = |id: Uuid| due.iter().any(|due| due.id == id);
        queues.retain(|id, queue| queue.in_flight > 0 || queue.senders > 0 || is_due(*id));
        share(wanted, limits::DELIVERIES_IN_FLIGHT_MAX.saturating_sub(self.count()))
    }

    /// Queues claimed deliveries by subscription. Returns the subscription of each task to start, in addition to the tasks that run.
    pub(super) fn enqueue(&self, claimed: Vec<Claimed>, now: Timestamp) -> Vec<Uuid> {
        let mut queues = self.lock();
        let (mut senders, added) = (Vec::new(), claimed.len());
        for claimed in claimed {
            let subscription_id = claimed.delivery.subscription_id;
            let queue = queues.entry(subscription_id).or_default();
            queue.in_flight += 1;
            queue.attempted_at = Some(now);
            queue.pending.push_back(claimed);
            if queue.senders < SENT_AT_ONCE {
                queue.senders += 1;
                senders.push(subscription_id);
            }
        }
        // Under the lock: a running task may otherwise finish a delivery before it is counted.
        self.count.send_modify(|count| *count += added);
        senders
    }

    /// Returns the next pending delivery of a subscription. `None`: there is none, and the calling task ends.
    pub(super) fn next(&self, subscription_id: Uuid) -> Option<Next> {
        let mut queues = self.lock();
        let queue = queues.get_mut(&subscription_id)?;
        match queue.pending.pop_front() {
            Some(claimed) if queue.must_release() => Some(Next::Release(claimed)),
            Some(claimed) => Some(Next::Send(claimed)),
            // Under the same lock as the check, so that `enqueue` starts another task.
            None => {
                queue.senders -= 1;
                None
            }
        }
    }

    /// Adjusts the failure count after an attempt.
    pub(super) fn record_attempt(&self, subscription_id: Uuid, outcome: AttemptOutcome) {
        if let Some(queue) = self.lock().get_mut(&subscription_id) {
            queue.failures = if outcome.is_success() { 0 } else { queue.failures.saturating_add(1) };
        }
    }

    /// Records that a subscription was paused.
    pub(super) fn pause(&self, subscription_id: Uuid) {
        if let Some(queue) = self.lock().get_mut(&subscription_id) {
            queue.paused = true;
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

    pub(super) fn lock(&self) -> MutexGuard<'_, HashMap<Uuid, SubscriptionQueue>> {
        self.queues.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl SubscriptionQueue {
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
        let capacity = CLAIMED_MAX.saturating_sub(self.in_flight);
        if capacity < CLAIMED_MAX / 2 { 0 } else { capacity }
    }
}

/// Shares the free capacity between subscriptions, each given with its count in flight. Those with the fewest in flight come
/// first, and none gets more than an equal share.
pub(super) fn share(mut wanted: Vec<(usize, ClaimRequest)>, mut free: usize) -> Vec<ClaimRequest> {
    wanted.sort_by_key(|(in_flight, request)| (*in_flight, request.count_max));
    let mut remaining = wanted.len();
    for (_, request) in &mut wanted {
        request.count_max = request.count_max.min(free.div_ceil(remaining));
        free -= request.count_max;
        remaining -= 1;
    }
    wanted.into_iter().map(|(_, request)| request).filter(|request| request.count_max > 0).collect()
}
