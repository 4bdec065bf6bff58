//! Cards and their events (decisions W1, W3).

use std::sync::Arc;

use diesel::prelude::*;
use uuid::Uuid;

use super::delivery::{NewDeliveries, enqueue_deliveries};
use super::idempotency::find_claimed_key;
use super::mail::{queue_mail, queue_order_mail_again, release_mails};
use super::order::{add_activation, add_order, delete_activation};
use super::photo::{release_photo, use_photo};
use super::{Conn, Db, Result, RunQueryDsl, insert_rows};
use crate::base::Timestamp;
use crate::model::{Card, CardStatus, Event, EventDraft, Scope, Topic};
use crate::store::card::InsertCardError;
use crate::store::card::row::{CardRow, CardState, EventRow};
use crate::store::idempotency::ClaimRow;
use crate::store::prepared_query::prepared;
use crate::store::schema::{cards, events};
use crate::store::sql_type::{At, Id, Name};
use crate::store::{
    CardAge, CardEffects, CardFilter, CardScope, ChangeCardError, CreateCardError, IdempotencyClaim, Queue, id_before,
};

/// Compares the scope here: with more columns to search by, PostgreSQL chooses the index of the partner for a table that it
/// believes to be empty.
pub(crate) async fn card(c: &mut Conn<'_>, scope: Scope, id: Uuid) -> Result<Option<Arc<Card>>> {
    Ok(any_card(c, id).await?.filter(|card| scope.includes(card.partner_id, card.test)))
}

pub(crate) async fn any_card(c: &mut Conn<'_>, id: Uuid) -> Result<Option<Arc<Card>>> {
    let any = cards::table.filter(cards::id.eq(Id(id)));
    let row = prepared!(any.select(CardRow::as_select())).get_result(c).await.optional()?;
    Ok(row.map(|row| Arc::new(row.into())))
}

pub(crate) async fn card_by_slug(c: &mut Conn<'_>, slug: &str) -> Result<Option<Arc<Card>>> {
    let online = cards::table.filter(cards::slug.eq(slug));
    let row = prepared!(online.select(CardRow::as_select())).get_result(c).await.optional()?;
    Ok(row.map(|row| Arc::new(row.into())))
}

pub(crate) async fn card_by_dossier(
    c: &mut Conn<'_>,
    scope: Scope,
    external_dossier_id: &str,
) -> Result<Option<Arc<Card>>> {
    let owned = cards::table.filter(within!(cards, scope));
    let same = owned.filter(cards::external_dossier_id.eq(external_dossier_id));
    let row = same.select(CardRow::as_select()).get_result(c).await.optional()?;
    Ok(row.map(|row| Arc::new(row.into())))
}

pub(crate) async fn cards_of_dossier(c: &mut Conn<'_>, external_dossier_id: &str) -> Result<Vec<Card>> {
    let same = cards::table.filter(cards::external_dossier_id.eq(external_dossier_id)).order(cards::id);
    let rows: Vec<CardRow> = same.select(CardRow::as_select()).load(c).await?;
    Ok(rows.into_iter().map(Card::from).collect())
}

/// Reads backwards along the ids, which grow with time.
pub(crate) async fn latest_cards(c: &mut Conn<'_>, filter: CardFilter, count_max: usize) -> Result<Vec<Card>> {
    let mut rows = cards::table.into_boxed::<Db>();
    if let Some(partner_id) = filter.partner_id {
        rows = rows.filter(cards::partner_id.eq(Id(partner_id)));
    }
    if let Some(status) = filter.status {
        rows = rows.filter(cards::status.eq(Name(status)));
    }
    if let Some(test) = filter.test {
        rows = rows.filter(cards::test.eq(test));
    }
    if let Some(since) = filter.created_since {
        rows = rows.filter(cards::id.ge(Id(id_before(since))));
    }
    if filter.offline {
        rows = rows.filter(cards::offline_since.is_not_null());
    }
    let newest = rows.order(cards::id.desc()).limit(i64::try_from(count_max).unwrap_or(i64::MAX));
    let rows: Vec<CardRow> = newest.select(CardRow::as_select()).load(c).await?;
    Ok(rows.into_iter().map(Card::from).collect())
}

pub(crate) async fn set_card_offline(c: &mut Conn<'_>, id: Uuid, since: Option<Timestamp>) -> Result<bool> {
    let card = cards::table.filter(cards::id.eq(Id(id)));
    let set = diesel::update(card).set(cards::offline_since.eq(since.map(At)));
    Ok(prepared!(set).execute(c).await? == 1)
}

/// Returns whether the card with this dossier number is a test card; `None` if the number is free.
async fn dossier_holder_is_test(c: &mut Conn<'_>, partner_id: Uuid, external_dossier_id: &str) -> Result<Option<bool>> {
    let owned = cards::table.filter(cards::partner_id.eq(Id(partner_id)));
    let same = owned.filter(cards::external_dossier_id.eq(external_dossier_id));
    Ok(same.select(cards::test).get_result(c).await.optional()?)
}

