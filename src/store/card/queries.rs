//! Cards.

use std::sync::Arc;

use diesel::prelude::*;
use uuid::Uuid;

use super::event::add_events;
use super::idempotency::{claim_key, record_card};
use super::mail::queue_mail;
use super::order::{add_activation, add_order, delete_activation};
use super::photo::{release_photo, use_photo};
use super::{Conn, Db, RunQueryDsl};
use crate::base::Timestamp;
use crate::model::{Card, CardStatus, Scope};
use crate::store::error::Inconsistent;
use crate::store::prepared_query::prepared;
use crate::store::row::{CardRow, CardState, CardValues};
use crate::store::schema::cards;
use crate::store::sql_type::{At, Id, Name};
use crate::store::{
    CardEffects, CardFilter, CardScope, ChangeCardError, CreateCardError, CreatedCard, NewCard, StoreError, id_before,
};

/// Compares the scope here: with more columns to search by, PostgreSQL chooses the index of the partner for a table that it
/// believes to be empty.
pub(in crate::store) async fn card(c: &mut Conn<'_>, scope: Scope, id: Uuid) -> Result<Option<Card>, StoreError> {
    Ok(any_card(c, id).await?.filter(|card| scope.includes(card.partner_id, card.test)))
}

pub(in crate::store) async fn any_card(c: &mut Conn<'_>, id: Uuid) -> Result<Option<Card>, StoreError> {
    let any = cards::table.filter(cards::id.eq(Id(id)));
    let row = any.select(CardRow::as_select()).get_result(c).await.optional()?;
    Ok(row.map(Card::from))
}

pub(in crate::store) async fn card_by_slug(c: &mut Conn<'_>, slug: &str) -> Result<Option<Card>, StoreError> {
    let online = cards::table.filter(cards::slug.eq(slug));
    let row = online.select(CardRow::as_select()).get_result(c).await.optional()?;
    Ok(row.map(Card::from))
}

pub(in crate::store) async fn card_by_dossier(
    c: &mut Conn<'_>,
    scope: Scope,
    external_dossier_id: &str,
) -> Result<Option<Card>, StoreError> {
    let owned = cards::table.filter(within!(cards, scope));
    let same = owned.filter(cards::external_dossier_id.eq(external_dossier_id));
    let row = same.select(CardRow::as_select()).get_result(c).await.optional()?;
    Ok(row.map(Card::from))
}

pub(in crate::store) async fn cards_of_dossier(
    c: &mut Conn<'_>,
    external_dossier_id: &str,
) -> Result<Vec<Card>, StoreError> {
    let same = cards::table.filter(cards::external_dossier_id.eq(external_dossier_id)).order(cards::id);
    let rows: Vec<CardRow> = same.select(CardRow::as_select()).load(c).await?;
    Ok(rows.into_iter().map(Card::from).collect())
}

