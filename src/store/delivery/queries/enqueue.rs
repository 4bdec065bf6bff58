//! Enqueues the deliveries of events, with their bodies (decisions W3).

use std::collections::HashSet;

use diesel::dsl::exists;
use diesel::prelude::*;
use diesel::sql_types::Bool;
use uuid::Uuid;

use super::sequence::{KEY_ROW, KeyRow, SequenceKey};
use super::{Conn, Result, RunQueryDsl};
use crate::model::{Card, Delivery, DeliveryState, Event, Topic, render};
use crate::store::delivery::row::DeliveryRow;
use crate::store::prepared_query::prepared;
use crate::store::schema::{deliveries, notifications, webhook_subscriptions};
use crate::store::sql_type::{Id, Name};

/// A subscription that matches an event.
pub(crate) struct Subscriber {
    pub(crate) id: Uuid,
    pub(crate) api_version: String,
    key: SequenceKey,
}

/// Returns the subscriptions that match an event on this topic.
///
/// A subscription that a test key made matches test cards only.
pub(crate) async fn matching_subscriptions(c: &mut Conn<'_>, card: &Card, topic: Topic) -> Result<Vec<Subscriber>> {
    let matching = webhook_subscriptions::table
        .filter(webhook_subscriptions::partner_id.eq(Id(card.partner_id)))
        .filter(webhook_subscriptions::topic.eq(Name(topic)))
        .filter(webhook_subscriptions::test.eq(false).or(card.test.into_sql::<Bool>()))
        .select((webhook_subscriptions::api_version, KEY_ROW));
    let matching: Vec<(String, KeyRow)> = prepared!(matching).load(c).await?;
    let subscriber = |(api_version, row): (String, KeyRow)| Subscriber { id: row.0.0, api_version, key: row.into() };
    Ok(matching.into_iter().map(subscriber).collect())
}

/// Enqueues a delivery for each event and matching subscription. Returns whether any was enqueued.
///
/// The caller has locked or added the card.
pub(crate) async fn enqueue_deliveries(
    c: &mut Conn<'_>,
    card: &Card,
    events: &[Event],
    public_base: &str,
) -> Result<bool> {
    let mut added = Vec::new();
    for event in events {
        for subscriber in matching_subscriptions(c, card, event.topic).await? {
            let body = render(event, card, &subscriber.api_version, public_base);
            insert_body(c, event.id, &subscriber.api_version, body).await?;
            added.push((event, subscriber));
        }
    }
    let Some((first, _)) = added.as_slice().first() else { return Ok(false) };
    // Nothing comes before the first event of a card.
    let mut busy = if first.sequence > 1 { busy_keys(c, card).await? } else { HashSet::new() };
    for (event, Subscriber { id, api_version, key }) in added {
        let mut delivery = Delivery::new(event, id, api_version);
        if !busy.insert(key) {
            delivery.state = DeliveryState::Waiting;
            delivery.due_at = None;
        }
        insert_delivery(c, delivery).await?;
    }
    Ok(true)
}

/// Returns the sequence keys of the unfinished deliveries of a card.
async fn busy_keys(c: &mut Conn<'_>, card: &Card) -> Result<HashSet<SequenceKey>> {
    let unfinished = deliveries::table
        .filter(deliveries::subscription_id.eq(webhook_subscriptions::id))
        .filter(deliveries::card_id.eq(Id(card.id)))
        .filter(deliveries::finished_at.is_null());
    let rows: Vec<KeyRow> = webhook_subscriptions::table
        .filter(webhook_subscriptions::partner_id.eq(Id(card.partner_id)))
        .filter(exists(unfinished))
        .select(KEY_ROW)
        .load(c)
        .await?;
    Ok(rows.into_iter().map(SequenceKey::from).collect())
}

/// Stores the body of an event in a version, unless it is stored already.
async fn insert_body(c: &mut Conn<'_>, event_id: Uuid, api_version: &str, body: String) -> Result<()> {
    let row = (
        notifications::event_id.eq(Id(event_id)),
        notifications::api_version.eq(api_version),
        notifications::body.eq(body),
    );
    prepared!(diesel::insert_into(notifications::table).values(row).on_conflict_do_nothing()).perform(c).await?;
    Ok(())
}

async fn insert_delivery(c: &mut Conn<'_>, delivery: Delivery) -> Result<()> {
    prepared!(diesel::insert_into(deliveries::table).values(DeliveryRow::from(delivery))).perform(c).await?;
    Ok(())
}
