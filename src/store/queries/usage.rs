//! Usage counts by day.

use chrono::NaiveDate;
use diesel::dsl::max;
use diesel::prelude::*;
use diesel::sql_types::Bool;
use diesel::upsert::excluded;

use super::{Conn, RunQueryDsl};
use crate::model::{KeyMode, LastUse, Scope, Usage};
use crate::store::StoreError;
use crate::store::prepared_query::prepared;
use crate::store::row::UsageRow;
use crate::store::schema::usage;
use crate::store::sql_type::{Day, Id, Name};

/// Adds the counts in the given order. Replicas that use the same order cannot deadlock.
pub(in crate::store) async fn add_usage(c: &mut Conn<'_>, counted: Vec<Usage>) -> Result<(), StoreError> {
    for one in counted {
        let insert = diesel::insert_into(usage::table).values(UsageRow::from(one));
        let added = insert
            .on_conflict((usage::day, usage::version, usage::partner_id, usage::key_mode, usage::coordinate))
            .do_update()
            .set(usage::count.eq(usage::count + excluded(usage::count)));
        prepared!(added).execute(c).await?;
    }
    Ok(())
}

pub(in crate::store) async fn usage_between(
    c: &mut Conn<'_>,
    from: NaiveDate,
    to: NaiveDate,
    version: Option<&str>,
) -> Result<Vec<Usage>, StoreError> {
    let mut rows = usage::table.filter(usage::day.between(Day(from), Day(to))).into_boxed();
    if let Some(version) = version {
        rows = rows.filter(usage::version.eq(version.to_owned()));
    }
    let ordered = rows.order((usage::day, usage::version, usage::partner_id, usage::key_mode, usage::coordinate));
    let rows: Vec<UsageRow> = ordered.select(UsageRow::as_select()).load(c).await?;
    Ok(rows.into_iter().map(Usage::from).collect())
}

pub(in crate::store) async fn usage_since(c: &mut Conn<'_>) -> Result<Option<NaiveDate>, StoreError> {
    let first: Option<Day> =
        usage::table.select(usage::day).order(usage::day).limit(1).get_result(c).await.optional()?;
    Ok(first.map(|day| day.0))
}

pub(in crate::store) async fn last_uses(
    c: &mut Conn<'_>,
    scope: Scope,
    coordinate: &str,
) -> Result<Vec<LastUse>, StoreError> {
    let reaches_live = scope.reaches_live().into_sql::<Bool>();
    let rows: Vec<(String, Name<KeyMode>, Option<Day>)> = usage::table
        .filter(usage::partner_id.eq(Id(scope.partner_id)))
        .filter(usage::coordinate.eq(coordinate.to_owned()))
        .filter(usage::key_mode.eq(Name(KeyMode::Test)).or(reaches_live))
        .group_by((usage::version, usage::key_mode))
        .order((usage::version, usage::key_mode))
        .select((usage::version, usage::key_mode, max(usage::day)))
        .load(c)
        .await?;
    let last = |(version, mode, day): (_, Name<_>, Option<Day>)| Some(LastUse { version, mode: mode.0, day: day?.0 });
    Ok(rows.into_iter().filter_map(last).collect())
}

pub(in crate::store) async fn delete_expired_usage(c: &mut Conn<'_>, before: NaiveDate) -> Result<usize, StoreError> {
    Ok(diesel::delete(usage::table.filter(usage::day.lt(Day(before)))).execute(c).await?)
}
