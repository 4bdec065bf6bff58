//! The sequence of deliveries: of a card, one delivery at a time is due at an address, and later ones wait (decisions W3).
//!
//! The unfinished deliveries of a card that have the same *sequence key* form a queue. The key of a delivery is the callback
//! address of its subscription. A paused subscription is a key for itself, so that it holds up no other. The first delivery of a
//! queue, by the sequence of its event, is DUE, and the others are WAITING. While an attempt of a later one runs, none is DUE.
//!
//! For example, the subscriptions A and B have one address, and a card has the events 1, 2 and 3:
//!
//! | step | A, event 1 | B, event 2 | A, event 3 |
//! |---|---|---|---|
//! | three events happen | DUE | WAITING | WAITING |
//! | event 1 is delivered: [`promote_after`] | DELIVERED | DUE | WAITING |
//! | B is paused: [`put_in_sequence`] | DELIVERED | DUE, not claimed | DUE |
//! | the pause ends: [`hold_all`] | DELIVERED | WAITING | DUE |
//! | the worker looks: [`put_in_sequence`] | DELIVERED | DUE | WAITING |
//!
//! A transaction that enqueues or finishes a delivery locks the card. Otherwise a delivery could be enqueued behind one
//! that is being finished, and wait for ever. A pause and a new address change the key of all deliveries of a subscription at once,
//! and lock no card. So the transaction that ends a pause or changes the address lets them all wait, and a worker then walks along
//! the cards, a page in each transaction (`worker/delivery/sequence.rs`). No second delivery of a card is due at the address meanwhile.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use diesel::dsl::exists;
use diesel::prelude::*;
use uuid::Uuid;

use super::attempt::{delete_attempts, keep_successes};
use super::{Conn, LOCKS, Result, RunQueryDsl, any_subscription};
use crate::base::{Timestamp, limits};
use crate::model::{Delivery, DeliveryState, WebhookSubscription};
use crate::store::prepared_query::prepared;
use crate::store::schema::{cards, deliveries, webhook_subscriptions};
use crate::store::sql_type::{At, Digest, Id, Name};

/// The key of the deliveries that wait for each other, within a partner.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum SequenceKey {
    /// The digest of the callback address.
    Address([u8; 32]),
    /// A paused subscription.
    Paused(Uuid),
}

/// The columns of a subscription that determine the sequence key.
pub(super) type KeyRow = (Id, Digest, Option<At>);
pub(super) const KEY_ROW: (
    webhook_subscriptions::id,
    webhook_subscriptions::callback_url_digest,
    webhook_subscriptions::paused_at,
) = (webhook_subscriptions::id, webhook_subscriptions::callback_url_digest, webhook_subscriptions::paused_at);

impl From<KeyRow> for SequenceKey {
    fn from((id, address, paused_at): KeyRow) -> Self {
        if paused_at.is_some() { SequenceKey::Paused(id.0) } else { SequenceKey::Address(address.0) }
    }
}

/// Whether the rows of two aliases of `webhook_subscriptions` have the same sequence key.
macro_rules! same_key {
    ($one:ident, $other:ident) => {{
        let same_address =
            ($one.field(webhook_subscriptions::partner_id)).eq($other.field(webhook_subscriptions::partner_id)).and(
                $one.field(webhook_subscriptions::callback_url_digest)
                    .eq($other.field(webhook_subscriptions::callback_url_digest)),
            );
        let active = ($one.field(webhook_subscriptions::paused_at).is_null())
            .and($other.field(webhook_subscriptions::paused_at).is_null());
        let same = $one.field(webhook_subscriptions::id).eq($other.field(webhook_subscriptions::id));
        same_address.and(same.or(active))
    }};
}

/// Locks these cards, in the order of their ids so that two transactions cannot deadlock. Returns the cards that still exist.
pub(super) async fn lock_cards(c: &mut Conn<'_>, ids: Vec<Id>) -> Result<Vec<Id>> {
    if !LOCKS {
        return Ok(ids);
    }
    let held = cards::table.filter(among!(cards::id, ids)).order(cards::id).select(cards::id);
    Ok(prepared!(locked!(held)).load(c).await?)
}

/// Returns whether any delivery waits with the sequence key of one of these subscriptions. It spares
/// [`promote_after`], which looks once for each delivery.
pub(super) async fn anything_waits(c: &mut Conn<'_>, subscriptions: BTreeSet<Uuid>) -> Result<bool> {
    let (mine, theirs) = diesel::alias!(webhook_subscriptions as mine, webhook_subscriptions as theirs);
    let waiting = mine
        .inner_join(theirs.on(same_key!(theirs, mine)))
        .inner_join(deliveries::table.on(deliveries::subscription_id.eq(theirs.field(webhook_subscriptions::id))))
        .filter(among!(mine.field(webhook_subscriptions::id), subscriptions.into_iter().map(Id)))
        .filter(deliveries::state.eq(Name(DeliveryState::Waiting)))
        .select(deliveries::id);
    Ok(diesel::select(exists(waiting)).get_result(c).await?)
}

