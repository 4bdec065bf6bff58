//! The events of cards (decisions W1, W3).

use diesel::prelude::*;
use uuid::Uuid;

use super::delivery::enqueue_deliveries;
use super::{Conn, RunQueryDsl};
use crate::model::{Card, Event, EventDraft};
use crate::store::StoreError;
use crate::store::row::EventRow;
use crate::store::schema::events;
use crate::store::sql_type::Id;

pub(in crate::store) async fn events_of(c: &mut Conn<'_>, card_id: Uuid) -> Result<Vec<Event>, StoreError> {
    let of_card = events::table.filter(events::card_id.eq(Id(card_id))).order(events::sequence);
    let rows = of_card.select(EventRow::as_select()).load(c).await?;
    rows.into_iter().map(Event::try_from).collect()
}

pub(in crate::store) async fn newest_events(
    c: &mut Conn<'_>,
    card_id: Uuid,
    count_max: usize,
) -> Result<(Vec<Event>, usize), StoreError> {
    let of_card = || events::table.filter(events::card_id.eq(Id(card_id)));
    let count: i64 = of_card().count().get_result(c).await?;
    let newest = of_card().order(events::sequence.desc()).limit(i64::try_from(count_max).unwrap_or(i64::MAX));
    let rows = newest.select(EventRow::as_select()).load(c).await?;
    let events: Result<_, _> = rows.into_iter().map(Event::try_from).collect();
    Ok((events?, usize::try_from(count).unwrap_or_default()))
}

/// Adds the events that led to `card`, and enqueues their deliveries. Returns whether any was enqueued.
///
/// `event_count` of the card includes the events: the last one gets that sequence number.
pub(in crate::store) async fn add_events(
    c: &mut Conn<'_>,
    card: &Card,
    drafts: &[EventDraft],
    public_base: &str,
) -> Result<bool, StoreError> {
    let first = card.event_count.saturating_add(1).saturating_sub(i64::try_from(drafts.len()).unwrap_or(i64::MAX));
    let events: Vec<Event> =
        (first..).zip(drafts).map(|(sequence, draft)| draft.clone().happened(card, sequence)).collect();
    for event in &events {
        insert_event(c, event).await?;
    }
    enqueue_deliveries(c, card, &events, public_base).await
}

pub(in crate::store) async fn insert_event(c: &mut Conn<'_>, event: &Event) -> Result<(), StoreError> {
    diesel::insert_into(events::table).values(EventRow::try_from(event)?).execute(c).await?;
    Ok(())
}