/// The rows of a new card. Each engine inserts them with its `insert_rows`.
pub(in crate::store) struct NewCardRows {
    pub(in crate::store) card: CardRow,
    pub(in crate::store) event: EventRow,
    pub(in crate::store) deliveries: NewDeliveries,
    pub(in crate::store) claim: Option<ClaimRow>,
}

/// Inserts a card and all that comes with it, and marks its photo as used.
pub(crate) async fn insert_card(
    c: &mut Conn<'_>,
    card: &Card,
    event: Event,
    deliveries: NewDeliveries,
    claim: Option<&IdempotencyClaim>,
) -> Result<(), InsertCardError> {
    if let Some(photo) = &card.deceased.photo {
        use_photo(c, photo).await?;
    }
    let claim = claim.map(|claim| ClaimRow::new(card, claim));
    insert_rows(c, NewCardRows { card: card.into(), event: event.into(), deliveries, claim }).await
}

/// Returns the card that an earlier attempt of the request created for the field.
///
/// # Errors
/// If the key belongs to another request, or the partner has a card with the dossier number.
pub(crate) async fn earlier_card(
    c: &mut Conn<'_>,
    card: &Card,
    claim: Option<&IdempotencyClaim>,
) -> Result<Option<Arc<Card>>, CreateCardError> {
    // Read before the key, so that the claim of a copy of the request that commits in between is found.
    let holder = dossier_holder_is_test(c, card.partner_id, &card.external_dossier_id).await?;
    if let Some(claim) = claim
        && let Some(key) = find_claimed_key(c, claim).await?
    {
        let mut claim = claim.clone();
        claim.continue_from(&key)?;
        if let Some(id) = claim.earlier_card()? {
            return Ok(any_card(c, id).await?);
        }
    }
    match holder {
        Some(by_test_card) => Err(CreateCardError::Taken { by_test_card }),
        None => Ok(None),
    }
}

/// Also returns the queues that have more work.
pub(crate) async fn write_change<E>(
    c: &mut Conn<'_>,
    scope: CardScope,
    now: Timestamp,
    decide: impl FnOnce(&mut Card) -> Result<CardEffects, E>,
    public_base: Arc<str>,
) -> Result<Option<(Card, Vec<Queue>)>, ChangeCardError<E>> {
    let Some(before) = card_to_change(c, scope).await? else { return Ok(None) };
    let mut after = before.clone();
    let effects = decide(&mut after).map_err(ChangeCardError::Refused)?;
    if after == before {
        return Ok(Some((before, Vec::new())));
    }
    // The clock of the replica that made the last change may be ahead, or this change has waited for the lock (decisions V7).
    let now = now.max(before.updated_at);
    let count = i64::try_from(effects.events.len()).unwrap_or(i64::MAX);
    let after = Card {
        id: before.id,
        partner_id: before.partner_id,
        external_dossier_id: before.external_dossier_id,
        test: before.test,
        created_at: before.created_at,
        updated_at: now,
        event_count: before.event_count.saturating_add(count),
        ..after
    };
    let (old, new) = (&before.deceased.photo, &after.deceased.photo);
    if old != new
        && let Some(photo) = new
    {
        use_photo(c, photo).await?;
    }
    let row = cards::table.filter(cards::id.eq(Id(after.id)));
    prepared!(diesel::update(row).set(CardState::from(&after))).perform(c).await?;
    if old != new
        && let Some(photo) = old
    {
        release_photo(c, photo, now).await?;
    }
    let announced = add_events(c, &after, &effects.events, &public_base).await?;
    let mut filled = add_effects(c, &after, effects, now).await?;
    filled.extend(announced.then_some(Queue::Deliveries));
    if after.status == CardStatus::Active && before.status != CardStatus::Active {
        release_mails(c, after.id, now).await?;
    }
    Ok(Some((after, filled)))
}

/// Writes the effects of a change, and returns the queues that have more work. A card that is online needs no activation.
async fn add_effects(c: &mut Conn<'_>, card: &Card, effects: CardEffects, now: Timestamp) -> Result<Vec<Queue>> {
    let mut filled = Vec::new();
    if let Some(order) = effects.order {
        add_order(c, card, order, now).await?;
    }
    for mail in effects.mails {
        queue_mail(c, mail).await?;
        filled.push(Queue::Mails);
    }
    if let Some(mail) = effects.mail_again {
        queue_order_mail_again(c, mail).await?;
        filled.push(Queue::Mails);
    }
    if let Some(due_at) = effects.activation {
        add_activation(c, card, due_at).await?;
        filled.push(Queue::Activations);
    }
    if card.status == CardStatus::Active {
        delete_activation(c, card.id).await?;
    }
    Ok(filled)
}