/// Makes the first delivery of the queue of each of these attempted ones due, if it waits. An attempted one that is not the
/// first waits for it instead of for its own next attempt.
///
/// Takes one step of an index for each subscription with the key, however many deliveries wait.
pub(super) async fn promote_after(c: &mut Conn<'_>, attempted: Vec<Id>, now: Timestamp) -> Result<()> {
    let (mine, theirs, other) =
        diesel::alias!(webhook_subscriptions as mine, webhook_subscriptions as theirs, deliveries as other);
    let first = || {
        other
            .filter(other.field(deliveries::subscription_id).eq(theirs.field(webhook_subscriptions::id)))
            .filter(other.field(deliveries::card_id).eq(deliveries::card_id))
            .filter(other.field(deliveries::finished_at).is_null())
            .order(other.field(deliveries::sequence))
            .limit(1)
    };
    let (first_id, first_sequence) = (
        first().select(other.field(deliveries::id)).single_value(),
        first().select(other.field(deliveries::sequence)).single_value(),
    );
    let found: Vec<(Id, Option<Id>, Option<i64>)> = deliveries::table
        .inner_join(mine.on(mine.field(webhook_subscriptions::id).eq(deliveries::subscription_id)))
        .inner_join(theirs.on(same_key!(theirs, mine)))
        .filter(among!(deliveries::id, attempted))
        .select((deliveries::id, first_id, first_sequence))
        .load(c)
        .await?;
    let mut firsts: BTreeMap<Uuid, (i64, Id)> = BTreeMap::new();
    for (attempted, first_id, sequence) in found {
        let Some(found) = sequence.zip(first_id) else { continue };
        let first = firsts.entry(attempted.0).or_insert(found);
        if found.0 < first.0 {
            *first = found;
        }
    }
    let overtaken = firsts.into_iter().filter(|(attempted, (_, first))| *attempted != first.0);
    let (later, firsts): (Vec<Id>, Vec<Id>) = overtaken.map(|(attempted, (_, first))| (Id(attempted), first)).unzip();
    hold(c, later).await?;
    make_due(c, firsts, now).await
}

/// Enqueues finished deliveries again, with the whole retry schedule: each waits for its turn. Returns how many were enqueued; deliveries
/// of deleted cards are not.
pub(super) async fn send_again(c: &mut Conn<'_>, finished: Vec<Delivery>, now: Timestamp) -> Result<usize> {
    let cards: BTreeSet<Uuid> = finished.iter().map(|delivery| delivery.card_id).collect();
    // The bodies of a deleted card are deleted with it.
    let cards = lock_cards(c, cards.into_iter().map(Id).collect()).await?;
    let again = finished.iter().filter(|delivery| cards.iter().any(|card| card.0 == delivery.card_id));
    let again: Vec<Id> = again.map(|delivery| Id(delivery.id)).collect();
    keep_successes(c, again.clone()).await?;
    let rows = deliveries::table.filter(among!(deliveries::id, again)).filter(deliveries::finished_at.is_not_null());
    let unfinished = (
        deliveries::state.eq(Name(DeliveryState::Waiting)),
        deliveries::schedule_step.eq(0),
        deliveries::finished_at.eq(None::<At>),
        deliveries::success_started_at.eq(None::<At>),
        deliveries::success_duration_ms.eq(None::<i64>),
        deliveries::success_status.eq(None::<i32>),
    );
    let count = prepared!(diesel::update(rows).set(unfinished)).execute(c).await?;
    put_in_sequence(c, cards, now).await?;
    Ok(count)
}

/// A delivery that is not in the state that its place in the sequence asks for.
pub(super) struct Misplaced {
    id: Id,
    pub(super) card_id: Id,
    wanted: DeliveryState,
}

/// Puts the deliveries of these cards in sequence. The caller has locked the cards.
pub(super) async fn put_in_sequence(c: &mut Conn<'_>, cards: Vec<Id>, now: Timestamp) -> Result<()> {
    let (due, waiting): (Vec<_>, Vec<_>) =
        out_of_sequence(c, cards).await?.into_iter().partition(|found| found.wanted == DeliveryState::Due);
    hold(c, waiting.iter().map(|found| found.id).collect()).await?;
    make_due(c, due.iter().map(|found| found.id).collect(), now).await
}

/// Delivery, subscription, card, sequence, state and lease.
type QueuedRow = (Id, Id, Id, i64, Name<DeliveryState>, Option<Id>);

