//! Delivers notifications: claim, sign, send, finish.
//!
//! A step claims due deliveries within the limits of `in_flight` and queues them; a few workers for each subscription send
//! them concurrently. If this process dies, the leases expire and the deliveries are claimed again: nothing is lost, and a
//! receiver may get a notification twice.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::panic::AssertUnwindSafe;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use futures_util::FutureExt as _;
use tokio_util::sync::CancellationToken;
use url::Url;
use uuid::Uuid;

use super::in_flight::{InFlight, Next, Permit, SubscriptionWorker, in_one_transaction};
use super::results::ResultWriter;
use super::retry;
use crate::base::{Timestamp, limits};
use crate::model::{Attempt, Delivery, KeyMode, SigningSecret};
use crate::services::Services;
use crate::store::{ClaimedDelivery, Finished, Lease, StoreError, Verdict};
use crate::webhook;
use crate::worker::Step;

/// Sends the notifications of this replica.
pub struct Dispatcher {
    services: Arc<Services>,
    in_flight: Arc<InFlight<Claimed>>,
    results: ResultWriter,
    shutdown: CancellationToken,
    /// Partners without an active secret that were logged, by the mode of their subscriptions.
    without_secret: Mutex<HashSet<(Uuid, KeyMode)>>,
}

/// The address of a subscription and the secrets to sign with.
struct Receiver {
    callback_url: Url,
    secrets: Arc<[SigningSecret]>,
}

/// A delivery that this replica may send until its lease expires.
struct Claimed {
    delivery: Delivery,
    body: Bytes,
    receiver: Arc<Receiver>,
    lease: Lease,
}

impl Dispatcher {
    pub fn new(services: Arc<Services>) -> Arc<Self> {
        let in_flight = Arc::<InFlight<Claimed>>::default();
        let results = ResultWriter::start(services.store.clone(), services.clock.clone(), Arc::clone(&in_flight));
        let shutdown = CancellationToken::new();
        Arc::new(Self { services, in_flight, results, shutdown, without_secret: Mutex::default() })
    }

    /// Claims due deliveries and starts workers that send them.
    pub async fn step(self: &Arc<Self>) -> Result<Step, StoreError> {
        let now = self.services.clock.now();
        let claimed = self.claim(now).await?;
        let step = if claimed.is_empty() { Step::Done } else { Step::More };
        let claimed = claimed.into_iter().map(|claimed| (claimed.delivery.subscription_id, claimed));
        for worker in self.in_flight.enqueue(claimed, now) {
            tokio::spawn(Arc::clone(self).send_pending(worker));
        }
        Ok(step)
    }

    /// Waits until the result of every claimed delivery is written.
    pub async fn wait_until_idle(&self) {
        self.in_flight.wait_until_empty().await;
    }

    /// Sends the pending deliveries of one subscription, one after the other.
    async fn send_pending(self: Arc<Self>, mut worker: SubscriptionWorker<Claimed>) {
        while let Some(next) = worker.next() {
            // The panic hook logs a panic; it does not affect the other deliveries.
            if AssertUnwindSafe(self.send_or_release(next)).catch_unwind().await.is_err() {
                worker.abandon();
            }
        }
    }

    async fn send_or_release(&self, next: Next<Claimed>) {
        match next {
            Next::Send(claimed) => match self.acquire(&claimed).await {
                Some(permit) => self.send(&claimed, permit).await,
                None => {
                    self.in_flight.reset_prefetch(claimed.delivery.subscription_id);
                    self.release(&claimed);
                }
            },
            Next::Release(claimed) => self.release(&claimed),
        }
    }

    /// Releases the deliveries that were not started, and waits until `end` for the others.
    pub async fn stop(&self, end: tokio::time::Instant) {
        self.shutdown.cancel();
        if tokio::time::timeout_at(end, self.in_flight.wait_until_empty()).await.is_err() {
            tracing::warn!(
                "notifications were still being sent when the time for the shutdown was over; they are sent again"
            );
        }
    }

