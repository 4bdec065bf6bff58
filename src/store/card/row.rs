//! Rows of cards and events.

use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::sqlite::Sqlite;

use crate::base::HttpUrl;
use crate::model::{
    Actor, Card, CardStatus, Deceased, Event, FamilyContact, Farewell, FocalPoint, Layout, PhotoKey, Topic, Visibility,
    parse_time, time_text,
};
use crate::store::schema::{cards, events};
use crate::store::sql_type::{At, Day, Id, Name};
use crate::store::{Result, StoreError};

#[derive(Debug, Queryable, Selectable)]
#[diesel(table_name = cards, check_for_backend(Sqlite, Pg))]
pub(in crate::store) struct CardRow {
    id: Id,
    partner_id: Id,
    external_dossier_id: String,
    external_funeral_director_id: Option<String>,
    theme_id: Option<Id>,
    deceased_first_name: Option<String>,
    deceased_last_name: Option<String>,
    deceased_date_of_birth: Option<Day>,
    deceased_date_of_death: Option<Day>,
    deceased_photo_key: Option<String>,
    livestream_url: Option<String>,
    family_contact_name: Option<String>,
    family_contact_email: Option<String>,
    layout: Name<Layout>,
    visibility: Name<Visibility>,
    memorial_text: Option<String>,
    status: Name<CardStatus>,
    slug: Option<String>,
    test: bool,
    created_at: At,
    updated_at: At,
    event_count: i64,
    ordered_at: Option<At>,
    activated_at: Option<At>,
    offline_since: Option<At>,
    farewell_date: Option<Day>,
    farewell_time: Option<String>,
    farewell_place: Option<String>,
    farewell_address: Option<String>,
    farewell_note: Option<String>,
    deceased_photo_focal_point: Option<String>,
}

impl From<CardRow> for Card {
    fn from(row: CardRow) -> Self {
        Card {
            id: row.id.0,
            partner_id: row.partner_id.0,
            external_dossier_id: row.external_dossier_id,
            external_funeral_director_id: row.external_funeral_director_id,
            theme_id: row.theme_id.map(|id| id.0),
            deceased: Deceased {
                first_name: row.deceased_first_name,
                last_name: row.deceased_last_name,
                date_of_birth: row.deceased_date_of_birth.map(|day| day.0),
                date_of_death: row.deceased_date_of_death.map(|day| day.0),
                photo: row.deceased_photo_key.map(PhotoKey::trusted),
                focal_point: row.deceased_photo_focal_point.as_deref().and_then(FocalPoint::parse),
            },
            livestream_url: row.livestream_url.map(HttpUrl::trusted),
            family_contact: FamilyContact { name: row.family_contact_name, email: row.family_contact_email },
            layout: row.layout.0,
            visibility: row.visibility.0,
            text: row.memorial_text,
            farewell: Farewell {
                date: row.farewell_date.map(|day| day.0),
                time: row.farewell_time.as_deref().and_then(parse_time),
                place: row.farewell_place,
                address: row.farewell_address,
                note: row.farewell_note,
            },
            status: row.status.0,
            slug: row.slug,
            test: row.test,
            created_at: row.created_at.0,
            updated_at: row.updated_at.0,
            ordered_at: row.ordered_at.map(|at| at.0),
            activated_at: row.activated_at.map(|at| at.0),
            offline_since: row.offline_since.map(|at| at.0),
            event_count: row.event_count,
        }
    }
}

/// A new card.
#[derive(Debug, Insertable)]
#[diesel(table_name = cards, treat_none_as_default_value = false)]
pub(in crate::store) struct CardValues<'a> {
    id: Id,
    partner_id: Id,
    external_dossier_id: &'a str,
    test: bool,
    created_at: At,
    #[diesel(embed)]
    state: CardState<'a>,
}

/// The columns that a change of the card writes. They are always written together, so that one prepared statement serves every change.
#[derive(Debug, AsChangeset, Insertable)]
#[diesel(table_name = cards, treat_none_as_default_value = false, treat_none_as_null = true)]
pub(in crate::store) struct CardState<'a> {
    external_funeral_director_id: Option<&'a str>,
    theme_id: Option<Id>,
    deceased_first_name: Option<&'a str>,
    deceased_last_name: Option<&'a str>,
    deceased_date_of_birth: Option<Day>,
    deceased_date_of_death: Option<Day>,
    deceased_photo_key: Option<&'a str>,
    livestream_url: Option<&'a str>,
    family_contact_name: Option<&'a str>,
    family_contact_email: Option<&'a str>,
    layout: Name<Layout>,
    visibility: Name<Visibility>,
    memorial_text: Option<&'a str>,
    status: Name<CardStatus>,
    slug: Option<&'a str>,
    updated_at: At,
    event_count: i64,
    ordered_at: Option<At>,
    activated_at: Option<At>,
    farewell_date: Option<Day>,
    farewell_time: Option<String>,
    farewell_place: Option<&'a str>,
    farewell_address: Option<&'a str>,
    farewell_note: Option<&'a str>,
    deceased_photo_focal_point: Option<String>,
}

impl<'a> From<&'a Card> for CardValues<'a> {
    fn from(card: &'a Card) -> Self {
        CardValues {
            id: Id(card.id),
            partner_id: Id(card.partner_id),
            external_dossier_id: &card.external_dossier_id,
            test: card.test,
            created_at: At(card.created_at),
            state: card.into(),
        }
    }
}

impl<'a> From<&'a Card> for CardState<'a> {
    fn from(card: &'a Card) -> Self {
        CardState {
            external_funeral_director_id: card.external_funeral_director_id.as_deref(),
            theme_id: card.theme_id.map(Id),
            deceased_first_name: card.deceased.first_name.as_deref(),
            deceased_last_name: card.deceased.last_name.as_deref(),
            deceased_date_of_birth: card.deceased.date_of_birth.map(Day),
            deceased_date_of_death: card.deceased.date_of_death.map(Day),
            deceased_photo_key: card.deceased.photo.as_ref().map(PhotoKey::as_str),
            livestream_url: card.livestream_url.as_ref().map(HttpUrl::as_str),
            family_contact_name: card.family_contact.name.as_deref(),
            family_contact_email: card.family_contact.email.as_deref(),
            layout: Name(card.layout),
            visibility: Name(card.visibility),
            memorial_text: card.text.as_deref(),
            status: Name(card.status),
            slug: card.slug.as_deref(),
            updated_at: At(card.updated_at),
            event_count: card.event_count,
            ordered_at: card.ordered_at.map(At),
            activated_at: card.activated_at.map(At),
            farewell_date: card.farewell.date.map(Day),
            farewell_time: card.farewell.time.map(time_text),
            farewell_place: card.farewell.place.as_deref(),
            farewell_address: card.farewell.address.as_deref(),
            farewell_note: card.farewell.note.as_deref(),
            deceased_photo_focal_point: card.deceased.focal_point.map(|point| point.to_string()),
        }
    }
}

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

    fn try_from(row: EventRow) -> Result<Self> {
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

    fn try_from(event: &Event) -> Result<Self> {
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
