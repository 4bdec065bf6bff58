//! Documents that partners sent, in their normal form.

use std::collections::BTreeSet;

use chrono::NaiveDate;
use diesel::prelude::*;
use diesel::sql_types::Bool;
use diesel::upsert::excluded;

use super::{Conn, RunQueryDsl};
use crate::base::limits;
use crate::model::{KeyMode, Scope, UsageDocument};
use crate::store::StoreError;
use crate::store::prepared_query::prepared;
use crate::store::row::UsageDocumentRow;
use crate::store::schema::{partners, usage_documents};
use crate::store::sql_type::{Day, Digest, Id, Name};

/// Adds the documents in the given order. Replicas that use the same order cannot deadlock.
pub(in crate::store) async fn add_usage_documents(
    c: &mut Conn<'_>,
    sent: Vec<UsageDocument>,
) -> Result<(), StoreError> {
    let mut groups = BTreeSet::new();
    for one in sent {
        groups.insert((one.partner_id, one.mode, one.version.clone()));
        let key = (Id(one.partner_id), Name(one.mode), one.version.clone(), Digest(one.digest));
        let last_day = Day(one.last_day);
        let insert = diesel::insert_into(usage_documents::table).values(UsageDocumentRow::from(one));
        let added = insert
            .on_conflict((
                usage_documents::partner_id,
                usage_documents::key_mode,
                usage_documents::version,
                usage_documents::digest,
            ))
            .do_update()
            .set(usage_documents::count.eq(usage_documents::count + excluded(usage_documents::count)));
        prepared!(added).execute(c).await?;
        // Another replica may have written a later day.
        let earlier = usage_documents::table.find(key).filter(usage_documents::last_day.lt(last_day));
        prepared!(diesel::update(earlier).set(usage_documents::last_day.eq(last_day))).execute(c).await?;
    }
    for (partner_id, mode, version) in groups {
        delete_beyond_max(c, Id(partner_id), Name(mode), version).await?;
    }
    Ok(())
}

/// Of documents that were last used on the same day, those that were used more often stay.
async fn delete_beyond_max(
    c: &mut Conn<'_>,
    partner_id: Id,
    mode: Name<KeyMode>,
    version: String,
) -> Result<(), StoreError> {
    let beyond: Vec<Digest> = usage_documents::table
        .filter(usage_documents::partner_id.eq(partner_id))
        .filter(usage_documents::key_mode.eq(mode))
        .filter(usage_documents::version.eq(version.clone()))
        .order((usage_documents::last_day.desc(), usage_documents::count.desc(), usage_documents::digest))
        .offset(limits::STORED_DOCUMENTS_MAX)
        .limit(i64::MAX)
        .select(usage_documents::digest)
        .load(c)
        .await?;
    for digest in beyond {
        let one = usage_documents::table.find((partner_id, mode, version.clone(), digest));
        diesel::delete(one).execute(c).await?;
    }
    Ok(())
}

pub(in crate::store) async fn usage_documents(
    c: &mut Conn<'_>,
    version: Option<&str>,
) -> Result<Vec<UsageDocument>, StoreError> {
    let mut rows = usage_documents::table.into_boxed();
    if let Some(version) = version {
        rows = rows.filter(usage_documents::version.eq(version.to_owned()));
    }
    let ordered =
        rows.order((usage_documents::last_day.desc(), usage_documents::count.desc(), usage_documents::digest));
    let rows: Vec<UsageDocumentRow> = ordered.select(UsageDocumentRow::as_select()).load(c).await?;
    Ok(rows.into_iter().map(UsageDocument::from).collect())
}

pub(in crate::store) async fn usage_documents_of(
    c: &mut Conn<'_>,
    scope: Scope,
    version: &str,
    count_max: i64,
) -> Result<Vec<UsageDocument>, StoreError> {
    let reaches_live = scope.reaches_live().into_sql::<Bool>();
    let rows: Vec<UsageDocumentRow> = usage_documents::table
        .filter(usage_documents::partner_id.eq(Id(scope.partner_id)))
        .filter(usage_documents::key_mode.eq(Name(KeyMode::Test)).or(reaches_live))
        .filter(usage_documents::version.ne(version.to_owned()))
        .order((usage_documents::last_day.desc(), usage_documents::count.desc(), usage_documents::digest))
        .limit(count_max)
        .select(UsageDocumentRow::as_select())
        .load(c)
        .await?;
    Ok(rows.into_iter().map(UsageDocument::from).collect())
}

pub(in crate::store) async fn delete_expired_usage_documents(
    c: &mut Conn<'_>,
    before: NaiveDate,
) -> Result<usize, StoreError> {
    let is_gone = usage_documents::partner_id.ne_all(partners::table.select(partners::id));
    let expired = usage_documents::table.filter(usage_documents::last_day.lt(Day(before)).or(is_gone));
    Ok(diesel::delete(expired).execute(c).await?)
}
