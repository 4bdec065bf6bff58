//! Deliveries for the operator: listed, sent again and deleted (decisions W3), and recovered for a partner (decisions W8).

use std::collections::BTreeSet;

use diesel::prelude::*;
use uuid::Uuid;

use super::attempt::{delete_attempts, last_attempts, next_with_due, reset_failures, with_bodies};
use super::sequence::{hold_all, lock_cards, put_in_sequence, send_again};
use super::{Conn, Result, RunQueryDsl, any_subscription};
use crate::base::{Timestamp, limits};
use crate::model::{Attempt, Delivery, DeliveryState, PauseReason, Scope};
use crate::store::Outbox;
use crate::store::delivery::row::DeliveryRow;
use crate::store::prepared_query::prepared;
use crate::store::schema::{deliveries, webhook_subscriptions};
use crate::store::sql_type::{At, Id, Name};

pub(crate) async fn delivery(c: &mut Conn<'_>, id: Uuid) -> Result<Option<Delivery>> {
    let one = deliveries::table.filter(deliveries::id.eq(Id(id)));
    let row = one.select(DeliveryRow::as_select()).get_result(c).await.optional()?;
    Ok(row.map(Delivery::from))
}

pub(crate) async fn deliveries_among(c: &mut Conn<'_>, ids: Vec<Uuid>) -> Result<Vec<Delivery>> {
    let ids: Vec<Id> = ids.into_iter().map(Id).collect();
    let found = deliveries::table.filter(among!(deliveries::id, ids)).order(deliveries::id);
    let rows: Vec<DeliveryRow> = found.select(DeliveryRow::as_select()).load(c).await?;
    Ok(rows.into_iter().map(Delivery::from).collect())
}

pub(crate) async fn body_of(c: &mut Conn<'_>, id: Uuid) -> Result<Option<String>> {
    Ok(sendable(c, id).await?.map(|(_, body)| body))
}

/// Returns a delivery with its body, or `None` if the body was deleted.
async fn sendable(c: &mut Conn<'_>, id: Uuid) -> Result<Option<(Delivery, String)>> {
    let one = deliveries::table.filter(deliveries::id.eq(Id(id)));
    let row = one.select(DeliveryRow::as_select()).load(c).await?;
    Ok(with_bodies(c, row).await?.pop())
}

pub(crate) async fn attempts_of(c: &mut Conn<'_>, delivery_id: Uuid) -> Result<Vec<Attempt>> {
    let mut found = last_attempts(c, vec![Id(delivery_id)], i64::MAX).await?;
    Ok(found.remove(&delivery_id).unwrap_or_default())
}

pub(crate) async fn deliveries_in_state(
    c: &mut Conn<'_>,
    subscription_id: Uuid,
    state: DeliveryState,
    count_max: usize,
) -> Result<Vec<Delivery>> {
    let rows: Vec<DeliveryRow> = deliveries::table
        .filter(deliveries::subscription_id.eq(Id(subscription_id)))
        .filter(deliveries::state.eq(Name(state)))
        .order(deliveries::id.desc())
        .limit(i64::try_from(count_max).unwrap_or(i64::MAX))
        .select(DeliveryRow::as_select())
        .load(c)
        .await?;
    Ok(rows.into_iter().map(Delivery::from).collect())
}

pub(crate) async fn delivery_count(c: &mut Conn<'_>, subscription_id: Uuid, state: DeliveryState) -> Result<i64> {
    let rows = deliveries::table
        .filter(deliveries::subscription_id.eq(Id(subscription_id)))
        .filter(deliveries::state.eq(Name(state)));
    Ok(rows.count().get_result(c).await?)
}

pub(crate) async fn resend_delivery(c: &mut Conn<'_>, id: Uuid, now: Timestamp) -> Result<bool> {
    match sendable(c, id).await?.map(|(delivery, _)| delivery) {
        Some(finished) if finished.finished_at.is_some() => Ok(send_again(c, vec![finished], now).await? == 1),
        Some(waiting) if waiting.lease.is_none() && waiting.state == DeliveryState::Due => {
            Ok(make_due_now(c, vec![Id(id)], now).await? == 1)
        }
        _ => Ok(false),
    }
}

