//! Enqueues the deliveries of events, with their bodies (decisions W3).

use std::collections::{BTreeSet, HashSet};

use diesel::dsl::exists;
use diesel::prelude::*;
use diesel::sql_types::Bool;
use uuid::Uuid;

use super::sequence::{KEY_ROW, KeyRow, SequenceKey};
use super::{Conn, Result, RunQueryDsl};
use crate::model::{Card, Delivery, Event, Topic, render};
use crate::store::delivery::row::{DeliveryRow, NotificationRow};
use crate::store::prepared_query::prepared;
use crate::store::schema::{deliveries, notifications, webhook_subscriptions};
use crate::store::sql_type::{Id, Name};

/// A subscription that matches an event.
struct Subscriber {
    id: Uuid,
    api_version: String,
    key: SequenceKey,
}

/// Returns the subscriptions that match an event on this topic.
///
/// A subscription that a test key made matches test cards only.
async fn matching_subscriptions(c: &mut Conn<'_>, card: &Card, topic: Topic) -> Result<Vec<Subscriber>> {
    let matching = webhook_subscriptions::table
        .filter(webhook_subscriptions::partner_id.eq(Id(card.partner_id)))
        .filter(webhook_subscriptions::topic.eq(Name(topic)))
        .filter(webhook_subscriptions::test.eq(false).or(card.test.into_sql::<Bool>()))
        .select((webhook_subscriptions::api_version, KEY_ROW));
    let matching: Vec<(String, KeyRow)> = prepared!(matching).load(c).await?;
    let subscriber = |(api_version, row): (String, KeyRow)| Subscriber { id: row.0.0, api_version, key: row.into() };
    Ok(matching.into_iter().map(subscriber).collect())
}

/// The deliveries of events, and their bodies.
#[derive(Default)]
pub(in crate::store) struct NewDeliveries {
    pub(in crate::store) bodies: Vec<NotificationRow>,
    pub(in crate::store) deliveries: Vec<DeliveryRow>,
}

impl NewDeliveries {
    pub(in crate::store) fn is_empty(&self) -> bool {
        self.deliveries.is_empty()
    }
}

/// Enqueues a delivery for each event and matching subscription. Returns whether any was enqueued.
///
/// The caller has locked the card.
pub(crate) async fn enqueue_deliveries(
    c: &mut Conn<'_>,
    card: &Card,
    events: &[Event],
    public_base: &str,
) -> Result<bool> {
    let new = new_deliveries(c, card, events, public_base).await?;
    let enqueued = !new.is_empty();
    insert_deliveries(c, new).await?;
    Ok(enqueued)
}

/// Returns a delivery for each event and matching subscription, and the body of each event in each version.
///
/// The caller has locked the card, or adds it.
pub(crate) async fn new_deliveries(
    c: &mut Conn<'_>,
    card: &Card,
    events: &[Event],
    public_base: &str,
) -> Result<NewDeliveries> {
    let mut new = NewDeliveries::default();
    let mut keys = Vec::new();
    for event in events {
        let mut versions = BTreeSet::new();
        for Subscriber { id, api_version, key } in matching_subscriptions(c, card, event.topic).await? {
            if versions.insert(api_version.clone()) {
                let body = render(event, card, &api_version, public_base);
                new.bodies.push(NotificationRow { event_id: Id(event.id), api_version: api_version.clone(), body });
            }
            new.deliveries.push(Delivery::new(event, id, api_version).into());
            keys.push(key);
        }
    }
    // Nothing comes before the first event of a card.
    let is_first = events.first().is_none_or(|event| event.sequence == 1);
    let mut busy = if is_first || keys.is_empty() { HashSet::new() } else { busy_keys(c, card).await? };
    for (delivery, key) in new.deliveries.iter_mut().zip(keys) {
        if !busy.insert(key) {
            delivery.wait();
        }
    }
    Ok(new)
}

/// Inserts deliveries and their bodies, a statement for each row.
pub(crate) async fn insert_deliveries(c: &mut Conn<'_>, new: NewDeliveries) -> Result<()> {
    for row in new.bodies {
        prepared!(diesel::insert_into(notifications::table).values(row)).perform(c).await?;
    }
    for row in new.deliveries {
        prepared!(diesel::insert_into(deliveries::table).values(row)).perform(c).await?;
    }
    Ok(())
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
