//! The audit log: each write through an audited store that did something adds the entry of its command in its own transaction.

use std::sync::Arc;

use super::database::{CallContext, Unit, query};
use super::row::{Column, row};
use super::schema::audit;
use super::sql_type::{At, Id, Json};
use super::{Result, Store};
use crate::base::Timestamp;
use crate::model::{AuditEntry, AuditRecord, BACKUP, BACKUP_MANIFEST};

impl Store {
    /// Returns a handle on the same database whose writes are audited: the first one adds the entry, later ones find it.
    pub fn with_audit(&self, entry: AuditEntry) -> Store {
        let context = CallContext { audit: Some(Arc::new(entry)), ..self.context.clone() };
        Store { context, ..self.clone() }
    }

    /// Returns the record of the newest backup, whose subject is its absolute path.
    pub async fn last_backup(&self) -> Result<Option<AuditRecord>> {
        let (own, dump) = (self.last_audited(BACKUP).await?, self.last_audited(BACKUP_MANIFEST).await?);
        Ok(own.into_iter().chain(dump).max_by_key(|record| record.at))
    }

    /// Returns the records since this time, newest first.
    pub async fn audit_since(&self, since: Timestamp, limit: usize) -> Result<Vec<AuditRecord>> {
        query!(self.read(), audit_since(since, limit))
    }

    /// Returns the newest record of this command.
    pub async fn last_audited(&self, command: &str) -> Result<Option<AuditRecord>> {
        query!(self.read(), last_audited(command))
    }

    /// Adds the record of a command that writes nothing else, such as an export.
    pub async fn record_command(&self) -> Result<()> {
        match self.context.audit.clone() {
            Some(entry) => query!(self.write(Unit::Statement, |()| false), add_record(&entry)),
            None => Ok(()),
        }
    }

    /// Counts the audit records before a time.
    pub async fn audit_before(&self, before: Timestamp) -> Result<i64> {
        query!(self.read(), audit_before(before))
    }

    /// Deletes up to `at_most` of the oldest audit records before a time, and counts them.
    pub async fn delete_audit_before(&self, before: Timestamp, at_most: i64) -> Result<usize> {
        query!(self.write(Unit::Statement, if_any), delete_audit_before(before, at_most))
    }
}

// When a write did something, which the audit log then records.

pub(super) fn always<T>(_: &T) -> bool {
    true
}

pub(super) fn if_true(did: &bool) -> bool {
    *did
}

/// If it wrote or deleted any row.
pub(super) fn if_any(count: &usize) -> bool {
    *count > 0
}

row!(AuditRow in audit is AuditRecord {
    id: Id,
    at: At,
    actor: String,
    command: String,
    subject: String,
    fields: Json<Vec<String>>,
});

impl From<&AuditEntry> for AuditRow {
    fn from(entry: &AuditEntry) -> Self {
        AuditRow {
            id: Id(entry.id),
            at: At(entry.at),
            actor: entry.actor.clone(),
            command: entry.command.to_owned(),
            subject: entry.subject.clone(),
            fields: Json(entry.fields.iter().map(ToString::to_string).collect()),
        }
    }
}
