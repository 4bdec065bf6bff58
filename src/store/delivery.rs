//! What the dispatcher of webhooks takes from the store and gives back (decisions W3).

use uuid::Uuid;

use super::wakes::Queue;
use super::{Store, StoreError};
use crate::base::Timestamp;
use crate::model::{Attempt, Delivery, DeliveryState, PauseReason, WebhookSubscription};

/// A subscription for which something is due now.
#[derive(Clone, Debug)]
pub struct DueSubscription {
    pub subscription: WebhookSubscription,
    /// How many attempts have failed since the last that did not.
    pub failure_count: i64,
}

/// How many deliveries of a subscription to claim at the most.
#[derive(Clone, Copy, Debug)]
pub struct ClaimOrder {
    pub subscription_id: Uuid,
    pub count_max: usize,
}

/// The right to attempt the deliveries of one claim, until it ends. Others may claim them afterwards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lease {
    pub id: Uuid,
    pub until: Timestamp,
}

/// A delivery whose attempt is its claimer's until the lease ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaimedDelivery {
    pub delivery: Delivery,
    /// The bytes that are signed.
    pub body: String,
}

/// What became of a claimed delivery. Written only while its lease is still the one it was claimed with.
#[derive(Clone, Copy, Debug)]
pub struct Finished {
    pub delivery_id: Uuid,
    pub subscription_id: Uuid,
    pub card_id: Uuid,
    pub lease: Uuid,
    /// Absent where no attempt was made: the delivery is handed back.
    pub attempt: Option<Attempt>,
    pub verdict: Verdict,
}

/// What comes after a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The receiver accepted it.
    Delivered,
    /// Another attempt follows, not before `at`.
    Retry { at: Timestamp },
    /// The retry schedule is exhausted; only the operator can send it again.
    Exhausted,
}

/// A subscription that a batch of failures has paused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Paused {
    pub subscription_id: Uuid,
    pub reason: PauseReason,
}

impl Store {
    /// Lets a paused subscription be sent to again. Whatever it missed goes out in order: what was given up, and what
    /// waits for a later attempt, both with the whole schedule before them. How many were given up; `None`: there is no
    /// such subscription.
    pub async fn resume_subscription(
        &self,
        subscription_id: Uuid,
        now: Timestamp,
    ) -> Result<Option<usize>, StoreError> {
        // The subscription goes on last: until then nothing of it is claimed, and so nothing overtakes.
        let count = self.resend_all(subscription_id, DeliveryState::Failed, Uuid::nil(), now).await?;
        while self.hasten_some(subscription_id, now).await? > 0 {}
        let resumed = self.end_pause(subscription_id).await?;
        self.wake(Queue::Deliveries);
        Ok(resumed.then_some(count))
    }

    /// Sends everything again that happened at `since` or later and is finished, delivered or not; counts it. `None`:
    /// there is no such subscription.
    pub async fn replay_deliveries(
        &self,
        subscription_id: Uuid,
        since: Timestamp,
        now: Timestamp,
    ) -> Result<Option<usize>, StoreError> {
        if self.any_subscription(subscription_id).await?.is_none() {
            return Ok(None);
        }
        let from = id_before(since);
        let mut count = 0;
        for state in [DeliveryState::Failed, DeliveryState::Delivered] {
            count += self.resend_all(subscription_id, state, from, now).await?;
        }
        self.wake(Queue::Deliveries);
        Ok(Some(count))
    }

    /// Sends one delivery again, with the whole schedule before it, or makes its next attempt now. False: there is no
    /// such delivery, an attempt runs, or an earlier one of its card comes first.
    pub async fn resend(&self, delivery_id: Uuid, now: Timestamp) -> Result<bool, StoreError> {
        let resent = self.resend_delivery(delivery_id, now).await?;
        self.wake(Queue::Deliveries);
        Ok(resent)
    }

    async fn resend_all(
        &self,
        subscription_id: Uuid,
        state: DeliveryState,
        mut from: Uuid,
        now: Timestamp,
    ) -> Result<usize, StoreError> {
        // Not beyond what there is now: what is delivered meanwhile is not sent twice.
        let to = id_before(now.plus(chrono::Duration::milliseconds(1)));
        let mut count = 0;
        while let Some((last, some)) = self.resend_some(subscription_id, state, from, to, now).await? {
            from = last;
            count += some;
        }
        Ok(count)
    }

    /// Deletes the deliveries of what happened before `before`, and the unfinished ones of cancelled subscriptions.
    pub async fn sweep_deliveries(&self, before: Timestamp, now: Timestamp) -> Result<SweptDeliveries, StoreError> {
        let mut swept = SweptDeliveries::default();
        loop {
            let (deleted, undelivered) = self.sweep_some_deliveries(id_before(before), now).await?;
            if deleted == 0 {
                break;
            }
            swept.finished += deleted - undelivered;
            swept.undelivered += undelivered;
        }
        // Whatever they belonged to is gone: deliveries and events are of the same moments.
        while self.sweep_some_bodies(id_before(before)).await? > 0 {}
        let mut before = Uuid::nil();
        while let Some((subscription_id, exists)) = self.subscription_with_due(before).await? {
            if !exists {
                swept.cancelled += self.drop_unfinished(subscription_id).await?;
            }
            before = subscription_id;
        }
        Ok(swept)
    }

    async fn drop_unfinished(&self, subscription_id: Uuid) -> Result<usize, StoreError> {
        let mut dropped = 0;
        loop {
            match self.drop_some_unfinished(subscription_id).await? {
                0 => return Ok(dropped),
                some => dropped += some,
            }
        }
    }
}

/// What a sweep has deleted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SweptDeliveries {
    pub finished: usize,
    /// Held as long as events are held, and never delivered.
    pub undelivered: usize,
    /// Of subscriptions that were cancelled.
    pub cancelled: usize,
}

/// Sorts before the id of every delivery of what happened at `moment` or later, and after all others.
fn id_before(moment: Timestamp) -> Uuid {
    let ms = u128::try_from(moment.millis()).unwrap_or(0);
    Uuid::from_u128(ms << 80)
}
