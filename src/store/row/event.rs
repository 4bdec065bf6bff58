//! Events of cards (decisions W1).

use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::sqlite::Sqlite;

use crate::model::{Actor, Event, Topic};
use crate::store::StoreError;
use crate::store::schema::events;
use crate::store::sql_type::{At, Id, Name};

#[derive(Debug, Queryable, Selectable, Insertable)]
#[diesel(table_name = events, check_for_backend(Sqlite, Pg), treat_none_as_default_value = false)]
pub(in crate::store) struct EventRow {
    id: Id,
    partner_id: Id,
    card_id: Id,
    topic: Name<Topic>,
    sequence: i64,
    actor: Name<Actor>,
    changed_fields: String,
    test: bool,
    occurred_at: At,
}

impl TryFrom<EventRow> for Event {
    type Error = StoreError;

    fn try_from(row: EventRow) -> Result<Self, StoreError> {
        let changed_fields = serde_json::from_str(&row.changed_fields);
        Ok(Event {
            id: row.id.0,
            partner_id: row.partner_id.0,
            card_id: row.card_id.0,
            topic: row.topic.0,
            sequence: row.sequence,
            actor: row.actor.0,
            changed_fields: changed_fields.map_err(|error| StoreError::Failed(error.into()))?,
            test: row.test,
            occurred_at: row.occurred_at.0,
        })
    }
}

impl TryFrom<&Event> for EventRow {
    type Error = StoreError;

    fn try_from(event: &Event) -> Result<Self, StoreError> {
        let changed_fields = serde_json::to_string(&event.changed_fields);
        Ok(EventRow {
            id: Id(event.id),
            partner_id: Id(event.partner_id),
            card_id: Id(event.card_id),
            topic: Name(event.topic),
            sequence: event.sequence,
            actor: Name(event.actor),
            changed_fields: changed_fields.map_err(|error| StoreError::Failed(error.into()))?,
            test: event.test,
            occurred_at: At(event.occurred_at),
        })
    }
}