/// Sends up to `count_max` finished deliveries of a subscription in `state` again: those after the first id of the range
/// up to the second, oldest first. Returns the id of the last one and how many were sent, or `None` if there are no more.
pub(crate) async fn resend_batch(
    c: &mut Conn<'_>,
    subscription_id: Uuid,
    state: DeliveryState,
    (from, to): (Uuid, Uuid),
    count_max: i64,
    now: Timestamp,
) -> Result<Option<(Uuid, usize)>> {
    let rows: Vec<DeliveryRow> = deliveries::table
        .filter(deliveries::subscription_id.eq(Id(subscription_id)))
        .filter(deliveries::state.eq(Name(state)))
        .filter(deliveries::id.gt(Id(from)))
        .filter(deliveries::id.le(Id(to)))
        .order(deliveries::id)
        .limit(count_max)
        .select(DeliveryRow::as_select())
        .load(c)
        .await?;
    let Some(last) = rows.last().map(|row| row.id().0) else { return Ok(None) };
    let found = with_bodies(c, rows).await?.into_iter().map(|(delivery, _)| delivery).collect();
    Ok(Some((last, send_again(c, found, now).await?)))
}

async fn make_due_now(c: &mut Conn<'_>, ids: Vec<Id>, now: Timestamp) -> Result<usize> {
    let rows = deliveries::table.filter(among!(deliveries::id, ids)).filter(deliveries::lease.is_null());
    let rows = rows.filter(deliveries::due_at.is_not_null());
    let due = (deliveries::due_at.eq(Some(At(now))), deliveries::schedule_step.eq(0));
    Ok(diesel::update(rows).set(due).execute(c).await?)
}

pub(crate) async fn pause_subscription(c: &mut Conn<'_>, subscription_id: Uuid, now: Timestamp) -> Result<bool> {
    let going = webhook_subscriptions::table
        .filter(webhook_subscriptions::id.eq(Id(subscription_id)))
        .filter(webhook_subscriptions::paused_at.is_null());
    let paused = (
        webhook_subscriptions::updated_at.eq(later_of!(webhook_subscriptions::updated_at, now)),
        webhook_subscriptions::paused_at.eq(Some(At(now))),
    );
    prepared!(diesel::update(going).set(paused)).perform(c).await?;
    Ok(any_subscription(c, subscription_id).await?.is_some())
}

/// Ends the pause of a subscription. Its deliveries then wait for their turn at its address, until [`put_in_sequence`] makes the
/// first of each card due. Returns false if there is no such subscription.
pub(crate) async fn end_pause(c: &mut Conn<'_>, subscription_id: Uuid, now: Timestamp) -> Result<bool> {
    hold_all(c, subscription_id).await?;
    reset_failures(c, subscription_id).await?;
    let paused = webhook_subscriptions::table
        .filter(webhook_subscriptions::id.eq(Id(subscription_id)))
        .filter(webhook_subscriptions::paused_at.is_not_null());
    let going = (
        webhook_subscriptions::updated_at.eq(later_of!(webhook_subscriptions::updated_at, now)),
        webhook_subscriptions::paused_at.eq(None::<At>),
        webhook_subscriptions::pause_reason.eq(None::<Name<PauseReason>>),
    );
    prepared!(diesel::update(paused).set(going)).perform(c).await?;
    Ok(any_subscription(c, subscription_id).await?.is_some())
}

/// Deletes a batch of the oldest deliveries up to `last`. Returns how many were deleted, and how many of those were
/// never delivered.
pub(crate) async fn delete_delivery_batch(c: &mut Conn<'_>, last: Uuid, now: Timestamp) -> Result<(usize, usize)> {
    let old: Vec<DeletedRow> = deliveries::table
        .filter(deliveries::id.le(Id(last)))
        .order(deliveries::id)
        .limit(limits::DELIVERIES_MOVED_AT_ONCE)
        .select(DELETED_ROW)
        .load(c)
        .await?;
    delete_rows(c, old, now).await
}

/// Id, card and state.
type DeletedRow = (Id, Id, Name<DeliveryState>);
const DELETED_ROW: (deliveries::id, deliveries::card_id, deliveries::state) =
    (deliveries::id, deliveries::card_id, deliveries::state);