/// Returns the card if it is in the scope, and locks it.
async fn card_to_change(c: &mut Conn<'_>, scope: CardScope) -> Result<Option<Card>> {
    let (CardScope::Owned { id, .. } | CardScope::Any { id }) = scope;
    let one = cards::table.filter(cards::id.eq(Id(id))).select(CardRow::as_select());
    let card = prepared!(locked!(one)).get_result(c).await.optional()?.map(Card::from);
    Ok(card.filter(|card| match scope {
        CardScope::Owned { scope, .. } => scope.includes(card.partner_id, card.test),
        CardScope::Any { .. } => true,
    }))
}

pub(crate) async fn events_of(c: &mut Conn<'_>, card_id: Uuid) -> Result<Vec<Event>> {
    let of_card = events::table.filter(events::card_id.eq(Id(card_id))).order(events::sequence);
    let rows: Vec<EventRow> = of_card.select(EventRow::as_select()).load(c).await?;
    Ok(rows.into_iter().map(Event::from).collect())
}

pub(crate) async fn contact_email_changes(c: &mut Conn<'_>, card_id: Uuid, since: Timestamp) -> Result<usize> {
    let changes = events::table
        .filter(events::card_id.eq(Id(card_id)))
        .filter(events::topic.eq(Name(Topic::CardsUpdate)))
        .filter(events::occurred_at.ge(At(since)))
        .filter(events::changed_fields.like("%\"familyContact.email\"%"));
    let count: i64 = changes.count().get_result(c).await?;
    Ok(usize::try_from(count).unwrap_or_default())
}

pub(crate) async fn newest_events(c: &mut Conn<'_>, card_id: Uuid, count_max: usize) -> Result<(Vec<Event>, usize)> {
    let of_card = || events::table.filter(events::card_id.eq(Id(card_id)));
    let count: i64 = of_card().count().get_result(c).await?;
    let newest = of_card().order(events::sequence.desc()).limit(i64::try_from(count_max).unwrap_or(i64::MAX));
    let rows: Vec<EventRow> = newest.select(EventRow::as_select()).load(c).await?;
    Ok((rows.into_iter().map(Event::from).collect(), usize::try_from(count).unwrap_or_default()))
}

/// Adds the events that led to `card`, and enqueues their deliveries. Returns whether any was enqueued.
///
/// `event_count` of the card includes the events: the last one gets that sequence number.
pub(crate) async fn add_events(
    c: &mut Conn<'_>,
    card: &Card,
    drafts: &[EventDraft],
    public_base: &str,
) -> Result<bool> {
    let first = card.event_count.saturating_add(1).saturating_sub(i64::try_from(drafts.len()).unwrap_or(i64::MAX));
    let events: Vec<Event> =
        (first..).zip(drafts).map(|(sequence, draft)| draft.clone().into_event(card, sequence)).collect();
    for event in &events {
        prepared!(EventRow::from(event.clone())).perform(c).await?;
    }
    enqueue_deliveries(c, card, &events, public_base).await
}

pub(crate) async fn card_ages(
    c: &mut Conn<'_>,
    after: Uuid,
    created_before: Timestamp,
    count_max: i64,
) -> Result<Vec<CardAge>> {
    let rows: Vec<(Id, Name<CardStatus>, At, Option<At>)> = cards::table
        .filter(cards::id.gt(Id(after)))
        .filter(cards::id.lt(Id(id_before(created_before))))
        .order(cards::id)
        .limit(count_max)
        .select((cards::id, cards::status, cards::updated_at, cards::activated_at))
        .load(c)
        .await?;
    let age = |(id, status, updated_at, activated_at): (Id, Name<CardStatus>, At, Option<At>)| CardAge {
        id: id.0,
        status: status.0,
        updated_at: updated_at.0,
        activated_at: activated_at.map(|at| at.0),
    };
    Ok(rows.into_iter().map(age).collect())
}

/// The events before a time. Their ids begin with it: the primary key finds them.
macro_rules! happened_before {
    ($before:expr) => {
        events::table.filter(events::id.lt(Id(id_before($before)))).filter(events::occurred_at.lt(At($before)))
    };
}

pub(crate) async fn events_before(c: &mut Conn<'_>, before: Timestamp) -> Result<i64> {
    Ok(happened_before!(before).count().get_result(c).await?)
}

pub(crate) async fn delete_events_before(c: &mut Conn<'_>, before: Timestamp, at_most: i64) -> Result<usize> {
    let old = happened_before!(before).order(events::id).limit(at_most);
    let ids: Vec<Id> = old.select(events::id).load(c).await?;
    Ok(diesel::delete(events::table.filter(among!(events::id, ids))).execute(c).await?)
}
