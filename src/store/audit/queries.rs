//! The audit log, written in the transaction of the audited write.

use std::any::Any;
use std::sync::Arc;

use diesel::prelude::*;

use super::{Conn, RunQueryDsl};
use crate::base::Timestamp;
use crate::model::{AuditEntry, AuditRecord};
use crate::store::StoreError;
use crate::store::row::AuditRow;
use crate::store::schema::audit;
use crate::store::sql_type::At;

/// Adds the record of an audited write, and returns the result of the write. A write that failed or returned false is
/// not recorded.
pub(in crate::store) async fn noted<T: 'static, E: From<StoreError>>(
    c: &mut Conn<'_>,
    entry: Option<Arc<AuditEntry>>,
    out: Result<T, E>,
) -> Result<T, E> {
    if let (Ok(done), Some(entry)) = (&out, entry)
        && (done as &dyn Any).downcast_ref() != Some(&false)
    {
        note(c, &entry).await?;
    }
    out
}

/// A command of several transactions has one record: its first transaction that commits adds it.
async fn note(c: &mut Conn<'_>, entry: &AuditEntry) -> Result<(), StoreError> {
    let row = AuditRow::try_from(entry)?;
    diesel::insert_into(audit::table).values(row).on_conflict(audit::id).do_nothing().execute(c).await?;
    Ok(())
}

pub(in crate::store) async fn note_alone(_: &mut Conn<'_>) -> Result<(), StoreError> {
    Ok(())
}

pub(in crate::store) async fn audit_since(
    c: &mut Conn<'_>,
    since: Timestamp,
    limit: usize,
) -> Result<Vec<AuditRecord>, StoreError> {
    let rows: Vec<AuditRow> = audit::table
        .filter(audit::at.ge(At(since)))
        .order((audit::at.desc(), audit::id.desc()))
        .limit(i64::try_from(limit).unwrap_or(i64::MAX))
        .select(AuditRow::as_select())
        .load(c)
        .await?;
    rows.into_iter().map(AuditRecord::try_from).collect()
}

pub(in crate::store) async fn last_audited(c: &mut Conn<'_>, command: &str) -> Result<Option<AuditRecord>, StoreError> {
    let newest = audit::table.filter(audit::command.eq(command)).order((audit::at.desc(), audit::id.desc()));
    let row: Option<AuditRow> = newest.select(AuditRow::as_select()).limit(1).get_result(c).await.optional()?;
    row.map(AuditRecord::try_from).transpose()
}
