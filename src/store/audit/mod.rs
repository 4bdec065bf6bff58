//! The audit log: each write through an audited store adds the entry of its command in its own transaction.

use std::sync::Arc;

use super::engine::store_methods;
use super::{Store, StoreError};
use crate::base::Timestamp;
use crate::model::{AuditEntry, AuditRecord, BACKUP, BACKUP_MANIFEST};

impl Store {
    /// Returns a handle on the same database whose writes are audited: the first one adds the entry, later ones find it.
    pub fn audited(&self, entry: AuditEntry) -> Store {
        Store { audit: Some(Arc::new(entry)), ..self.clone() }
    }

    /// Returns the record of the newest backup, whose subject is its absolute path.
    pub async fn last_backup(&self) -> Result<Option<AuditRecord>, StoreError> {
        let (own, dump) = (self.last_audited(BACKUP).await?, self.last_audited(BACKUP_MANIFEST).await?);
        Ok(own.into_iter().chain(dump).max_by_key(|record| record.at))
    }
}

store_methods! {
    /// Returns the records since this time, newest first.
    pub read audit_since(since: Timestamp, limit: usize) -> Result<Vec<AuditRecord>, StoreError>;
    /// Returns the newest record of this command.
    pub read last_audited(command: &str) -> Result<Option<AuditRecord>, StoreError>;
    /// Writes nothing but the audit record: for commands that export data.
    pub transaction note_alone() -> Result<(), StoreError>;
}
