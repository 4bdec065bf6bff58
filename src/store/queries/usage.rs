//! Usage counts by day.

use chrono::NaiveDate;
use diesel::prelude::*;
use diesel::upsert::excluded;

use super::{Conn, RunQueryDsl};
use crate::model::Usage;
use crate::store::StoreError;
use crate::store::prepared_query::prepared;
use crate::store::row::UsageRow;
use crate::store::schema::usage;
use crate::store::sql_type::Day;

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

pub(in crate::store) async fn usage_from(
    c: &mut Conn<'_>,
    from: NaiveDate,
    version: Option<&str>,
) -> Result<Vec<Usage>, StoreError> {
    let mut rows = usage::table.filter(usage::day.ge(Day(from))).into_boxed();
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

pub(in crate::store) async fn delete_expired_usage(c: &mut Conn<'_>, before: NaiveDate) -> Result<usize, StoreError> {
    Ok(diesel::delete(usage::table.filter(usage::day.lt(Day(before)))).execute(c).await?)
}
