//! Deliveries: claimed by the dispatcher, finished, sent again and deleted (decisions W3).

use uuid::Uuid;

use super::engine::store_methods;
use super::{Queue, Store, StoreError};
use crate::base::{Timestamp, limits};
use crate::model::{
    Attempt, Delivery, DeliveryState, Page, PageRequest, PauseReason, Scope, Topic, WebhookDelivery,
    WebhookSubscription,
};

/// Selects deliveries for their partner.
#[derive(Clone, Debug, Default)]
pub struct DeliveryFilter {
    /// Of one subscription, or of all.
    pub subscription_id: Option<Uuid>,
    /// Of subscriptions to these topics; of all topics if it is empty.
    pub topics: Vec<Topic>,
    /// In these states; in all if it is empty.
    pub states: Vec<DeliveryState>,
    /// Of events at this time or later.
    pub since: Option<Timestamp>,
}

/// A subscription that has a due delivery.
#[derive(Clone, Debug)]
pub struct DueSubscription {
    pub subscription: WebhookSubscription,
    /// How many attempts have failed since the last success.
    pub failure_count: i64,
}

/// How many deliveries of a subscription to claim at most.
#[derive(Clone, Copy, Debug)]
pub struct ClaimOrder {
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
    /// `None` if no attempt was made and the delivery is handed back.
    pub attempt: Option<Attempt>,
    pub verdict: Verdict,
}

/// What follows a claim.
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

/// The result of checking the order of a page of cards.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct OrderPage {
    /// The cards whose deliveries have to be put in order.
    pub misplaced: Vec<Uuid>,
    /// The last card of the page; `None` if there are no more.
    pub last: Option<Uuid>,
}

/// How many deliveries were deleted because they were too old.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DeletedDeliveries {
    pub finished: usize,
    /// Never delivered within the time that events are kept.
    pub undelivered: usize,
}

store_methods! {
    /// Returns the subscriptions that have a due delivery and are not paused.
    pub read subscriptions_due(now: Timestamp) -> Result<Vec<DueSubscription>, StoreError>;
    /// Claims due deliveries of each subscription, earliest first. Skips deliveries that another replica is claiming.
    pub transaction claim_deliveries(orders: Vec<ClaimOrder>, now: Timestamp, lease: Lease)
        -> Result<Vec<ClaimedDelivery>, StoreError>;
    /// Writes the results of claimed deliveries, in their order. Returns the subscriptions that were paused.
    pub transaction finish_deliveries(batch: Vec<Finished>, now: Timestamp) -> Result<Vec<Paused>, StoreError>;
    /// Returns the delivery with this id if its subscription exists and is within the scope.
    pub read webhook_delivery(scope: Scope, id: Uuid) -> Result<Option<WebhookDelivery>, StoreError>;
    /// Returns a page of the selected deliveries within the scope, newest event first. The page key is the id.
    pub read webhook_deliveries_page(scope: Scope, filter: &DeliveryFilter, request: &PageRequest<Uuid>)
        -> Result<Page<WebhookDelivery>, StoreError>;
    /// Returns the delivery with this id.
    pub read delivery(id: Uuid) -> Result<Option<Delivery>, StoreError>;
    /// Returns the deliveries with these ids, in the order of their events.
    pub read deliveries_among(ids: Vec<Uuid>) -> Result<Vec<Delivery>, StoreError>;
    /// Returns the body of the delivery with this id; `None` if its card was deleted.
    pub read body_of(id: Uuid) -> Result<Option<String>, StoreError>;
    /// Returns the attempts of a delivery, oldest first.
    pub read attempts_of(delivery_id: Uuid) -> Result<Vec<Attempt>, StoreError>;
    /// Returns the deliveries of a subscription in this state, newest first.
    pub read deliveries_in_state(subscription_id: Uuid, state: DeliveryState, count_max: usize)
        -> Result<Vec<Delivery>, StoreError>;
    /// Counts the deliveries of a subscription in this state.
    pub read delivery_count(subscription_id: Uuid, state: DeliveryState) -> Result<i64, StoreError>;
    /// Returns the state of the outbox.
    pub read outbox() -> Result<Outbox, StoreError>;
    transaction start_recovery(scope: Scope, after: Uuid) -> Result<i64, StoreError>;
    /// Returns the subscriptions whose failed deliveries are being sent again.
    pub read recovering() -> Result<Vec<Uuid>, StoreError>;
    /// Sends up to `count_max` failed deliveries of a recovering subscription again, oldest first. Returns false when there
    /// are no more: the recovery has ended.
    pub transaction recover_batch(subscription_id: Uuid, count_max: usize, now: Timestamp) -> Result<bool, StoreError>;
    transaction resend_delivery(id: Uuid, now: Timestamp) -> Result<bool, StoreError>;
    transaction resend_batch(subscription_id: Uuid, state: DeliveryState, range: (Uuid, Uuid), count_max: i64, now: Timestamp)
        -> Result<Option<(Uuid, usize)>, StoreError>;
    transaction make_due_now_batch(subscription_id: Uuid, now: Timestamp) -> Result<usize, StoreError>;
    /// Pauses a subscription for the operator; one that is paused stays as it is. Returns false if it does not exist.
    pub transaction pause_subscription(subscription_id: Uuid, now: Timestamp) -> Result<bool, StoreError>;
    transaction end_pause(subscription_id: Uuid, now: Timestamp) -> Result<bool, StoreError>;
    transaction delete_delivery_batch(last: Uuid, now: Timestamp) -> Result<(usize, usize), StoreError>;
    write delete_body_batch(last: Uuid) -> Result<usize, StoreError>;
    /// Returns the next subscription id after `before` with unfinished deliveries, and the subscription if it exists.
    pub read next_unfinished(before: Uuid) -> Result<Option<(Uuid, Option<WebhookSubscription>)>, StoreError>;
    /// Checks the order of the deliveries of a page of cards: those after `after` with unfinished deliveries to this subscription.
    read check_order(subscription_id: Uuid, after: Uuid) -> Result<OrderPage, StoreError>;
    /// Puts the deliveries of these cards in order: of each card one delivery is due at an address, the first.
    transaction order_cards(cards: Vec<Uuid>, now: Timestamp) -> Result<(), StoreError>;
    transaction delete_unfinished_batch(subscription_id: Uuid, now: Timestamp) -> Result<usize, StoreError>;
}

