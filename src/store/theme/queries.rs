//! Themes (specification, section 2.6; decisions V5, K4).

use diesel::dsl::max;
use diesel::prelude::*;
use uuid::Uuid;

use super::{Conn, Result, RunQueryDsl};
use crate::base::Timestamp;
use crate::model::{Theme, ThemeRef};
use crate::store::error::Outage;
use crate::store::prepared_query::prepared;
use crate::store::schema::themes;
use crate::store::sql_type::{At, Id};
use crate::store::theme::{ThemeRow, ThemeState};

/// How often adding a theme is tried again because another one took the number.
const ATTEMPTS: usize = 20;

pub(crate) async fn theme(c: &mut Conn<'_>, id: Uuid) -> Result<Option<Theme>> {
    let one = themes::table.filter(themes::id.eq(Id(id)));
    Ok(prepared!(one.select(ThemeRow::as_select())).get_result(c).await.optional()?.map(Theme::from))
}

pub(crate) async fn theme_by_number(c: &mut Conn<'_>, number: i64) -> Result<Option<Theme>> {
    let one = themes::table.filter(themes::number.eq(number));
    Ok(one.select(ThemeRow::as_select()).get_result(c).await.optional()?.map(Theme::from))
}

pub(crate) async fn theme_by_handle(c: &mut Conn<'_>, handle: &str) -> Result<Option<Theme>> {
    let one = themes::table.filter(themes::handle.eq(handle));
    Ok(one.select(ThemeRow::as_select()).get_result(c).await.optional()?.map(Theme::from))
}

pub(crate) async fn all_themes(c: &mut Conn<'_>) -> Result<Vec<(Theme, Option<Timestamp>)>> {
    let rows: Vec<(ThemeRow, Option<At>)> = themes::table
        .order((themes::position, themes::number))
        .select((ThemeRow::as_select(), themes::retired_at))
        .load(c)
        .await?;
    Ok(rows.into_iter().map(|(row, at)| (Theme::from(row), at.map(|at| at.0))).collect())
}

pub(crate) async fn theme_to_choose(c: &mut Conn<'_>, name: ThemeRef) -> Result<Option<(Uuid, bool)>> {
    let id_and_end = (themes::id, themes::retired_at);
    let found: Option<(Id, Option<At>)> = match name {
        ThemeRef::Id(id) => themes::table.filter(themes::id.eq(Id(id))).select(id_and_end).get_result(c).await,
        ThemeRef::Number(number) => {
            themes::table.filter(themes::number.eq(number)).select(id_and_end).get_result(c).await
        }
    }
    .optional()?;
    Ok(found.map(|(id, retired_at)| (id.0, retired_at.is_some())))
}

pub(crate) async fn retire_theme(c: &mut Conn<'_>, id: Uuid, at: Option<Timestamp>) -> Result<bool> {
    let theme = themes::table.filter(themes::id.eq(Id(id)));
    let set = themes::retired_at.eq(at.map(At));
    let changed = match at {
        Some(_) => prepared!(diesel::update(theme.filter(themes::retired_at.is_null())).set(set)).execute(c).await?,
        None => prepared!(diesel::update(theme.filter(themes::retired_at.is_not_null())).set(set)).execute(c).await?,
    };
    Ok(changed == 1)
}

pub(crate) async fn put_theme(c: &mut Conn<'_>, theme: Theme) -> Result<Theme> {
    let state = ThemeState::from(&theme);
    let found = themes::table.filter(themes::handle.eq(&theme.handle));
    for _ in 0..ATTEMPTS {
        let change = diesel::update(found).set(&state).returning(ThemeRow::as_returning());
        if let Some(row) = prepared!(change).get_result(c).await.optional()? {
            return Ok(row.into());
        }
        let last: Option<i64> = themes::table.select(max(themes::number)).get_result(c).await?;
        let row = (
            themes::id.eq(Id(theme.id)),
            themes::number.eq(last.unwrap_or(0).saturating_add(1)),
            themes::handle.eq(&theme.handle),
            &state,
        );
        // Adds nothing if another transaction took the number or the handle meanwhile.
        let added = diesel::insert_into(themes::table).values(row).on_conflict_do_nothing();
        if let Some(row) = added.returning(ThemeRow::as_returning()).get_result(c).await.optional()? {
            return Ok(row.into());
        }
    }
    Err(Outage::Contended("the numbering of themes").into())
}
