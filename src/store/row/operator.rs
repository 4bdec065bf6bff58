//! What the operator did: the audit log, and notices about versions.

use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::sqlite::Sqlite;

use super::record::{Column, row};
use crate::model::{AuditEntry, AuditRecord, VersionNotice};
use crate::store::StoreError;
use crate::store::schema::{audit, version_notices};
use crate::store::sql_type::{At, Day, Id};

#[derive(Debug, Queryable, Selectable, Insertable)]
#[diesel(table_name = audit, check_for_backend(Sqlite, Pg))]
pub(in crate::store) struct AuditRow {
    id: Id,
    at: At,
    actor: String,
    command: String,
    subject: String,
    fields: String,
}

impl TryFrom<&AuditEntry> for AuditRow {
    type Error = StoreError;

    fn try_from(entry: &AuditEntry) -> Result<Self, StoreError> {
        Ok(AuditRow {
            id: Id(entry.id),
            at: At(entry.at),
            actor: entry.actor.clone(),
            command: entry.command.to_owned(),
            subject: entry.subject.clone(),
            fields: serde_json::to_string(entry.fields).map_err(|error| StoreError::Failed(error.into()))?,
        })
    }
}

impl TryFrom<AuditRow> for AuditRecord {
    type Error = StoreError;

    fn try_from(row: AuditRow) -> Result<Self, StoreError> {
        Ok(AuditRecord {
            id: row.id.0,
            at: row.at.0,
            actor: row.actor,
            command: row.command,
            subject: row.subject,
            fields: serde_json::from_str(&row.fields).map_err(|error| StoreError::Failed(error.into()))?,
        })
    }
}

row!(VersionNoticeRow in version_notices is VersionNotice {
    version: String,
    deprecated: Day,
    sunset: Day,
    link: Option<String>,
    retired_at: Option<At>
});
