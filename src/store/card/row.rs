//! Rows of cards and events.

use chrono::NaiveTime;
use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::sqlite::Sqlite;

use crate::model::{
    Actor, Card, CardStatus, Deceased, Event, FamilyContact, Farewell, FocalPoint, Layout, LeadIn, Topic, Visibility,
    parse_time, time_text,
};
use crate::store::insert::insertable;
use crate::store::row::{Column, row};
use crate::store::schema::{cards, events};
use crate::store::sql_type::{At, Day, Id, Json, Name};

impl Column<Option<FocalPoint>> for Option<String> {
    fn from_model(value: Option<FocalPoint>) -> Self {
        value.map(|point| point.to_string())
    }

    fn into_model(self) -> Option<FocalPoint> {
        self.as_deref().and_then(FocalPoint::parse)
    }
}

impl Column<Option<NaiveTime>> for Option<String> {
    fn from_model(value: Option<NaiveTime>) -> Self {
        value.map(time_text)
    }

    fn into_model(self) -> Option<NaiveTime> {
        self.as_deref().and_then(parse_time)
    }
}

/// Defines the row of a card, and its INSERT, from one list of its columns: `column: type = field`, in a block for the card and for each
/// of its parts. A change of the card writes the `state` columns.
macro_rules! card_rows {
    (
        fixed { $($fixed:ident: $fixed_type:ty,)+ }
        state { $($column:ident: $type:ty = $field:ident,)+ }
        $($part:ident: $model:ident { $($part_column:ident: $part_type:ty = $part_field:ident,)+ })+
    ) => {
        #[derive(Queryable, Selectable)]
        #[diesel(table_name = cards, check_for_backend(Sqlite, Pg))]
        pub(in crate::store) struct CardRow {
            $($fixed: $fixed_type,)+
            #[diesel(embed)]
            state: CardState,
        }

        insertable!(CardRow in cards {
            $($fixed: $fixed,)+
            $($column: state.$column,)+
            $($($part_column: state.$part_column,)+)+
        });

        /// The columns that a change of the card writes. They are always written together, so that one prepared statement serves
        /// every change.
        #[derive(Queryable, Selectable, AsChangeset)]
        #[diesel(table_name = cards, check_for_backend(Sqlite, Pg), treat_none_as_null = true)]
        pub(in crate::store) struct CardState {
            $($column: $type,)+
            $($($part_column: $part_type,)+)+
        }

        impl From<CardRow> for Card {
            fn from(CardRow { $($fixed,)+ state }: CardRow) -> Self {
                Card {
                    $($fixed: Column::into_model($fixed),)+
                    $($field: Column::into_model(state.$column),)+
                    $($part: $model { $($part_field: Column::into_model(state.$part_column),)+ },)+
                }
            }
        }

        impl From<&Card> for CardRow {
            fn from(card: &Card) -> Self {
                CardRow { $($fixed: Column::from_model(card.$fixed.clone()),)+ state: card.into() }
            }
        }

        impl From<&Card> for CardState {
            fn from(card: &Card) -> Self {
                CardState {
                    $($column: Column::from_model(card.$field.clone()),)+
                    $($($part_column: Column::from_model(card.$part.$part_field.clone()),)+)+
                }
            }
        }
    };
}

card_rows! {
    fixed {
        id: Id,
        partner_id: Id,
        external_dossier_id: String,
        test: bool,
        created_at: At,
        offline_since: Option<At>,
    }
    state {
        external_funeral_director_id: Option<String> = external_funeral_director_id,
        theme_id: Option<Id> = theme_id,
        livestream_url: Option<String> = livestream_url,
        layout: Name<Layout> = layout,
        visibility: Name<Visibility> = visibility,
        lead_in: Name<LeadIn> = lead_in,
        memorial_text: Option<String> = text,
        status: Name<CardStatus> = status,
        slug: Option<String> = slug,
        updated_at: At = updated_at,
        event_count: i64 = event_count,
        ordered_at: Option<At> = ordered_at,
        activated_at: Option<At> = activated_at,
    }
    deceased: Deceased {
        deceased_first_name: Option<String> = first_name,
        deceased_last_name: Option<String> = last_name,
        deceased_date_of_birth: Option<Day> = date_of_birth,
        deceased_date_of_death: Option<Day> = date_of_death,
        deceased_photo_key: Option<String> = photo,
        deceased_photo_focal_point: Option<String> = focal_point,
    }
    family_contact: FamilyContact {
        family_contact_name: Option<String> = name,
        family_contact_email: Option<String> = email,
    }
    farewell: Farewell {
        farewell_date: Option<Day> = date,
        farewell_time: Option<String> = time,
        farewell_until: Option<String> = until,
        farewell_place: Option<String> = place,
        farewell_address: Option<String> = address,
        farewell_note: Option<String> = note,
    }
}

row!(EventRow in events is Event {
    id: Id,
    partner_id: Id,
    card_id: Id,
    topic: Name<Topic>,
    sequence: i64,
    actor: Name<Actor>,
    changed_fields: Json<Vec<String>>,
    test: bool,
    occurred_at: At,
} inserted often);
