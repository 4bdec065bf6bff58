//! The audit log: each write through an audited store adds a record in its own transaction.

use std::sync::Arc;

use super::engine::store_methods;
use super::{Store, StoreError};
use crate::base::{Clock, Entropy, Timestamp};
use crate::model::{AuditEntry, AuditRecord};

/// Makes the audit entries of one command, one for each of its transactions.
#[derive(Debug)]
pub struct Auditor {
    pub clock: Clock,
    pub entropy: Entropy,
    pub actor: String,
    pub command: &'static str,
    pub subject: String,
    pub fields: &'static [&'static str],
}

impl Auditor {
    pub(super) fn entry(&self) -> AuditEntry {
        let at = self.clock.now();
        AuditEntry {
            id: self.entropy.uuid(at),
            at,
            actor: self.actor.clone(),
            command: self.command,
            subject: self.subject.clone(),
            fields: self.fields,
        }
    }
}

impl Store {
    /// Returns a handle on the same database whose writes are audited.
    pub fn audited(&self, auditor: Auditor) -> Store {
        Store { audit: Some(Arc::new(auditor)), ..self.clone() }
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
