//! Deliveries: claimed by the dispatcher, finished, sent again and deleted (decisions W3).

pub(super) mod row;

use uuid::Uuid;

use super::audit::{always, if_any, if_true};
use super::database::{Unit, query};
use super::{Queue, Result, Store};
use crate::base::{Count, Progress, Step, Timestamp, limits};
use crate::model::{
    Attempt, Delivery, DeliveryState, Page, PageRequest, PauseReason, Scope, Topic, WebhookDelivery,
    WebhookSubscription,
};

/// Selects deliveries for their partner.
#[derive(Clone, Debug, Default)]
pub struct DeliveryFilter {
    /// The subscription; `None` for all.
    pub subscription_id: Option<Uuid>,
    /// The topics of the subscriptions; all if empty.
    pub topics: Vec<Topic>,
    /// In these states; in all if it is empty.
    pub states: Vec<DeliveryState>,
    /// Only events at this time or later.
    pub since: Option<Timestamp>,
}

/// The maximum number of deliveries to claim for a subscription.
#[derive(Clone, Copy, Debug)]
pub struct ClaimRequest {
    pub subscription_id: Uuid,
    pub count_max: usize,
}

/// The exclusive right to attempt the deliveries of one claim, until it expires.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lease {
    pub id: Uuid,
    pub until: Timestamp,
}

/// A delivery that is leased to its claimer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaimedDelivery {
    pub delivery: Delivery,
    /// The body as it is sent and signed.
    pub body: String,
}

/// The result of a claimed delivery. Ignored if the delivery has another lease by then.
#[derive(Clone, Copy, Debug)]
pub struct Finished {
    pub delivery_id: Uuid,
    pub subscription_id: Uuid,
    pub card_id: Uuid,
    pub lease: Uuid,
    /// `None`: no attempt was made, and the delivery is handed back.
    pub attempt: Option<(Attempt, Verdict)>,
}

/// The state of a delivery after an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The receiver accepted the delivery.
    Delivered,
    /// Another attempt, not before `at`.
    Retry { at: Timestamp },
    /// The retry schedule is exhausted: no attempt unless the operator sends it again.
    Exhausted,
}

/// A subscription that a batch of failures has paused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Paused {
    pub subscription_id: Uuid,
    pub reason: PauseReason,
}

/// The state of the outbox.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outbox {
    /// Deliveries that are neither delivered nor failed.
    pub unfinished: i64,
    /// The earliest due time, without paused subscriptions. May be in the future.
    pub due_since: Option<Timestamp>,
}

/// How many deliveries were deleted because they were too old.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DeletedDeliveries {
    pub finished: usize,
    /// Never delivered within the time that events are kept.
    pub undelivered: usize,
}

impl Store {
    /// Returns the subscriptions that are not paused and have a due delivery that is not leased.
    pub async fn subscriptions_due(&self, now: Timestamp) -> Result<Vec<WebhookSubscription>> {
        query!(self.read(), subscriptions_due(now))
    }

    /// Claims due deliveries of each subscription, earliest first, at most [`limits::DELIVERIES_CLAIMED_AT_ONCE`] in all. Skips
    /// deliveries that another replica has leased, or is claiming.
    pub async fn claim_deliveries(
        &self,
        requests: Vec<ClaimRequest>,
        now: Timestamp,
        lease: Lease,
    ) -> Result<Vec<ClaimedDelivery>> {
        query!(
            self.write(Unit::Transaction, |claimed: &Vec<_>| !claimed.is_empty()),
            claim_deliveries(requests, now, lease)
        )
    }

    /// Writes the results of claimed deliveries, in their order. Returns the subscriptions that were paused.
    pub async fn finish_deliveries(&self, batch: Vec<Finished>, now: Timestamp) -> Result<Vec<Paused>> {
        query!(self.write(Unit::Transaction, always), finish_deliveries(batch, now))
    }

    /// Returns the delivery with this id if its subscription exists and is within the scope.
    pub async fn webhook_delivery(&self, scope: Scope, id: Uuid) -> Result<Option<WebhookDelivery>> {
        query!(self.read(), webhook_delivery(scope, id))
    }

    /// Returns a page of the selected deliveries within the scope, newest event first. The page key is the id.
    pub async fn webhook_deliveries_page(
        &self,
        scope: Scope,
        filter: &DeliveryFilter,
        request: &PageRequest<Uuid>,
    ) -> Result<Page<WebhookDelivery>> {
        query!(self.read(), webhook_deliveries_page(scope, filter, request))
    }

    /// Returns the delivery with this id.
    pub async fn delivery(&self, id: Uuid) -> Result<Option<Delivery>> {
        query!(self.read(), delivery(id))
    }

    /// Returns the deliveries with these ids, in the order of their events.
    pub async fn deliveries_among(&self, ids: Vec<Uuid>) -> Result<Vec<Delivery>> {
        query!(self.read(), deliveries_among(ids))
    }

