//! Deliveries for the operator: listed, sent again, deleted (decisions W3).

use std::collections::BTreeSet;

use diesel::prelude::*;
use uuid::Uuid;

use super::finish::reset_failures;
use super::notification::with_bodies;
use super::ordering::{lock_cards, put_in_order, send_again};
use super::{Conn, Result, RunQueryDsl, any_subscription};
use crate::base::{Timestamp, limits};
use crate::model::{Attempt, Delivery, DeliveryState, PauseReason};
use crate::store::delivery::row::{AttemptRow, DeliveryRow};
use crate::store::prepared_query::prepared;
use crate::store::schema::{attempts, deliveries, webhook_subscriptions};
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
    let of_delivery = attempts::table.filter(attempts::delivery_id.eq(Id(delivery_id))).order(attempts::number);
    let rows = of_delivery.select(AttemptRow::as_select()).load(c).await?;
    rows.into_iter().map(Attempt::try_from).collect()
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

/// Makes a batch of deliveries that wait for a later attempt due now, and counts them.
pub(crate) async fn make_due_now_batch(c: &mut Conn<'_>, subscription_id: Uuid, now: Timestamp) -> Result<usize> {
    let later: Vec<Id> = deliveries::table
        .filter(deliveries::subscription_id.eq(Id(subscription_id)))
        .filter(deliveries::due_at.gt(Some(At(now))))
        .filter(deliveries::lease.is_null())
        .order((deliveries::due_at, deliveries::id))
        .limit(limits::DELIVERIES_MOVED_AT_ONCE)
        .select(deliveries::id)
        .load(c)
        .await?;
    if later.is_empty() { Ok(0) } else { make_due_now(c, later, now).await }
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
    let paused = (webhook_subscriptions::updated_at.eq(At(now)), webhook_subscriptions::paused_at.eq(Some(At(now))));
    prepared!(diesel::update(going).set(paused)).execute(c).await?;
    Ok(any_subscription(c, subscription_id).await?.is_some())
}

/// Ends the pause of a subscription. Returns false if it does not exist.
pub(crate) async fn end_pause(c: &mut Conn<'_>, subscription_id: Uuid, now: Timestamp) -> Result<bool> {
    reset_failures(c, subscription_id).await?;
    let paused = webhook_subscriptions::table
        .filter(webhook_subscriptions::id.eq(Id(subscription_id)))
        .filter(webhook_subscriptions::paused_at.is_not_null());
    let going = (
        webhook_subscriptions::updated_at.eq(At(now)),
        webhook_subscriptions::paused_at.eq(None::<At>),
        webhook_subscriptions::pause_reason.eq(None::<Name<PauseReason>>),
    );
    prepared!(diesel::update(paused).set(going)).execute(c).await?;
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

/// Returns the next subscription id after `before` with a due time, and its earliest due time. Takes one step of an
/// index.
pub(super) async fn next_with_due(c: &mut Conn<'_>, before: Uuid) -> Result<Option<(Uuid, Timestamp)>> {
    let next: Option<(Id, At)> = deliveries::table
        .filter(deliveries::subscription_id.gt(Id(before)))
        .filter(deliveries::due_at.is_not_null())
        .order((deliveries::subscription_id, deliveries::due_at))
        .select((deliveries::subscription_id, deliveries::due_at.assume_not_null()))
        .limit(1)
        .get_result(c)
        .await
        .optional()?;
    Ok(next.map(|(id, at)| (id.0, at.0)))
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
    let deleted = diesel::delete(deliveries::table.filter(among!(deliveries::id, ids))).execute(c).await?;
    let undelivered = swept.iter().filter(|row| row.2.0 != DeliveryState::Delivered).count();
    if undelivered > 0 {
        // A deleted delivery may have been the due one of its card.
        put_in_order(c, cards, now).await?;
    }
    Ok((deleted, undelivered))
}