    /// Claims due deliveries within the limits. Deliveries of a partner without an active secret are not claimed: they stay
    /// pending until the operator issues one.
    async fn claim(&self, now: Timestamp) -> Result<Vec<Claimed>, StoreError> {
        let due = self.services.store.subscriptions_due(now).await?;
        let mut orders = self.in_flight.claim_orders(&due, now);
        if orders.is_empty() {
            return Ok(Vec::new());
        }
        let mut receivers = HashMap::new();
        let mut secrets: HashMap<(Uuid, KeyMode), Arc<[SigningSecret]>> = HashMap::new();
        for subscription in due.into_iter().map(|due| due.subscription) {
            if !orders.iter().any(|order| order.subscription_id == subscription.id) {
                continue;
            }
            let (partner_id, mode) = (subscription.partner_id, subscription.mode());
            let secrets = match secrets.entry((partner_id, mode)) {
                Entry::Occupied(known) => Arc::clone(known.get()),
                Entry::Vacant(unknown) => {
                    let active = self.services.store.active_webhook_secrets(partner_id, mode, now).await?;
                    self.log_missing_secret(partner_id, mode, !active.is_empty());
                    Arc::clone(unknown.insert(active.into()))
                }
            };
            if !secrets.is_empty() {
                let callback_url = subscription.callback_url.url();
                receivers.insert(subscription.id, Arc::new(Receiver { callback_url, secrets }));
            }
        }
        orders.retain(|order| receivers.contains_key(&order.subscription_id));
        if orders.is_empty() {
            return Ok(Vec::new());
        }
        let lease = Lease { id: self.services.entropy.uuid(now), until: now.after(limits::DELIVERY_LEASE) };
        let claimed = self.services.store.claim_deliveries(in_one_transaction(orders), now, lease).await?;
        let claimed = claimed.into_iter().map(|ClaimedDelivery { delivery, body }| {
            let receiver = Arc::clone(&receivers[&delivery.subscription_id]);
            Claimed { delivery, body: body.into(), receiver, lease }
        });
        Ok(claimed.collect())
    }

    /// Waits for a permit to send. `None`: the delivery has to be released, because the server shuts down or the rest of the
    /// lease is too short for an attempt.
    async fn acquire(&self, claimed: &Claimed) -> Option<Permit<'_>> {
        let permit = tokio::select! {
            biased;
            () = self.shutdown.cancelled() => return None,
            permit = self.in_flight.acquire() => permit,
        };
        let in_time = self.services.clock.now().after(limits::DELIVERY_SPAN) < claimed.lease.until;
        in_time.then_some(permit)
    }

    /// Signs and sends a delivery, and records the result.
    async fn send(&self, claimed: &Claimed, permit: Permit<'_>) {
        let Receiver { callback_url, secrets } = &*claimed.receiver;
        let (outbound, clock) = (&self.services.outbound, &self.services.clock);
        let (delivery, body) = (&claimed.delivery, claimed.body.clone());
        let (attempt, retry_after) = webhook::attempt(outbound, clock, delivery, body, callback_url, secrets).await;
        drop(permit);
        self.in_flight.record_attempt(claimed.delivery.subscription_id, &attempt);
        self.finish(claimed, attempt, retry_after.as_deref());
    }

    /// Records the result: delivered, to be retried, or exhausted.
    fn finish(&self, claimed: &Claimed, attempt: Attempt, retry_after: Option<&str>) {
        let now = self.services.clock.now();
        let step = claimed.delivery.schedule_step;
        let verdict = retry::verdict(
            attempt.outcome,
            step,
            retry_after,
            now,
            &self.services.policy.retry,
            &self.services.entropy,
        );
        let metrics = &self.services.metrics;
        metrics.attempt(attempt.outcome.as_counted());
        if verdict == Verdict::Delivered {
            let lag = now.millis().saturating_sub(claimed.delivery.created_at.millis());
            metrics.delivered(Duration::from_millis(lag.try_into().unwrap_or_default()));
        }
        if verdict == Verdict::Exhausted {
            tracing::warn!(
                delivery_id = %claimed.delivery.id,
                subscription_id = %claimed.delivery.subscription_id,
                "a notification was given up after the last attempt of its schedule; the operator may send it again"
            );
        }
        self.write(claimed, Some(attempt), verdict);
    }

    fn release(&self, claimed: &Claimed) {
        self.write(claimed, None, Verdict::Retry { at: self.services.clock.now() });
    }

    fn write(&self, claimed: &Claimed, attempt: Option<Attempt>, verdict: Verdict) {
        let delivery = &claimed.delivery;
        let finished = Finished {
            delivery_id: delivery.id,
            subscription_id: delivery.subscription_id,
            card_id: delivery.card_id,
            lease: claimed.lease.id,
            attempt,
            verdict,
        };
        self.results.write(finished);
    }

    /// Logs once for each partner and mode that its notifications wait for a secret.
    fn log_missing_secret(&self, partner_id: Uuid, mode: KeyMode, has_secret: bool) {
        let mut logged = self.without_secret.lock().unwrap_or_else(PoisonError::into_inner);
        if has_secret {
            logged.remove(&(partner_id, mode));
        } else if logged.insert((partner_id, mode)) {
            tracing::warn!(%partner_id, mode = mode.as_str(), "notifications wait: the partner is blocked, or has no active secret to sign them with");
        }
    }
}
