//! Events of the outbox, with the card as it was right after each (decisions W1).

use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::sqlite::Sqlite;
use serde::Serialize;

use crate::model::{Actor, Card, Event, Topic};
use crate::store::error::{Cause, StoreError};
use crate::store::schema::events;
use crate::store::sql_type::{At, Id, Name};

#[derive(Debug, Queryable, Selectable)]
#[diesel(table_name = events, check_for_backend(Sqlite, Pg))]
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

/// A new event.
#[derive(Debug, Insertable)]
#[diesel(table_name = events, treat_none_as_default_value = false)]
pub(in crate::store) struct EventValues {
    id: Id,
    partner_id: Id,
    card_id: Id,
    topic: Name<Topic>,
    sequence: i64,
    actor: Name<Actor>,
    changed_fields: String,
    test: bool,
    card: String,
    occurred_at: At,
}

impl EventValues {
    /// `card` is as the event left it.
    pub(in crate::store) fn new(card: &Card, event: &Event) -> Result<Self, StoreError> {
        let json = |value: serde_json::Result<String>| value.map_err(|error| StoreError::Failed(Cause::from(error)));
        Ok(EventValues {
            id: Id(event.id),
            partner_id: Id(event.partner_id),
            card_id: Id(event.card_id),
            topic: Name(event.topic),
            sequence: event.sequence,
            actor: Name(event.actor),
            changed_fields: json(serde_json::to_string(&event.changed_fields))?,
            test: event.test,
            card: json(serde_json::to_string(&CardThen::from(card)))?,
            occurred_at: At(event.occurred_at),
        })
    }
}

/// What a notification may show of a card, whatever its version: no names, mail, dates or photo (decisions W1).
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct CardThen<'a> {
    external_dossier_id: &'a str,
    external_funeral_director_id: Option<&'a str>,
    status: &'static str,
    slug: Option<&'a str>,
    test: bool,
    /// Milliseconds since the Unix epoch, as is the next.
    created_at: i64,
    updated_at: i64,
}

impl<'a> From<&'a Card> for CardThen<'a> {
    fn from(card: &'a Card) -> Self {
        CardThen {
            external_dossier_id: &card.external_dossier_id,
            external_funeral_director_id: card.external_funeral_director_id.as_deref(),
            status: card.status.as_str(),
            slug: card.slug.as_deref(),
            test: card.test,
            created_at: card.created_at.millis(),
            updated_at: card.updated_at.millis(),
        }
    }
}
