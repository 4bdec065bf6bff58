//! Who notes what the operator does: every write through an audited handle of the store leaves a row beside it.

use std::sync::Arc;

use super::Store;
use crate::base::{Clock, Entropy};
use crate::model::AuditEntry;

/// Makes the entries of one command: one for each transaction of it.
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
    /// The same store, each of whose writes is noted in its own transaction.
    pub fn audited(&self, auditor: Auditor) -> Store {
        Store { audit: Some(Arc::new(auditor)), ..self.clone() }
    }
}
