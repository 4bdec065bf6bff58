//! The webhook worker: sends signed notifications, at least once, in order for each address and card (decisions W2, W3).
//!
//! Started by `app`. This file reads in the order of the work:
//!
//! 1. [`Dispatcher::claim`] claims due deliveries under a lease, as many as [`InFlight`] allows, which counts the deliveries up to step 4;
//! 2. [`Dispatcher::send`] makes an attempt of each ([`webhook::send`] signs and posts it), by at most
//!    [`SENT_AT_ONCE`] tasks for each subscription;
//! 3. [`Dispatcher::finish`] decides what follows: delivered, another attempt ([`verdict`]), or failed;
//! 4. [`write_results`] writes the results in batches, and wakes the next claim.
//!
//! If this process dies, the leases expire and the deliveries are claimed again: nothing is lost, and a receiver may get a
//! notification twice. `sequence.rs` keeps the order when a subscription changes.

mod in_flight;
pub mod sequence;
#[cfg(test)]
mod tests;

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::panic::AssertUnwindSafe;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use chrono::{DateTime, NaiveDateTime};
use futures_util::FutureExt as _;
use tokio::sync::mpsc::{self, UnboundedReceiver, UnboundedSender};
use tokio::sync::{Semaphore, SemaphorePermit};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use url::Url;
use uuid::Uuid;

use self::in_flight::{InFlight, Next};
use super::{Step, Worker};
use crate::base::{Clock, Entropy, ErrorChain, RetrySchedule, Timestamp, limits};
use crate::model::{Attempt, AttemptOutcome, Delivery, KeyMode, NoAnswer, SigningSecret};
use crate::services::Services;
use crate::store::{ClaimedDelivery, Finished, Lease, Queue, Store, StoreError, Verdict};
use crate::webhook;

const SENT_AT_ONCE: usize = limits::DELIVERIES_SENT_AT_ONCE_PER_SUBSCRIPTION;

/// The running webhook worker.
pub struct Webhooks {
    workers: [Worker; 3],
    dispatcher: Arc<Dispatcher>,
}

impl Webhooks {
    /// Starts the worker.
    pub fn start(services: &Arc<Services>) -> Self {
        let dispatcher = Dispatcher::new(Arc::clone(services));
        let stepping = Arc::clone(&dispatcher);
        let wake = services.store.signals().deliveries.clone();
        let worker = Worker::start("webhooks", services.metrics.worker_log(), wake, limits::WORKER_POLL, move || {
            let dispatcher = Arc::clone(&stepping);
            async move { dispatcher.step().await }
        });
        Self { workers: [worker, sequence::start(services), sequence::start_recovery(services)], dispatcher }
    }

    /// Stops claiming, releases the deliveries that were not started, and waits for the others until `end`.
    pub async fn stop(self, end: Instant) {
        futures_util::future::join_all(self.workers.map(|worker| worker.stop(end))).await;
        self.dispatcher.shutdown.cancel();
        if tokio::time::timeout_at(end, self.dispatcher.wait_until_idle()).await.is_err() {
            tracing::warn!(
                "the shutdown ended while notifications were being sent; these notifications will be sent again"
            );
        }
    }
}

