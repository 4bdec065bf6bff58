//! Themes (specification, section 2.6). Their images and videos are JSON: they are read and written whole, and not searched.

mod list;

use std::sync::Arc;

use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::sqlite::Sqlite;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::audit::{always, if_true};
use super::database::{Unit, query};
use super::schema::themes;
use super::sql_type::{Id, Json};
use super::{Result, Store};
use crate::base::{HttpUrl, Timestamp};
use crate::model::{Card, Page, PageRequest, Theme, ThemeImage, ThemeRef};

pub(in crate::store) use list::ThemeCache;

impl Store {
    /// Returns the theme with this id. A change of another process is seen after at most `limits::THEMES_CACHED`.
    pub async fn theme(&self, id: Uuid) -> Result<Option<Arc<Theme>>> {
        match self.theme_list().await?.find(id) {
            Some(theme) => Ok(Some(theme)),
            None => Ok(self.new_theme(id).await?.map(Arc::new)),
        }
    }

    /// Returns the theme with this id, which may be newer than the list in memory.
    async fn new_theme(&self, id: Uuid) -> Result<Option<Theme>> {
        query!(self.run_shared(), theme(id))
    }

    /// Returns the theme of a card.
    pub async fn theme_of(&self, card: &Card) -> Result<Option<Arc<Theme>>> {
        match card.theme_id {
            Some(id) => self.theme(id).await,
            None => Ok(None),
        }
    }

    /// Returns the theme with this number of the operator's administration.
    pub async fn theme_by_number(&self, number: i64) -> Result<Option<Theme>> {
        query!(self.run_shared(), theme_by_number(number))
    }

    /// Returns the theme with this handle.
    pub async fn theme_by_handle(&self, handle: &str) -> Result<Option<Theme>> {
        query!(self.run_shared(), theme_by_handle(handle))
    }

    /// Returns a page of the offered themes in the operator's order. The page key is position and number. A change of another
    /// process is seen after at most `limits::THEMES_CACHED`.
    pub async fn themes_page(&self, request: &PageRequest<(i64, i64)>) -> Result<Page<Arc<Theme>>> {
        Ok(self.theme_list().await?.page(request))
    }

    /// Returns every theme in the operator's order, and when it was retired.
    pub async fn all_themes(&self) -> Result<Vec<(Theme, Option<Timestamp>)>> {
        query!(self.read(), all_themes())
    }

    /// Returns the id of the theme with this name, and whether it is retired.
    pub async fn theme_to_choose(&self, name: ThemeRef) -> Result<Option<(Uuid, bool)>> {
        query!(self.run_shared(), theme_to_choose(name))
    }

    /// Retires a theme at this time, or undoes that (`None`). Returns false if nothing changed.
    pub async fn retire_theme(&self, id: Uuid, at: Option<Timestamp>) -> Result<bool> {
        let retired = query!(self.write(Unit::Statement, if_true), retire_theme(id, at));
        self.themes.clear();
        retired
    }

    /// Adds a theme, or changes the one with its handle, and returns the stored theme. An existing theme keeps its id
    /// and number; a new one gets the next number instead of `number`.
    pub async fn put_theme(&self, theme: Theme) -> Result<Theme> {
        let put = query!(self.write(Unit::Transaction, always), put_theme(theme));
        self.themes.clear();
        put
    }
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = themes, check_for_backend(Sqlite, Pg))]
pub(super) struct ThemeRow {
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
pub(super) struct ThemeState<'a> {
    title: &'a str,
    description: &'a str,
    images: Json<Vec<ImageJson>>,
    videos: Json<Vec<&'a str>>,
    demo_url: Option<&'a str>,
    position: i64,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ImageJson {
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

impl<'a> From<&'a Theme> for ThemeState<'a> {
    fn from(theme: &'a Theme) -> Self {
        let images = theme.images.iter().map(|i| ImageJson { key: i.key.clone(), alt_text: i.alt_text.clone() });
        ThemeState {
            title: &theme.title,
            description: &theme.description,
            images: Json(images.collect()),
            videos: Json(theme.videos.iter().map(HttpUrl::as_str).collect()),
            demo_url: theme.demo_url.as_ref().map(HttpUrl::as_str),
            position: theme.position,
        }
    }
}
