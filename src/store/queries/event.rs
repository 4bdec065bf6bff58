//! The outbox (decisions W1, W3).

use diesel::prelude::*;
use uuid::Uuid;

use super::{Conn, RunQueryDsl};
use crate::model::{Card, Event, EventDraft};
use crate::store::StoreError;
use crate::store::row::{EventRow, EventValues};
use crate::store::schema::events;
use crate::store::sql_type::Id;

pub(in crate::store) async fn events_of(c: &mut Conn, card_id: Uuid) -> Result<Vec<Event>, StoreError> {
    let of_card = events::table.filter(events::card_id.eq(Id(card_id))).order(events::sequence);
    let rows = of_card.select(EventRow::as_select()).load(c).await?;
    rows.into_iter().map(Event::try_from).collect()
}

/// Adds the events that led to `card`, whose `event_count` counts them already: the last one gets that number.
pub(in crate::store) async fn add_events(c: &mut Conn, card: &Card, drafts: &[EventDraft]) -> Result<(), StoreError> {
    for (sequence, draft) in (1..=card.event_count).rev().zip(drafts.iter().rev()) {
        let values = EventValues::new(card, draft, sequence)?;
        diesel::insert_into(events::table).values(values).execute(c).await?;
    }
    Ok(())
}
