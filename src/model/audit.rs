//! The audit log of the operator: who, when, what and which fields. Never a value, which may be personal or secret.

use uuid::Uuid;

use crate::base::Timestamp;

/// The command of an audit record that a backup leaves.
pub const BACKUP: &str = "backup";
/// The command of an audit record that the backup of another program leaves, which gets a manifest.
pub const BACKUP_MANIFEST: &str = "backup manifest";
/// The command of an audit record that a good drill of a backup leaves.
pub const BACKUP_DRILL: &str = "backup drill";

/// A change by the operator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditEntry {
    pub id: Uuid,
    pub at: Timestamp,
    /// The user of the operating system.
    pub actor: String,
    /// The command without its arguments, such as `partner price`.
    pub command: &'static str,
    /// The subject as the operator typed it: a partner, a key, a card.
    pub subject: String,
    /// The fields that the command sets, by their names in the JSON output.
    pub fields: &'static [&'static str],
}

/// An audit record as it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditRecord {
    pub id: Uuid,
    pub at: Timestamp,
    pub actor: String,
    pub command: String,
    pub subject: String,
    pub fields: Vec<String>,
}
