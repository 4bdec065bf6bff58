//! The audit log: each write through an audited store adds the entry of its command in its own transaction.

use std::sync::Arc;

use super::engine::store_methods;
use super::{Store, StoreError};
use crate::base::Timestamp;
use crate::model::{AuditEntry, AuditRecord};

impl Store {
    /// Returns a handle on the same database whose writes are audited: the first one adds the entry, later ones find it.
    pub fn audited(&self, entry: AuditEntry) -> Store {
        Store { audit: Some(Arc::new(entry)), ..self.clone() }
    }
}

store_methods! {
    /// Returns the records since this time, newest first.
    pub read audit_since(since: Timestamp, limit: usize) -> Result<Vec<AuditRecord>, StoreError>;
    /// Returns when this command was last recorded.
    pub read last_audited(command: &str) -> Result<Option<Timestamp>, StoreError>;
    /// Writes nothing but the audit record: for commands that export data.
    pub transaction note_alone() -> Result<(), StoreError>;
}
