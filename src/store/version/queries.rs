//! Usage counts by day, and notices about versions of the API.

use chrono::NaiveDate;
use diesel::prelude::*;
use diesel::upsert::excluded;

use super::{Conn, Result, RunQueryDsl};
use crate::model::{Usage, VersionNotice};
use crate::store::prepared_query::prepared;
use crate::store::schema::{usage, version_notices};
use crate::store::sql_type::Day;
use crate::store::version::{UsageRow, VersionNoticeRow};

/// Adds the counts in the given order. Replicas that use the same order cannot deadlock.
pub(crate) async fn add_usage(c: &mut Conn<'_>, counted: Vec<Usage>) -> Result<()> {
    for one in counted {
        let insert = diesel::insert_into(usage::table).values(UsageRow::from(one));
        let added = insert
            .on_conflict((usage::day, usage::version, usage::partner_id, usage::key_mode, usage::coordinate))
            .do_update()
            .set(usage::count.eq(usage::count + excluded(usage::count)));
        prepared!(added).perform(c).await?;
    }
    Ok(())
}

pub(crate) async fn usage_from(c: &mut Conn<'_>, from: NaiveDate, version: Option<&str>) -> Result<Vec<Usage>> {
    let mut rows = usage::table.filter(usage::day.ge(Day(from))).into_boxed();
    if let Some(version) = version {
        rows = rows.filter(usage::version.eq(version.to_owned()));
    }
    let ordered = rows.order((usage::day, usage::version, usage::partner_id, usage::key_mode, usage::coordinate));
    let rows: Vec<UsageRow> = ordered.select(UsageRow::as_select()).load(c).await?;
    Ok(rows.into_iter().map(Usage::from).collect())
}

pub(crate) async fn usage_since(c: &mut Conn<'_>) -> Result<Option<NaiveDate>> {
    let first: Option<Day> =
        usage::table.select(usage::day).order(usage::day).limit(1).get_result(c).await.optional()?;
    Ok(first.map(|day| day.0))
}

pub(crate) async fn delete_expired_usage(c: &mut Conn<'_>, before: NaiveDate) -> Result<usize> {
    Ok(diesel::delete(usage::table.filter(usage::day.lt(Day(before)))).execute(c).await?)
}

pub(crate) async fn version_notices(c: &mut Conn<'_>) -> Result<Vec<VersionNotice>> {
    let all = version_notices::table.order(version_notices::version);
    let rows: Vec<VersionNoticeRow> = all.select(VersionNoticeRow::as_select()).load(c).await?;
    Ok(rows.into_iter().map(VersionNotice::from).collect())
}

pub(crate) async fn put_version_notice(c: &mut Conn<'_>, notice: VersionNotice) -> Result<()> {
    let version = version_notices::table.find(notice.version.clone());
    diesel::delete(version).perform(c).await?;
    diesel::insert_into(version_notices::table).values(VersionNoticeRow::from(notice)).perform(c).await?;
    Ok(())
}

pub(crate) async fn delete_version_notice(c: &mut Conn<'_>, version: String) -> Result<bool> {
    Ok(diesel::delete(version_notices::table.find(version)).execute(c).await? == 1)
}
