//! The audit log, written in the transaction of the audited write.

use std::sync::Arc;

use diesel::prelude::*;

use super::{Conn, Result, RunQueryDsl};
use crate::base::Timestamp;
use crate::model::{AuditEntry, AuditRecord};
use crate::store::StoreError;
use crate::store::audit::AuditRow;
use crate::store::schema::audit;
use crate::store::sql_type::{At, Id};

/// Adds the entry of an audited store after a write, and returns the result of the write. A write that failed, or did nothing
/// by `did_something`, is not recorded.
pub(crate) async fn record<T, E: From<StoreError>>(
    c: &mut Conn<'_>,
    entry: Option<Arc<AuditEntry>>,
    did_something: impl FnOnce(&T) -> bool,
    out: Result<T, E>,
) -> Result<T, E> {
    if let (Ok(done), Some(entry)) = (&out, entry)
        && did_something(done)
    {
        add_record(c, &entry).await?;
    }
    out
}

/// A command of several transactions has one record: its first transaction that did something adds it.
pub(crate) async fn add_record(c: &mut Conn<'_>, entry: &AuditEntry) -> Result<()> {
    let row = AuditRow::from(entry);
    diesel::insert_into(audit::table).values(row).on_conflict(audit::id).do_nothing().perform(c).await?;
    Ok(())
}

pub(crate) async fn audit_since(c: &mut Conn<'_>, since: Timestamp, limit: usize) -> Result<Vec<AuditRecord>> {
    let rows: Vec<AuditRow> = audit::table
        .filter(audit::at.ge(At(since)))
        .order((audit::at.desc(), audit::id.desc()))
        .limit(i64::try_from(limit).unwrap_or(i64::MAX))
        .select(AuditRow::as_select())
        .load(c)
        .await?;
    Ok(rows.into_iter().map(AuditRecord::from).collect())
}

pub(crate) async fn last_audited(c: &mut Conn<'_>, command: &str) -> Result<Option<AuditRecord>> {
    let newest = audit::table.filter(audit::command.eq(command)).order((audit::at.desc(), audit::id.desc()));
    let row: Option<AuditRow> = newest.select(AuditRow::as_select()).limit(1).get_result(c).await.optional()?;
    Ok(row.map(AuditRecord::from))
}

pub(crate) async fn audit_before(c: &mut Conn<'_>, before: Timestamp) -> Result<i64> {
    Ok(audit::table.filter(audit::at.lt(At(before))).count().get_result(c).await?)
}

pub(crate) async fn delete_audit_before(c: &mut Conn<'_>, before: Timestamp, at_most: i64) -> Result<usize> {
    let old = audit::table.filter(audit::at.lt(At(before))).order((audit::at, audit::id)).limit(at_most);
    let ids: Vec<Id> = old.select(audit::id).load(c).await?;
    Ok(diesel::delete(audit::table.filter(among!(audit::id, ids))).execute(c).await?)
}
