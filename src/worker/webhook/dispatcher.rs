//! The walk of a delivery: claim, sign, send, finish.
//!
//! A step claims what is due, as far as there is room, and queues it; senders, a few for each subscription, work the queues
//! off side by side. Whatever happens to this process meanwhile, the lease of a claim ends, and somebody claims anew:
//! nothing is lost, and a receiver may see a notification twice.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::panic::AssertUnwindSafe;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use bytes::Bytes;
use futures_util::FutureExt as _;
use tokio_util::sync::CancellationToken;
use tracing::Instrument as _;
use url::Url;
use uuid::Uuid;

use super::finisher::Finisher;
use super::request;
use super::room::{Next, Place, Rooms, Sender, in_one_transaction};
use super::schedule;
use crate::base::{Timestamp, limits, trace};
use crate::model::{Attempt, AttemptOutcome, Delivery, SigningSecret};
use crate::operation::Services;
use crate::outbound::FetchError;
use crate::store::{ClaimedDelivery, Finished, Lease, StoreError, Verdict};
use crate::worker::Step;

/// Sends notifications; one for each process.
pub struct Dispatcher {
    services: Arc<Services>,
    rooms: Arc<Rooms<Claimed>>,
    finisher: Finisher,
    shutdown: CancellationToken,
    /// The partners of whom it was told that nothing can be signed for them.
    without_secret: Mutex<HashSet<Uuid>>,
}

/// Where deliveries of one subscription go, and what they are signed with.
struct Receiver {
    callback_url: Url,
    secrets: Arc<[SigningSecret]>,
}

/// A delivery that is ours until its lease ends.
struct Claimed {
    delivery: Delivery,
    body: Bytes,
    receiver: Arc<Receiver>,
    lease: Lease,
}

impl Dispatcher {
    pub fn new(services: Arc<Services>) -> Arc<Self> {
        let rooms = Arc::<Rooms<Claimed>>::default();
        let finisher = Finisher::start(services.store.clone(), services.clock.clone(), Arc::clone(&rooms));
        Arc::new(Self {
            services,
            rooms,
            finisher,
            shutdown: CancellationToken::new(),
            without_secret: Mutex::default(),
        })
    }

    /// One step of the worker: claims what is due, and sees that somebody sends it.
    pub async fn step(self: &Arc<Self>) -> Result<Step, StoreError> {
        let now = self.services.clock.now();
        let claimed = self.claim(now).await?;
        let step = if claimed.is_empty() { Step::Done } else { Step::More };
        let claimed = claimed.into_iter().map(|claimed| (claimed.delivery.subscription_id, claimed));
        for sender in self.rooms.enter(claimed, now) {
            tokio::spawn(Arc::clone(self).send_queued(sender));
        }
        Ok(step)
    }

    /// Works off what is queued of one subscription, one after the other.
    async fn send_queued(self: Arc<Self>, mut sender: Sender<Claimed>) {
        while let Some(next) = sender.next() {
            // The panic hook tells of a panic; the others are sent all the same.
            if AssertUnwindSafe(self.work_off(next)).catch_unwind().await.is_err() {
                sender.lost();
            }
        }
    }

    async fn work_off(&self, next: Next<Claimed>) {
        match next {
            Next::Send(claimed) => match self.place(&claimed).await {
                Some(place) => self.send(&claimed, place).await,
                None => {
                    self.rooms.was_too_far_ahead(claimed.delivery.subscription_id);
                    self.hand_back(&claimed);
                }
            },
            Next::HandBack(claimed) => self.hand_back(&claimed),
        }
    }

    /// Hands back what was not begun, and waits until `end` for what was.
    pub async fn stop(&self, end: tokio::time::Instant) {
        self.shutdown.cancel();
        if tokio::time::timeout_at(end, self.rooms.empty()).await.is_err() {
            tracing::warn!("notifications were still under way when the time for stopping was over; they go out again");
        }
    }

