//! What the operator did: who, when, what and to which fields. Never a value: those may be personal or secret.

use uuid::Uuid;

use crate::base::Timestamp;

/// A change that the operator made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditEntry {
    pub id: Uuid,
    pub at: Timestamp,
    /// The user of the operating system.
    pub actor: String,
    /// As it is typed, without its arguments: `partner price`.
    pub command: &'static str,
    /// What it was done to, as it was named: a partner, a key, a card.
    pub subject: String,
    /// The fields that it sets, as the views call them.
    pub fields: &'static [&'static str],
}

/// The same as it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditRecord {
    pub id: Uuid,
    pub at: Timestamp,
    pub actor: String,
    pub command: String,
    pub subject: String,
    pub fields: Vec<String>,
}
