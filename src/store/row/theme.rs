//! Themes. Their images and videos are JSON: they are read and written whole, and not searched.

use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::sqlite::Sqlite;
use serde::{Deserialize, Serialize};

use crate::base::HttpUrl;
use crate::model::{Theme, ThemeImage};
use crate::store::StoreError;
use crate::store::schema::themes;
use crate::store::sql_type::{Id, Json};

#[derive(Queryable, Selectable)]
#[diesel(table_name = themes, check_for_backend(Sqlite, Pg))]
pub(in crate::store) struct ThemeRow {
    id: Id,
    number: i64,
    handle: String,
    title: String,
    description: String,
    images: Json<Vec<ImageJson>>,
    videos: Json<Vec<String>>,
    demo_url: Option<String>,
    position: i64,
}

/// The columns that can change.
#[derive(Debug, AsChangeset, Insertable)]
#[diesel(table_name = themes, treat_none_as_default_value = false, treat_none_as_null = true)]
pub(in crate::store) struct ThemeState<'a> {
    title: &'a str,
    description: &'a str,
    images: String,
    videos: String,
    demo_url: Option<&'a str>,
    position: i64,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::store) struct ImageJson {
    key: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    alt_text: Option<String>,
}

impl From<ThemeRow> for Theme {
    fn from(row: ThemeRow) -> Self {
        Theme {
            id: row.id.0,
            number: row.number,
            handle: row.handle,
            title: row.title,
            description: row.description,
            images: row.images.0.into_iter().map(|i| ThemeImage { key: i.key, alt_text: i.alt_text }).collect(),
            videos: row.videos.0.into_iter().map(HttpUrl::trusted).collect(),
            demo_url: row.demo_url.map(HttpUrl::trusted),
            position: row.position,
        }
    }
}

impl<'a> TryFrom<&'a Theme> for ThemeState<'a> {
    type Error = StoreError;

    fn try_from(theme: &'a Theme) -> Result<Self, StoreError> {
        let images = theme.images.iter().map(|i| ImageJson { key: i.key.clone(), alt_text: i.alt_text.clone() });
        let videos: Vec<&str> = theme.videos.iter().map(HttpUrl::as_str).collect();
        let unwritable = |error: serde_json::Error| StoreError::Failed(error.into());
        Ok(ThemeState {
            title: &theme.title,
            description: &theme.description,
            images: serde_json::to_string(&images.collect::<Vec<_>>()).map_err(unwritable)?,
            videos: serde_json::to_string(&videos).map_err(unwritable)?,
            demo_url: theme.demo_url.as_ref().map(HttpUrl::as_str),
            position: theme.position,
        })
    }
}