    /// Claims what is due of subscriptions that have room, and of partners with a secret to sign with: a notification is
    /// never sent unsigned, it waits until the operator has issued one.
    async fn claim(&self, now: Timestamp) -> Result<Vec<Claimed>, StoreError> {
        let due = self.services.store.subscriptions_due(now).await?;
        let mut orders = self.rooms.orders(&due, now);
        if orders.is_empty() {
            return Ok(Vec::new());
        }
        let mut receivers = HashMap::new();
        let mut secrets: HashMap<Uuid, Arc<[SigningSecret]>> = HashMap::new();
        for subscription in due.into_iter().map(|due| due.subscription) {
            if !orders.iter().any(|order| order.subscription_id == subscription.id) {
                continue;
            }
            let partner_id = subscription.partner_id;
            let secrets = match secrets.entry(partner_id) {
                Entry::Occupied(known) => Arc::clone(known.get()),
                Entry::Vacant(unknown) => {
                    let active = self.services.store.webhook_secrets(partner_id, now).await?;
                    self.tell_of_secret(partner_id, !active.is_empty());
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

    /// A place to send from. None, when what was claimed had better be claimed again: by another process, because this
    /// one stops, or later, because the lease is nearly over.
    async fn place(&self, claimed: &Claimed) -> Option<Place<'_>> {
        let place = tokio::select! {
            biased;
            () = self.shutdown.cancelled() => return None,
            place = self.rooms.place() => place,
        };
        let in_time = self.services.clock.now().after(limits::DELIVERY_SPAN) < claimed.lease.until;
        in_time.then_some(place)
    }

    /// Signs, sends and finishes.
    async fn send(&self, claimed: &Claimed, place: Place<'_>) {
        let now = self.services.clock.now();
        let request = request::signed(&claimed.delivery, claimed.body.clone(), &claimed.receiver.secrets, now);
        let (attempt, retry_after) = self.attempt(claimed, request, now).await;
        drop(place);
        self.rooms.tried(claimed.delivery.subscription_id, &attempt);
        self.finish(claimed, attempt, retry_after.as_deref());
    }

    /// Makes the attempt. Of the answer, its status and what it says about coming back are kept.
    async fn attempt(
        &self,
        claimed: &Claimed,
        request: request::Request,
        started_at: Timestamp,
    ) -> (Attempt, Option<String>) {
        let began = Instant::now();
        let span = trace::attempt(claimed.delivery.topic.as_str(), claimed.delivery.attempt_count + 1);
        let posted = self.services.outbound.post(&claimed.receiver.callback_url, request.headers, request.body);
        let posted = posted.instrument(span.clone()).await;
        trace::received(&span, posted.as_ref().ok().map(|receipt| receipt.status));
        let (outcome, retry_after) = match posted {
            Ok(receipt) => (AttemptOutcome::Answered(receipt.status), receipt.retry_after),
            Err(FetchError::TimeOut) => (AttemptOutcome::TimeOut, None),
            Err(FetchError::Refused) => (AttemptOutcome::Refused, None),
            Err(FetchError::Status(status)) => (AttemptOutcome::Answered(status), None),
            Err(FetchError::NoConnection | FetchError::TooLarge) => (AttemptOutcome::NoConnection, None),
        };
        let attempt = Attempt {
            delivery_id: claimed.delivery.id,
            number: claimed.delivery.attempt_count + 1,
            started_at,
            duration_ms: i64::try_from(began.elapsed().as_millis()).unwrap_or(i64::MAX),
            outcome,
        };
        (attempt, retry_after)
    }

    /// Writes what became of it: delivered, tried again later, or given up.
    fn finish(&self, claimed: &Claimed, attempt: Attempt, retry_after: Option<&str>) {
        let now = self.services.clock.now();
        let step = claimed.delivery.schedule_step;
        let verdict = schedule::verdict(
            attempt.outcome,
            step,
            retry_after,
            now,
            &self.services.policy.retry,
            &self.services.entropy,
        );
        let figures = &self.services.metrics;
        figures.attempt(attempt.outcome.as_counted());
        if verdict == Verdict::Delivered {
            let lag = now.millis().saturating_sub(claimed.delivery.created_at.millis());
            figures.delivered(Duration::from_millis(lag.try_into().unwrap_or_default()));
        }
        if verdict == Verdict::GivenUp {
            tracing::warn!(
                delivery_id = %claimed.delivery.id,
                subscription_id = %claimed.delivery.subscription_id,
                "a notification was given up after the last attempt of its schedule; the operator may send it again"
            );
        }
        self.write(claimed, Some(attempt), verdict);
    }

    fn hand_back(&self, claimed: &Claimed) {
        self.write(claimed, None, Verdict::Again { at: self.services.clock.now() });
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
        self.finisher.write(finished);
    }

    /// Says once of each partner that its notifications wait for a secret.
    fn tell_of_secret(&self, partner_id: Uuid, there: bool) {
        let mut told = self.without_secret.lock().unwrap_or_else(PoisonError::into_inner);
        if there {
            told.remove(&partner_id);
        } else if told.insert(partner_id) {
            tracing::warn!(%partner_id, "notifications wait: the partner is blocked, or has no active secret to sign them with");
        }
    }
}