    /// Returns the body of the delivery with this id; `None` if its card was deleted.
    pub async fn body_of(&self, id: Uuid) -> Result<Option<String>> {
        query!(self.read(), body_of(id))
    }

    /// Returns the attempts of a delivery, oldest first.
    pub async fn attempts_of(&self, delivery_id: Uuid) -> Result<Vec<Attempt>> {
        query!(self.read(), attempts_of(delivery_id))
    }

    /// Returns the deliveries of a subscription in this state, newest first.
    pub async fn deliveries_in_state(
        &self,
        subscription_id: Uuid,
        state: DeliveryState,
        count_max: usize,
    ) -> Result<Vec<Delivery>> {
        query!(self.read(), deliveries_in_state(subscription_id, state, count_max))
    }

    /// Counts the deliveries of a subscription in this state.
    pub async fn delivery_count(&self, subscription_id: Uuid, state: DeliveryState) -> Result<i64> {
        query!(self.read(), delivery_count(subscription_id, state))
    }

    /// Returns the state of the outbox.
    pub async fn outbox(&self) -> Result<Outbox> {
        query!(self.read(), outbox())
    }

    async fn start_recovery(&self, scope: Scope, after: Uuid) -> Result<i64> {
        query!(self.write(Unit::Transaction, |count| *count > 0), start_recovery(scope, after))
    }

    /// Returns the subscriptions whose failed deliveries are being sent again.
    pub async fn recovering(&self) -> Result<Vec<Uuid>> {
        query!(self.read(), recovering())
    }

    /// Sends up to `count_max` failed deliveries of a recovering subscription again, oldest first. Returns false when there
    /// are no more: the recovery has ended.
    pub async fn recover_batch(&self, subscription_id: Uuid, count_max: usize, now: Timestamp) -> Result<bool> {
        query!(self.write(Unit::Transaction, always), recover_batch(subscription_id, count_max, now))
    }

    async fn resend_delivery(&self, id: Uuid, now: Timestamp) -> Result<bool> {
        query!(self.write(Unit::Transaction, if_true), resend_delivery(id, now))
    }

    async fn resend_batch(
        &self,
        subscription_id: Uuid,
        state: DeliveryState,
        range: (Uuid, Uuid),
        count_max: i64,
        now: Timestamp,
    ) -> Result<Option<(Uuid, usize)>> {
        query!(
            self.write(Unit::Transaction, Option::is_some),
            resend_batch(subscription_id, state, range, count_max, now)
        )
    }

    /// Pauses a subscription for the operator; one that is paused stays as it is. Returns false if it does not exist.
    pub async fn pause_subscription(&self, subscription_id: Uuid, now: Timestamp) -> Result<bool> {
        query!(self.write(Unit::Transaction, if_true), pause_subscription(subscription_id, now))
    }

    async fn end_pause(&self, subscription_id: Uuid, now: Timestamp) -> Result<bool> {
        query!(self.write(Unit::Transaction, if_true), end_pause(subscription_id, now))
    }

    async fn delete_delivery_batch(&self, last: Uuid, now: Timestamp) -> Result<(usize, usize)> {
        query!(self.write(Unit::Transaction, |(count, _)| *count > 0), delete_delivery_batch(last, now))
    }

    async fn delete_body_batch(&self, last: Uuid) -> Result<usize> {
        query!(self.write(Unit::Statement, if_any), delete_body_batch(last))
    }

    /// Returns the next subscription id after `before` with unfinished deliveries, and the subscription if it exists.
    pub async fn next_unfinished(&self, before: Uuid) -> Result<Option<(Uuid, Option<WebhookSubscription>)>> {
        query!(self.read(), next_unfinished(before))
    }

    /// Returns the cards with a misplaced delivery in a page of cards, and the last card of the page if there are more. The page
    /// is of the cards after `after` with unfinished deliveries to this subscription.
    async fn misplaced_cards(&self, subscription_id: Uuid, after: Uuid) -> Result<(Vec<Uuid>, Option<Uuid>)> {
        query!(self.read(), misplaced_cards(subscription_id, after))
    }

    /// Puts the deliveries of these cards in sequence: of each card one delivery is due at an address, the first.
    async fn sequence_cards(&self, cards: Vec<Uuid>, now: Timestamp) -> Result<()> {
        query!(self.write(Unit::Transaction, always), sequence_cards(cards, now))
    }

    async fn delete_unfinished_batch(&self, subscription_id: Uuid, now: Timestamp) -> Result<usize> {
        query!(self.write(Unit::Transaction, if_any), delete_unfinished_batch(subscription_id, now))
    }