/// Reads backwards along the ids, which grow with time.
pub(in crate::store) async fn latest_cards(
    c: &mut Conn<'_>,
    filter: CardFilter,
    count_max: usize,
) -> Result<Vec<Card>, StoreError> {
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

pub(in crate::store) async fn set_card_offline(
    c: &mut Conn<'_>,
    id: Uuid,
    since: Option<Timestamp>,
) -> Result<bool, StoreError> {
    let card = cards::table.filter(cards::id.eq(Id(id)));
    let set = diesel::update(card).set(cards::offline_since.eq(since.map(At)));
    Ok(prepared!(set).execute(c).await? == 1)
}

pub(in crate::store) async fn dossier_holder_is_test(
    c: &mut Conn<'_>,
    partner_id: Uuid,
    external_dossier_id: &str,
) -> Result<Option<bool>, StoreError> {
    let owned = cards::table.filter(cards::partner_id.eq(Id(partner_id)));
    let same = owned.filter(cards::external_dossier_id.eq(external_dossier_id));
    Ok(same.select(cards::test).get_result(c).await.optional()?)
}

/// Returns false if the partner has a card with this dossier number.
pub(in crate::store) async fn insert_card_row(c: &mut Conn<'_>, card: &Card) -> Result<bool, StoreError> {
    let insert = diesel::insert_into(cards::table).values(CardValues::from(card));
    let once = insert.on_conflict((cards::partner_id, cards::external_dossier_id)).do_nothing();
    Ok(prepared!(once).execute(c).await? == 1)
}

/// Also returns whether any delivery was enqueued.
pub(in crate::store) async fn insert_card(
    c: &mut Conn<'_>,
    new: NewCard,
    public_base: Arc<str>,
) -> Result<(CreatedCard, bool), CreateCardError> {
    let NewCard { mut card, event, claim } = new;
    // The claim comes first: concurrent requests with the same key wait here, and so never get TAKEN.
    if let Some(claim) = &claim
        && let Some(bound) = claim_key(c, &card, claim).await?
    {
        let earlier = any_card(c, bound).await?;
        let earlier = earlier.ok_or(StoreError::from(Inconsistent("a key is bound to a card that is not there")))?;
        return Ok((CreatedCard::Earlier(earlier), false));
    }
    if let Some(photo) = &card.deceased.photo {
        use_photo(c, photo).await?;
    }
    card.event_count = 1;
    if !insert_card_row(c, &card).await? {
        let holder = dossier_holder_is_test(c, card.partner_id, &card.external_dossier_id).await?;
        return Err(CreateCardError::Taken { by_test_card: holder.unwrap_or_default() }); // `None`: it was deleted meanwhile
    }
    if let Some(claim) = &claim {
        record_card(c, &card, claim).await?;
    }
    let announced = add_events(c, &card, &[event], &public_base).await?;
    Ok((CreatedCard::Fresh(card), announced))
}

/// Also returns whether any delivery was enqueued.
pub(in crate::store) async fn write_change<E>(
    c: &mut Conn<'_>,
    scope: CardScope,
    now: Timestamp,
    decide: impl FnOnce(&mut Card) -> Result<CardEffects, E>,
    public_base: Arc<str>,
) -> Result<Option<(Card, bool)>, ChangeCardError<E>> {
    let Some(before) = card_to_change(c, scope).await? else { return Ok(None) };
    let mut after = before.clone();
    let effects = decide(&mut after).map_err(ChangeCardError::Refused)?;
    if after == before {
        return Ok(Some((before, false)));
    }
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
    prepared!(diesel::update(row).set(CardState::from(&after))).execute(c).await?;
    if old != new
        && let Some(photo) = old
    {
        release_photo(c, photo, now).await?;
    }
    let announced = add_events(c, &after, &effects.events, &public_base).await?;
    add_effects(c, &after, effects, now).await?;
    Ok(Some((after, announced)))
}

/// Writes the effects of a change. A card that is online needs no activation.
async fn add_effects(c: &mut Conn<'_>, card: &Card, effects: CardEffects, now: Timestamp) -> Result<(), StoreError> {
    if let Some(order) = effects.order {
        add_order(c, card, order, now).await?;
    }
    for mail in effects.mails {
        queue_mail(c, mail).await?;
    }
    if let Some(due_at) = effects.activation {
        add_activation(c, card, due_at).await?;
    }
    if card.status == CardStatus::Active {
        delete_activation(c, card.id).await?;
    }
    Ok(())
}

/// Returns the card if it is in the scope, and locks it.
async fn card_to_change(c: &mut Conn<'_>, scope: CardScope) -> Result<Option<Card>, StoreError> {
    let (CardScope::Owned { id, .. } | CardScope::Any { id }) = scope;
    let row = locked!(cards::table.filter(cards::id.eq(Id(id))).select(CardRow::as_select())).get_result(c).await;
    let card = row.optional()?.map(Card::from);
    Ok(card.filter(|card| match scope {
        CardScope::Owned { scope, .. } => scope.includes(card.partner_id, card.test),
        CardScope::Any { .. } => true,
    }))
}