/// Sends the notifications of this replica.
pub struct Dispatcher {
    services: Arc<Services>,
    in_flight: Arc<InFlight>,
    /// One permit for each request.
    permits: Semaphore,
    /// Unbounded, because the number of deliveries in flight is bounded.
    results: UnboundedSender<Finished>,
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
        let in_flight = Arc::<InFlight>::default();
        let (results, receive) = mpsc::unbounded_channel();
        tokio::spawn(write_results(services.store.clone(), services.clock.clone(), Arc::clone(&in_flight), receive));
        let permits = Semaphore::new(limits::DELIVERIES_SENT_AT_ONCE);
        let (shutdown, without_secret) = (CancellationToken::new(), Mutex::default());
        Arc::new(Self { services, in_flight, permits, results, shutdown, without_secret })
    }

    /// Claims due deliveries and starts tasks that send them.
    pub async fn step(self: &Arc<Self>) -> Result<Step, StoreError> {
        let now = self.services.clock.now();
        let claimed = self.claim(now).await?;
        let step = if claimed.is_empty() { Step::Done } else { Step::More };
        for subscription_id in self.in_flight.enqueue(claimed, now) {
            tokio::spawn(Arc::clone(self).send_pending(subscription_id));
        }
        Ok(step)
    }

    /// Waits until the result of every claimed delivery is written.
    pub async fn wait_until_idle(&self) {
        self.in_flight.wait_until_empty().await;
    }

    /// Claims due deliveries within the limits. Deliveries of a partner without an active secret are not claimed: they stay
    /// pending until the operator issues one.
    async fn claim(&self, now: Timestamp) -> Result<Vec<Claimed>, StoreError> {
        let due = self.services.store.subscriptions_due(now).await?;
        let mut requests = self.in_flight.claim_requests(&due, now);
        if requests.is_empty() {
            return Ok(Vec::new());
        }
        let mut receivers = HashMap::new();
        let mut secrets: HashMap<(Uuid, KeyMode), Arc<[SigningSecret]>> = HashMap::new();
        for subscription in due {
            if !requests.iter().any(|request| request.subscription_id == subscription.id) {
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
        requests.retain(|request| receivers.contains_key(&request.subscription_id));
        if requests.is_empty() {
            return Ok(Vec::new());
        }
        let lease = Lease { id: self.services.entropy.uuid(now), until: now.after(limits::DELIVERY_LEASE) };
        let claimed = self.services.store.claim_deliveries(requests, now, lease).await?;
        let claimed = claimed.into_iter().map(|ClaimedDelivery { delivery, body }| {
            let receiver = Arc::clone(&receivers[&delivery.subscription_id]);
            Claimed { delivery, body: body.into(), receiver, lease }
        });
        Ok(claimed.collect())
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

    /// Sends the pending deliveries of one subscription, one after the other.
    async fn send_pending(self: Arc<Self>, subscription_id: Uuid) {
        while let Some(next) = self.in_flight.next(subscription_id) {
            let sent = async {
                match next {
                    Next::Send(claimed) => self.send(claimed).await,
                    Next::Release(claimed) => self.release(&claimed),
                }
            };
            // The panic hook logs a panic. The lease of the delivery expires, and it is sent again.
            if AssertUnwindSafe(sent).catch_unwind().await.is_err() {
                self.in_flight.finish([subscription_id]);
            }
        }
    }

    /// Makes an attempt of a delivery, and queues the result. Releases the delivery if there is no time left for an attempt.
    async fn send(&self, claimed: Claimed) {
        let Some(permit) = self.acquire(claimed.lease).await else { return self.release(&claimed) };
        let Claimed { delivery, body, receiver, .. } = &claimed;
        let Services { outbound, clock, .. } = &*self.services;
        let (to, secrets) = (&receiver.callback_url, &receiver.secrets);
        let (attempt, retry_after) = webhook::send(outbound, clock, delivery, body.clone(), to, secrets).await;
        drop(permit);
        self.in_flight.record_attempt(delivery.subscription_id, attempt.outcome);
        self.finish(&claimed, attempt, retry_after.as_deref());
    }

    /// Waits for a permit to send. `None`: the server shuts down, or the rest of the lease is too short for an attempt.
    async fn acquire(&self, lease: Lease) -> Option<SemaphorePermit<'_>> {
        let permit = tokio::select! {
            biased;
            () = self.shutdown.cancelled() => return None,
            permit = self.permits.acquire() => permit.expect("the semaphore is never closed"),
        };
        (self.services.clock.now().after(limits::DELIVERY_SPAN) < lease.until).then_some(permit)
    }

    /// Decides what follows an attempt: delivered, another attempt, or failed.
    fn finish(&self, claimed: &Claimed, attempt: Attempt, retry_after: Option<&str>) {
        let Services { clock, metrics, policy, entropy, .. } = &*self.services;
        let (now, delivery) = (clock.now(), &claimed.delivery);
        let verdict = verdict(attempt.outcome, delivery.schedule_step, retry_after, now, &policy.retry, entropy);
        metrics.attempt(attempt.outcome.as_counted());
        if !attempt.outcome.is_success() {
            tracing::info!(
                delivery_id = %delivery.id,
                subscription_id = %delivery.subscription_id,
                attempt = attempt.number,
                status = attempt.outcome.status(),
                outcome = attempt.outcome.as_counted(),
                cause = attempt.cause.map(NoAnswer::as_str),
                "an attempt to send a notification failed"
            );
        }
        match verdict {
            Verdict::Delivered => {
                let lag_ms = now.millis().saturating_sub(delivery.created_at.millis());
                metrics.count_delivery(Duration::from_millis(lag_ms.try_into().unwrap_or_default()));
            }
            Verdict::Retry { .. } => {}
            Verdict::Exhausted => tracing::warn!(
                delivery_id = %delivery.id,
                subscription_id = %delivery.subscription_id,
                "the last attempt of a notification failed; send it again with `card-service webhook send-again`"
            ),
        }
        self.queue_result(claimed, Some((attempt, verdict)));
    }

    /// Gives a delivery back without an attempt.
    fn release(&self, claimed: &Claimed) {
        self.queue_result(claimed, None);
    }

    fn queue_result(&self, claimed: &Claimed, attempt: Option<(Attempt, Verdict)>) {
        let Delivery { id: delivery_id, subscription_id, card_id, .. } = claimed.delivery;
        let lease = claimed.lease.id;
        let finished = Finished { delivery_id, subscription_id, card_id, lease, attempt };
        let _ = self.results.send(finished); // an error: the task panicked, and the panic hook has logged it
    }
}

/// Returns what follows an attempt that ended at `now` and was number `step` of its schedule, from 0 (RFC 9110, section 10.2.3).
fn verdict(
    outcome: AttemptOutcome,
    step: i64,
    retry_after: Option<&str>,
    now: Timestamp,
    schedule: &RetrySchedule,
    entropy: &Entropy,
) -> Verdict {
    if outcome.is_success() {
        return Verdict::Delivered;
    }
    if outcome.is_gone() {
        // The subscription is paused with this attempt; the delivery is due when the operator resumes it.
        return Verdict::Retry { at: now };
    }
    let next = usize::try_from(step).unwrap_or(usize::MAX).saturating_add(1);
    let Some(delay) = schedule.delays.get(next) else { return Verdict::Exhausted };
    // `Retry-After` can lengthen a delay, not shorten it: short delays would use up the attempts too soon.
    let requested = retry_after.and_then(|text| parse_retry_after(text, now)).unwrap_or_default();
    let delay = add_jitter(*delay, schedule.jitter, entropy).max(requested.min(limits::RETRY_AFTER_MAX));
    Verdict::Retry { at: now.after(delay) }
}

/// Adds jitter, so that deliveries that failed together are not retried together.
fn add_jitter(delay: Duration, jitter: f64, entropy: &Entropy) -> Duration {
    let random = u32::from_be_bytes(entropy.bytes());
    let share = 2.0 * f64::from(random) / f64::from(u32::MAX) - 1.0;
    delay.mul_f64(1.0 + jitter * share)
}

/// Parses a `Retry-After` header: a date, or a number of seconds, of which curl drops what follows the digits.
fn parse_retry_after(text: &str, now: Timestamp) -> Option<Duration> {
    let text = text.trim();
    if let Some(date_ms) = parse_http_date(text) {
        return u64::try_from(date_ms.saturating_sub(now.millis())).ok().map(Duration::from_millis);
    }
    let digits = text.find(|c: char| !c.is_ascii_digit()).map_or(text, |end| &text[..end]);
    // A number that is too large still exceeds our limit.
    (!digits.is_empty()).then(|| Duration::from_secs(digits.parse().unwrap_or(u64::MAX)))
}

/// Parses a date in each form of RFC 9110, section 5.6.7, or with another time zone, into milliseconds since 1970.
fn parse_http_date(text: &str) -> Option<i64> {
    if let Ok(date) = DateTime::parse_from_rfc2822(text) {
        return Some(date.timestamp_millis());
    }
    let read = |format| NaiveDateTime::parse_from_str(text, format).ok();
    // RFC 850 and asctime.
    let date = read("%A, %d-%b-%y %H:%M:%S GMT").or_else(|| read("%a %b %e %H:%M:%S %Y"))?;
    Some(date.and_utc().timestamp_millis())
}

/// Writes results until the dispatcher is dropped. Results that arrive while a batch is written form the next one.
async fn write_results(store: Store, clock: Clock, in_flight: Arc<InFlight>, mut receive: UnboundedReceiver<Finished>) {
    let mut batch: Vec<Finished> = Vec::new();
    while receive.recv_many(&mut batch, limits::DELIVERIES_FINISHED_AT_ONCE).await > 0 {
        match store.finish_deliveries(batch.clone(), clock.now()).await {
            Ok(paused) => {
                for paused in &paused {
                    let (subscription_id, reason) = (paused.subscription_id, paused.reason.as_str());
                    tracing::warn!(%subscription_id, reason, "a subscription was paused; resume it with `card-service webhook resume`");
                    in_flight.pause(subscription_id);
                }
                if !paused.is_empty() {
                    store.notify(Queue::DeliverySequence);
                }
            }
            // The leases expire.
            Err(error) => tracing::warn!(
                error = %ErrorChain(&error),
                count = batch.len(),
                "delivery results could not be saved; these notifications will be sent again"
            ),
        }
        in_flight.finish(batch.drain(..).map(|finished| finished.subscription_id));
        // There is capacity again, and the next deliveries of these cards are due.
        store.signals().deliveries.notify_one();
    }
}