/// Returns the misplaced deliveries of these cards, of all queues. Reads every unfinished delivery of the cards.
pub(super) async fn out_of_sequence(c: &mut Conn<'_>, cards: Vec<Id>) -> Result<Vec<Misplaced>> {
    if cards.is_empty() {
        return Ok(Vec::new());
    }
    let keys: Vec<KeyRow> = cards::table
        .inner_join(webhook_subscriptions::table.on(webhook_subscriptions::partner_id.eq(cards::partner_id)))
        .filter(among!(cards::id, cards.iter().copied()))
        .select(KEY_ROW)
        .load(c)
        .await?;
    let keys: HashMap<Uuid, SequenceKey> = keys.into_iter().map(|row| (row.0.0, row.into())).collect();
    // Two statements, so that both lists lead into the index.
    let mut rows: Vec<QueuedRow> = deliveries::table
        .filter(among!(deliveries::subscription_id, keys.keys().copied().map(Id)))
        .filter(among!(deliveries::card_id, cards))
        .filter(deliveries::finished_at.is_null())
        .select((
            deliveries::id,
            deliveries::subscription_id,
            deliveries::card_id,
            deliveries::sequence,
            deliveries::state,
            deliveries::lease,
        ))
        .load(c)
        .await?;
    rows.sort_by_key(|row| row.3);
    let mut queues: BTreeMap<(Uuid, &SequenceKey), Vec<_>> = BTreeMap::new();
    for (id, subscription_id, card_id, _, Name(state), lease) in rows {
        let key = (card_id.0, &keys[&subscription_id.0]);
        queues.entry(key).or_default().push((id, card_id, state, lease.is_some()));
    }
    let mut misplaced = Vec::new();
    for queue in queues.into_values() {
        let mut is_free = !queue.iter().any(|(.., is_running)| *is_running);
        for (id, card_id, state, is_running) in queue {
            let wanted = match std::mem::take(&mut is_free) {
                _ if is_running => continue,
                true => DeliveryState::Due,
                false => DeliveryState::Waiting,
            };
            if state != wanted {
                misplaced.push(Misplaced { id, card_id, wanted });
            }
        }
    }
    Ok(misplaced)
}

/// Makes these deliveries due, if they wait.
async fn make_due(c: &mut Conn<'_>, ids: Vec<Id>, now: Timestamp) -> Result<()> {
    let rows = deliveries::table.filter(among!(deliveries::id, ids.iter().copied()));
    let rows = rows.filter(deliveries::state.eq(Name(DeliveryState::Waiting)));
    let due = (deliveries::state.eq(Name(DeliveryState::Due)), deliveries::due_at.eq(Some(At(now))));
    if !ids.is_empty() {
        prepared!(diesel::update(rows).set(due)).perform(c).await?;
    }
    Ok(())
}

/// Lets these deliveries wait, if they are due and not being attempted.
async fn hold(c: &mut Conn<'_>, ids: Vec<Id>) -> Result<()> {
    let rows = deliveries::table.filter(among!(deliveries::id, ids.iter().copied()));
    let rows = rows.filter(deliveries::state.eq(Name(DeliveryState::Due))).filter(deliveries::lease.is_null());
    let waiting = (deliveries::state.eq(Name(DeliveryState::Waiting)), deliveries::due_at.eq(None::<At>));
    if !ids.is_empty() {
        prepared!(diesel::update(rows).set(waiting)).perform(c).await?;
    }
    Ok(())
}

/// Lets all due deliveries of a subscription wait, except deliveries that are being attempted, in the transaction that changes its
/// sequence key. Each begins its retry schedule again.
pub(super) async fn hold_all(c: &mut Conn<'_>, subscription_id: Uuid) -> Result<()> {
    let due = deliveries::table
        .filter(deliveries::subscription_id.eq(Id(subscription_id)))
        .filter(deliveries::due_at.is_not_null())
        .filter(deliveries::lease.is_null());
    let waiting = (
        deliveries::state.eq(Name(DeliveryState::Waiting)),
        deliveries::due_at.eq(None::<At>),
        deliveries::schedule_step.eq(0),
    );
    prepared!(diesel::update(due).set(waiting)).perform(c).await?;
    Ok(())
}

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

pub(crate) async fn misplaced_cards(
    c: &mut Conn<'_>,
    subscription_id: Uuid,
    after: Uuid,
) -> Result<(Vec<Uuid>, Option<Uuid>)> {
    let cards = unfinished_cards(c, subscription_id, after).await?;
    let is_full = i64::try_from(cards.len()).is_ok_and(|count| count == limits::DELIVERIES_MOVED_AT_ONCE);
    let last = cards.last().filter(|_| is_full).map(|card| card.0);
    let misplaced: BTreeSet<Uuid> = out_of_sequence(c, cards).await?.iter().map(|found| found.card_id.0).collect();
    Ok((misplaced.into_iter().collect(), last))
}

pub(crate) async fn sequence_cards(c: &mut Conn<'_>, cards: Vec<Uuid>, now: Timestamp) -> Result<()> {
    let cards = lock_cards(c, cards.into_iter().map(Id).collect()).await?;
    put_in_sequence(c, cards, now).await
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
    let deleted: Vec<Id> = diesel::delete(rows).returning(deliveries::id).load(c).await?;
    let count = deleted.len();
    delete_attempts(c, deleted).await?;
    put_in_sequence(c, locked, now).await?;
    Ok(count)
}
