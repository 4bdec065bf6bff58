//! Finds deliveries that are out of order or without their subscription, a page at a time.
//!
//! When a subscription is paused, resumed, moved or deleted, the ordering key of its deliveries changes, and others may wait for
//! nothing. A worker walks along the unfinished deliveries and corrects the few that it finds.

use std::collections::BTreeSet;

use diesel::prelude::*;
use uuid::Uuid;

use super::ordering::{lock_cards, out_of_order, put_in_order};
use super::{Conn, Result, RunQueryDsl, any_subscription};
use crate::base::{Timestamp, limits};
use crate::model::WebhookSubscription;
use crate::store::delivery::OrderPage;
use crate::store::schema::deliveries;
use crate::store::sql_type::Id;

/// Returns the next subscription id after `before` with unfinished deliveries, and the subscription if it exists.
pub(crate) async fn next_unfinished(
    c: &mut Conn<'_>,
    before: Uuid,
) -> Result<Option<(Uuid, Option<WebhookSubscription>)>> {
    let next: Option<Id> = deliveries::table
        .filter(deliveries::subscription_id.gt(Id(before)))
        .filter(deliveries::finished_at.is_null())
        .order(deliveries::subscription_id)
        .select(deliveries::subscription_id)
        .limit(1)
        .get_result(c)
        .await
        .optional()?;
    let Some(Id(id)) = next else { return Ok(None) };
    Ok(Some((id, any_subscription(c, id).await?)))
}

/// Returns the cards after `after` with unfinished deliveries to a subscription, a page in the order of their ids.
async fn unfinished_cards(c: &mut Conn<'_>, subscription_id: Uuid, after: Uuid) -> Result<Vec<Id>> {
    let page = deliveries::table
        .filter(deliveries::subscription_id.eq(Id(subscription_id)))
        .filter(deliveries::card_id.gt(Id(after)))
        .filter(deliveries::finished_at.is_null())
        .order(deliveries::card_id)
        .select(deliveries::card_id)
        .distinct()
        .limit(limits::DELIVERIES_MOVED_AT_ONCE);
    Ok(page.load(c).await?)
}

pub(crate) async fn check_order(c: &mut Conn<'_>, subscription_id: Uuid, after: Uuid) -> Result<OrderPage> {
    let cards = unfinished_cards(c, subscription_id, after).await?;
    let is_full = i64::try_from(cards.len()).is_ok_and(|count| count == limits::DELIVERIES_MOVED_AT_ONCE);
    let last = cards.last().filter(|_| is_full).map(|card| card.0);
    let misplaced: BTreeSet<Uuid> = out_of_order(c, cards).await?.iter().map(|found| found.card_id.0).collect();
    Ok(OrderPage { misplaced: misplaced.into_iter().collect(), last })
}

pub(crate) async fn order_cards(c: &mut Conn<'_>, cards: Vec<Uuid>, now: Timestamp) -> Result<()> {
    let cards = lock_cards(c, cards.into_iter().map(Id).collect()).await?;
    put_in_order(c, cards, now).await
}

/// Deletes a batch of the unfinished deliveries to a deleted subscription, and counts them.
pub(crate) async fn delete_unfinished_batch(c: &mut Conn<'_>, subscription_id: Uuid, now: Timestamp) -> Result<usize> {
    let cards = unfinished_cards(c, subscription_id, Uuid::nil()).await?;
    if cards.is_empty() {
        return Ok(0);
    }
    let locked = lock_cards(c, cards.clone()).await?;
    let rows = deliveries::table
        .filter(deliveries::subscription_id.eq(Id(subscription_id)))
        .filter(among!(deliveries::card_id, cards))
        .filter(deliveries::finished_at.is_null());
    let count = diesel::delete(rows).execute(c).await?;
    put_in_order(c, locked, now).await?;
    Ok(count)
}