async fn delete_rows(c: &mut Conn<'_>, swept: Vec<DeletedRow>, now: Timestamp) -> Result<(usize, usize)> {
    if swept.is_empty() {
        return Ok((0, 0));
    }
    let cards: BTreeSet<Uuid> = swept.iter().map(|row| row.1.0).collect();
    let cards = lock_cards(c, cards.into_iter().map(Id).collect()).await?;
    let ids = swept.iter().map(|row| row.0);
    let old = deliveries::table.filter(among!(deliveries::id, ids));
    let deleted: Vec<Id> = diesel::delete(old).returning(deliveries::id).load(c).await?;
    let count = deleted.len();
    delete_attempts(c, deleted).await?;
    let undelivered = swept.iter().filter(|row| row.2.0 != DeliveryState::Delivered).count();
    if undelivered > 0 {
        // A deleted delivery may have been the due one of its card.
        put_in_sequence(c, cards, now).await?;
    }
    Ok((count, undelivered))
}

/// Counts along an index, and reads one row for each subscription.
pub(crate) async fn outbox(c: &mut Conn<'_>) -> Result<Outbox> {
    let unfinished = deliveries::table.filter(deliveries::finished_at.is_null()).count().get_result(c).await?;
    let mut due_since: Option<Timestamp> = None;
    let mut before = Uuid::nil();
    while let Some((id, first)) = next_with_due(c, before).await? {
        // Deliveries of a paused subscription wait for the operator.
        let sending = webhook_subscriptions::table
            .filter(webhook_subscriptions::id.eq(Id(id)))
            .filter(webhook_subscriptions::paused_at.is_null());
        if sending.select(webhook_subscriptions::id).get_result::<Id>(c).await.optional()?.is_some() {
            due_since = Some(due_since.map_or(first, |earlier| earlier.min(first)));
        }
        before = id;
    }
    Ok(Outbox { unfinished, due_since })
}

pub(crate) async fn start_recovery(c: &mut Conn<'_>, scope: Scope, after: Uuid) -> Result<i64> {
    let owned = webhook_subscriptions::table
        .filter(within!(webhook_subscriptions, scope))
        .order(webhook_subscriptions::id)
        .select((webhook_subscriptions::id, webhook_subscriptions::recover_after));
    let mut total = 0;
    for (id, running) in locked!(owned).load::<(Id, Option<Id>)>(c).await? {
        let after = running.map_or(after, |running| running.0.min(after));
        let failed = deliveries::table
            .filter(deliveries::subscription_id.eq(id))
            .filter(deliveries::state.eq(Name(DeliveryState::Failed)))
            .filter(deliveries::id.gt(Id(after)));
        let count: i64 = failed.count().get_result(c).await?;
        if count > 0 {
            set_position(c, id.0, Some(after)).await?;
        }
        total += count;
    }
    Ok(total)
}

pub(crate) async fn recovering(c: &mut Conn<'_>) -> Result<Vec<Uuid>> {
    let ids: Vec<Id> = webhook_subscriptions::table
        .filter(webhook_subscriptions::recover_after.is_not_null())
        .order(webhook_subscriptions::id)
        .select(webhook_subscriptions::id)
        .load(c)
        .await?;
    Ok(ids.into_iter().map(|id| id.0).collect())
}

pub(crate) async fn recover_batch(
    c: &mut Conn<'_>,
    subscription_id: Uuid,
    count_max: usize,
    now: Timestamp,
) -> Result<bool> {
    let row = webhook_subscriptions::table
        .filter(webhook_subscriptions::id.eq(Id(subscription_id)))
        .select(webhook_subscriptions::recover_after);
    let position: Option<Option<Id>> = locked!(row).get_result(c).await.optional()?;
    let Some(Id(after)) = position.flatten() else { return Ok(false) };
    let count_max = i64::try_from(count_max).unwrap_or(i64::MAX);
    let sent = resend_batch(c, subscription_id, DeliveryState::Failed, (after, Uuid::max()), count_max, now).await?;
    set_position(c, subscription_id, sent.map(|(last, _)| last)).await?;
    Ok(sent.is_some())
}

async fn set_position(c: &mut Conn<'_>, subscription_id: Uuid, after: Option<Uuid>) -> Result<()> {
    let row = webhook_subscriptions::table.filter(webhook_subscriptions::id.eq(Id(subscription_id)));
    prepared!(diesel::update(row).set(webhook_subscriptions::recover_after.eq(after.map(Id)))).perform(c).await?;
    Ok(())
}