    /// Ends the pause of a subscription. Its failed deliveries and the ones that wait for a later attempt are sent in
    /// order, with the whole retry schedule. Returns how many had failed, or `None` if there is no such subscription.
    pub async fn resume_subscription(
        &self,
        subscription_id: Uuid,
        now: Timestamp,
        progress: &Progress,
    ) -> Result<Option<usize>> {
        let sent = progress.begin(Step::SendAgain, None);
        // The pause ends last: nothing is claimed before, so no delivery overtakes another.
        let count = self.resend_all(subscription_id, DeliveryState::Failed, Uuid::nil(), now, &sent).await?;
        let resumed = self.end_pause(subscription_id, now).await?;
        let mut after = Uuid::nil();
        while let Some(last) = self.sequence_page(subscription_id, after, now).await? {
            after = last;
        }
        self.notify(Queue::Deliveries);
        Ok(resumed.then_some(count))
    }

    /// Sends the finished deliveries of all events at `since` or later again, and counts them. Returns `None` if there
    /// is no such subscription.
    pub async fn replay_deliveries(
        &self,
        subscription_id: Uuid,
        since: Timestamp,
        now: Timestamp,
        progress: &Progress,
    ) -> Result<Option<usize>> {
        if self.any_subscription(subscription_id).await?.is_none() {
            return Ok(None);
        }
        let (from, sent) = (id_before(since), progress.begin(Step::SendAgain, None));
        let mut count = 0;
        for state in [DeliveryState::Failed, DeliveryState::Delivered] {
            count += self.resend_all(subscription_id, state, from, now, &sent).await?;
        }
        self.notify(Queue::Deliveries);
        Ok(Some(count))
    }

    /// Lets the failed deliveries of all events at `since` or later, of every subscription within the scope, be sent again,
    /// and counts them. A worker does so, in batches.
    pub async fn recover_deliveries(&self, scope: Scope, since: Timestamp) -> Result<i64> {
        self.start_recovery(scope, id_before(since)).await
    }

    /// Sends a finished delivery again, with the whole retry schedule, or makes its next attempt due now. Returns false
    /// if there is no such delivery, an attempt is running, or an earlier delivery of its card comes first.
    pub async fn resend(&self, delivery_id: Uuid, now: Timestamp) -> Result<bool> {
        let resent = self.resend_delivery(delivery_id, now).await?;
        self.notify(Queue::Deliveries);
        Ok(resent)
    }

    async fn resend_all(
        &self,
        subscription_id: Uuid,
        state: DeliveryState,
        mut from: Uuid,
        now: Timestamp,
        sent: &Count,
    ) -> Result<usize> {
        // Not beyond now: a delivery that is delivered meanwhile is not sent twice.
        let to = id_before(now.plus(chrono::Duration::milliseconds(1)));
        let mut count = 0;
        while let Some((last, some)) =
            self.resend_batch(subscription_id, state, (from, to), limits::DELIVERIES_MOVED_AT_ONCE, now).await?
        {
            from = last;
            count += some;
            sent.add(some as u64);
        }
        Ok(count)
    }

    /// Deletes the deliveries of events before `before`.
    pub async fn delete_expired_deliveries(&self, before: Timestamp, now: Timestamp) -> Result<DeletedDeliveries> {
        let mut counts = DeletedDeliveries::default();
        loop {
            let (deleted, undelivered) = self.delete_delivery_batch(id_before(before), now).await?;
            if deleted == 0 {
                break;
            }
            counts.finished += deleted - undelivered;
            counts.undelivered += undelivered;
        }
        // Bodies after their deliveries: both ids begin with the time of the event.
        while self.delete_body_batch(id_before(before)).await? > 0 {}
        Ok(counts)
    }

    /// Puts the deliveries of such a page of cards in sequence. Returns the last card of the page, or `None` if there are no
    /// more.
    pub async fn sequence_page(&self, subscription_id: Uuid, after: Uuid, now: Timestamp) -> Result<Option<Uuid>> {
        let (misplaced, last) = self.misplaced_cards(subscription_id, after).await?;
        if !misplaced.is_empty() {
            self.sequence_cards(misplaced, now).await?;
            self.notify(Queue::Deliveries);
        }
        Ok(last)
    }

    /// Deletes the unfinished deliveries to a deleted subscription, and counts them.
    pub async fn delete_unfinished(&self, subscription_id: Uuid, now: Timestamp) -> Result<usize> {
        let mut count = 0;
        loop {
            match self.delete_unfinished_batch(subscription_id, now).await? {
                0 => break,
                some => count += some,
            }
        }
        self.notify(Queue::Deliveries);
        Ok(count)
    }
}

/// Returns an id that sorts before the ids of deliveries of events at `time` or later, and after all earlier ones.
pub(super) fn id_before(time: Timestamp) -> Uuid {
    let ms = u128::try_from(time.millis()).unwrap_or(0);
    Uuid::from_u128(ms << 80)
}
