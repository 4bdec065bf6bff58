//! The order of deliveries: at most one delivery for each subscription and card is due, and later ones wait (decisions
//! W3).
//!
//! A transaction that enqueues or finishes a delivery locks the card. Otherwise a delivery could be enqueued behind one
//! that is being finished, and wait for ever.

use std::collections::{BTreeMap, BTreeSet};

use diesel::dsl::exists;
use diesel::prelude::*;
use diesel::sql_types::Bool;
use uuid::Uuid;

use super::notification::insert_body;
use super::{Conn, LOCKS, RunQueryDsl};
use crate::base::Timestamp;
use crate::model::{Card, Delivery, DeliveryState, Event, Topic, delivery_id, render};
use crate::store::StoreError;
use crate::store::prepared_query::prepared;
use crate::store::row::DeliveryRow;
use crate::store::schema::{cards, deliveries, webhook_subscriptions};
use crate::store::sql_type::{At, Id, Name};

/// Locks these cards, in the order of their ids so that two transactions cannot deadlock. Returns those that still exist.
pub(super) async fn lock_cards(c: &mut Conn<'_>, ids: Vec<Id>) -> Result<Vec<Id>, StoreError> {
    if !LOCKS {
        return Ok(ids);
    }
    let held = cards::table.filter(among!(cards::id, ids)).order(cards::id).select(cards::id);
    Ok(locked!(held).load(c).await?)
}

/// Returns the subscriptions that match an event on this topic, each with its version.
///
/// A subscription that a test key made matches test cards only.
pub(in crate::store) async fn matching_subscriptions(
    c: &mut Conn<'_>,
    card: &Card,
    topic: Topic,
) -> Result<Vec<(Uuid, String)>, StoreError> {
    let matching: Vec<(Id, String)> = webhook_subscriptions::table
        .filter(webhook_subscriptions::partner_id.eq(Id(card.partner_id)))
        .filter(webhook_subscriptions::topic.eq(Name(topic)))
        .filter(webhook_subscriptions::test.eq(false).or(card.test.into_sql::<Bool>()))
        .select((webhook_subscriptions::id, webhook_subscriptions::api_version))
        .load(c)
        .await?;
    Ok(matching.into_iter().map(|(id, api_version)| (id.0, api_version)).collect())
}

/// Enqueues a delivery for each event and matching subscription. Returns whether any was enqueued.
///
/// The caller has locked or added the card.
pub(in crate::store) async fn enqueue_deliveries(
    c: &mut Conn<'_>,
    card: &Card,
    events: &[Event],
    public_base: &str,
) -> Result<bool, StoreError> {
    let mut added = Vec::new();
    for event in events {
        for (subscription_id, api_version) in matching_subscriptions(c, card, event.topic).await? {
            let body = render(event, card, &api_version, public_base);
            insert_body(c, event.id, &api_version, body).await?;
            added.push(delivery_of(event, subscription_id, api_version));
        }
    }
    // A stable sort: two events for one subscription keep their order.
    added.sort_by_key(|delivery| delivery.subscription_id);
    let any = !added.is_empty();
    for mut delivery in added {
        if delivery.sequence > 1 && last_unfinished(c, delivery.subscription_id, delivery.card_id).await?.is_some() {
            delivery.state = DeliveryState::Waiting;
            delivery.due_at = None;
        }
        insert_delivery(c, delivery).await?;
    }
    Ok(any)
}

pub(in crate::store) async fn insert_delivery(c: &mut Conn<'_>, delivery: Delivery) -> Result<(), StoreError> {
    diesel::insert_into(deliveries::table).values(DeliveryRow::from(delivery)).execute(c).await?;
    Ok(())
}

/// Returns a new delivery that is due at once.
pub(in crate::store) fn delivery_of(event: &Event, subscription_id: Uuid, api_version: String) -> Delivery {
    Delivery {
        id: delivery_id(event.id, subscription_id),
        event_id: event.id,
        subscription_id,
        partner_id: event.partner_id,
        card_id: event.card_id,
        topic: event.topic,
        sequence: event.sequence,
        test: event.test,
        api_version,
        state: DeliveryState::Due,
        attempt_count: 0,
        schedule_step: 0,
        due_at: Some(event.occurred_at),
        lease: None,
        created_at: event.occurred_at,
        finished_at: None,
    }
}

/// Returns the last unfinished delivery of a card to a subscription.
async fn last_unfinished(c: &mut Conn<'_>, subscription_id: Uuid, card_id: Uuid) -> Result<Option<Uuid>, StoreError> {
    let last: Option<Id> = deliveries::table
        .filter(deliveries::subscription_id.eq(Id(subscription_id)))
        .filter(deliveries::card_id.eq(Id(card_id)))
        .filter(deliveries::finished_at.is_null())
        .order(deliveries::sequence.desc())
        .select(deliveries::id)
        .limit(1)
        .get_result(c)
        .await
        .optional()?;
    Ok(last.map(|id| id.0))
}

/// Makes the next delivery of a card to a subscription due, unless one is due.
pub(super) async fn promote_next(
    c: &mut Conn<'_>,
    subscription_id: Uuid,
    card_id: Uuid,
    now: Timestamp,
) -> Result<(), StoreError> {
    let first: Option<(Id, Name<DeliveryState>)> = deliveries::table
        .filter(deliveries::subscription_id.eq(Id(subscription_id)))
        .filter(deliveries::card_id.eq(Id(card_id)))
        .filter(deliveries::finished_at.is_null())
        .order(deliveries::sequence)
        .select((deliveries::id, deliveries::state))
        .limit(1)
        .get_result(c)
        .await
        .optional()?;
    let Some((id, Name(DeliveryState::Waiting))) = first else { return Ok(()) };
    let row = deliveries::table.filter(deliveries::id.eq(id)).filter(deliveries::finished_at.is_null());
    let due = (deliveries::state.eq(Name(DeliveryState::Due)), deliveries::due_at.eq(Some(At(now))));
    prepared!(diesel::update(row).set(due)).execute(c).await?;
    Ok(())
}