impl Store {
    /// Ends the pause of a subscription. Its failed deliveries and those that wait for a later attempt are sent in
    /// order, with the whole retry schedule. Returns how many had failed, or `None` if there is no such subscription.
    pub async fn resume_subscription(
        &self,
        subscription_id: Uuid,
        now: Timestamp,
    ) -> Result<Option<usize>, StoreError> {
        // The pause ends last: nothing is claimed before, so no delivery overtakes another.
        let count = self.resend_all(subscription_id, DeliveryState::Failed, Uuid::nil(), now).await?;
        while self.make_due_now_batch(subscription_id, now).await? > 0 {}
        let resumed = self.end_pause(subscription_id, now).await?;
        let mut after = Uuid::nil();
        while let Some(last) = self.order_page(subscription_id, after, now).await? {
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
    ) -> Result<Option<usize>, StoreError> {
        if self.any_subscription(subscription_id).await?.is_none() {
            return Ok(None);
        }
        let from = id_before(since);
        let mut count = 0;
        for state in [DeliveryState::Failed, DeliveryState::Delivered] {
            count += self.resend_all(subscription_id, state, from, now).await?;
        }
        self.notify(Queue::Deliveries);
        Ok(Some(count))
    }

    /// Lets the failed deliveries of all events at `since` or later, of every subscription within the scope, be sent again,
    /// and counts them. A worker does so, in batches.
    pub async fn recover_deliveries(&self, scope: Scope, since: Timestamp) -> Result<i64, StoreError> {
        self.start_recovery(scope, id_before(since)).await
    }

    /// Sends a finished delivery again, with the whole retry schedule, or makes its next attempt due now. Returns false
    /// if there is no such delivery, an attempt is running, or an earlier delivery of its card comes first.
    pub async fn resend(&self, delivery_id: Uuid, now: Timestamp) -> Result<bool, StoreError> {
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
    ) -> Result<usize, StoreError> {
        // Not beyond now: a delivery that is delivered meanwhile is not sent twice.
        let to = id_before(now.plus(chrono::Duration::milliseconds(1)));
        let mut count = 0;
        while let Some((last, some)) =
            self.resend_batch(subscription_id, state, (from, to), limits::DELIVERIES_MOVED_AT_ONCE, now).await?
        {
            from = last;
            count += some;
        }
        Ok(count)
    }

    /// Deletes the deliveries of events before `before`.
    pub async fn delete_expired_deliveries(
        &self,
        before: Timestamp,
        now: Timestamp,
    ) -> Result<DeletedDeliveries, StoreError> {
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

    /// Puts the deliveries of a page of cards in order: those after `after` with unfinished deliveries to this
    /// subscription. Returns the last card of the page, or `None` if there are no more.
    pub async fn order_page(
        &self,
        subscription_id: Uuid,
        after: Uuid,
        now: Timestamp,
    ) -> Result<Option<Uuid>, StoreError> {
        let page = self.check_order(subscription_id, after).await?;
        if !page.misplaced.is_empty() {
            self.order_cards(page.misplaced, now).await?;
            self.notify(Queue::Deliveries);
        }
        Ok(page.last)
    }

    /// Deletes the unfinished deliveries to a deleted subscription, and counts them.
    pub async fn delete_unfinished(&self, subscription_id: Uuid, now: Timestamp) -> Result<usize, StoreError> {
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