/// Returns whether any delivery of these subscriptions waits for an earlier one of its card. It spares [`promote_after`],
/// which looks once for each delivery.
pub(super) async fn anything_waits(c: &mut Conn<'_>, subscriptions: BTreeSet<Uuid>) -> Result<bool, StoreError> {
    let subscriptions = subscriptions.into_iter().map(Id);
    let waiting = deliveries::table
        .filter(among!(deliveries::subscription_id, subscriptions))
        .filter(deliveries::state.eq(Name(DeliveryState::Waiting)));
    Ok(diesel::select(exists(waiting)).get_result(c).await?)
}

/// Makes the first unfinished delivery of the card and subscription of each of these attempted ones due, if it waits. An
/// attempted one that is not the first waits for it instead of for its own next attempt.
pub(super) async fn promote_after(c: &mut Conn<'_>, attempted: Vec<Id>, now: Timestamp) -> Result<(), StoreError> {
    let other = diesel::alias!(deliveries as other);
    let first = other
        .filter(other.field(deliveries::subscription_id).eq(deliveries::subscription_id))
        .filter(other.field(deliveries::card_id).eq(deliveries::card_id))
        .filter(other.field(deliveries::finished_at).is_null())
        .order(other.field(deliveries::sequence))
        .select(other.field(deliveries::id))
        .limit(1)
        .single_value();
    let pairs: Vec<(Id, Option<Id>)> =
        deliveries::table.filter(among!(deliveries::id, attempted)).select((deliveries::id, first)).load(c).await?;
    let (later, firsts): (Vec<Id>, Vec<Id>) = pairs
        .into_iter()
        .filter_map(|(id, first)| first.filter(|first| first.0 != id.0).map(|first| (id, first)))
        .unzip();
    if firsts.is_empty() {
        return Ok(());
    }
    let in_state = |ids: Vec<Id>, state| {
        deliveries::table.filter(among!(deliveries::id, ids)).filter(deliveries::state.eq(Name(state)))
    };
    let waiting = (deliveries::state.eq(Name(DeliveryState::Waiting)), deliveries::due_at.eq(None::<At>));
    prepared!(diesel::update(in_state(later, DeliveryState::Due)).set(waiting)).execute(c).await?;
    let due = (deliveries::state.eq(Name(DeliveryState::Due)), deliveries::due_at.eq(Some(At(now))));
    prepared!(diesel::update(in_state(firsts, DeliveryState::Waiting)).set(due)).execute(c).await?;
    Ok(())
}

/// Enqueues finished deliveries of a subscription again, with the whole retry schedule. The first of each card is due now,
/// unless an earlier delivery of its card is unfinished or an attempt of a later one is running. A later one that waits
/// for its next attempt waits for these instead. Returns how many were enqueued; those of deleted cards are not.
pub(super) async fn send_again(
    c: &mut Conn<'_>,
    subscription_id: Uuid,
    finished: Vec<Delivery>,
    now: Timestamp,
) -> Result<usize, StoreError> {
    // The bodies of a deleted card are deleted with it.
    let cards: BTreeSet<Uuid> = finished.iter().map(|delivery| delivery.card_id).collect();
    let cards: BTreeSet<Uuid> =
        lock_cards(c, cards.into_iter().map(Id).collect()).await?.iter().map(|id| id.0).collect();
    let again = finished.iter().filter(|delivery| cards.contains(&delivery.card_id));
    let mut firsts: BTreeMap<Uuid, &Delivery> = BTreeMap::new();
    for delivery in again.clone() {
        let first = firsts.entry(delivery.card_id).or_insert(delivery);
        if delivery.sequence < first.sequence {
            *first = delivery;
        }
    }
    // Locked, so that nothing claims them meanwhile.
    let due = deliveries::table
        .filter(deliveries::subscription_id.eq(Id(subscription_id)))
        .filter(among!(deliveries::card_id, cards.iter().copied().map(Id)))
        .filter(deliveries::finished_at.is_null())
        .filter(deliveries::due_at.is_not_null())
        .select(DeliveryRow::as_select());
    let mut later = Vec::new();
    for due in locked!(due).load::<DeliveryRow>(c).await?.into_iter().map(Delivery::from) {
        match firsts.get(&due.card_id) {
            Some(first) if due.sequence > first.sequence && due.lease.is_none() => later.push(Id(due.id)),
            _ => drop(firsts.remove(&due.card_id)),
        }
    }
    let waiting = (deliveries::state.eq(Name(DeliveryState::Waiting)), deliveries::due_at.eq(None::<At>));
    if !later.is_empty() {
        let later = deliveries::table.filter(among!(deliveries::id, later));
        prepared!(diesel::update(later).set(waiting)).execute(c).await?;
    }
    let rows = deliveries::table
        .filter(among!(deliveries::id, again.map(|delivery| Id(delivery.id))))
        .filter(deliveries::finished_at.is_not_null());
    let unfinished = (waiting, deliveries::schedule_step.eq(0), deliveries::finished_at.eq(None::<At>));
    let count = prepared!(diesel::update(rows).set(unfinished)).execute(c).await?;
    let firsts = deliveries::table.filter(among!(deliveries::id, firsts.into_values().map(|first| Id(first.id))));
    let due = (deliveries::state.eq(Name(DeliveryState::Due)), deliveries::due_at.eq(Some(At(now))));
    prepared!(diesel::update(firsts).set(due)).execute(c).await?;
    Ok(count)
}
