//! The audit log of the operator: who, when, what and which fields. Never a value, which may be personal or secret.

use uuid::Uuid;

use crate::base::Timestamp;

/// The command of an audit record that a backup leaves.
pub const BACKUP: &str = "backup";
/// The command of an audit record that the backup of another program leaves, which gets a manifest.
pub const BACKUP_MANIFEST: &str = "backup manifest";
/// The command of an audit record that a good drill of a backup leaves.
pub const BACKUP_DRILL: &str = "backup drill";

/// The name of a change in the audit log, the same for a command and a page of the administration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AuditWords {
    /// The command without its arguments, such as `partner set`.
    pub command: &'static str,
    /// The fields that it sets, by their names in the JSON output.
    pub fields: &'static [&'static str],
}

/// The actor of an audit record that the server itself leaves.
pub const SERVICE_ACTOR: &str = "card-service";

const fn words(command: &'static str, fields: &'static [&'static str]) -> AuditWords {
    AuditWords { command, fields }
}

pub const KEY_ISSUE: AuditWords = words("key issue", &["mode", "label", "expiresAt"]);
pub const KEY_REVOKE: AuditWords = words("key revoke", &["revokedAt"]);
pub const MAIL_RESEND: AuditWords = words("mail resend", &[]);
/// A deletion because a RETENTION setting says so.
pub const RETENTION: AuditWords = words("retention", &[]);
pub const SESSION_REVOKE: AuditWords = words("session revoke", &[]);
pub const WEBHOOK_REPLAY: AuditWords = words("webhook replay", &[]);
pub const WEBHOOK_RESUME: AuditWords = words("webhook resume", &["pausedAt"]);

/// A change by the operator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditEntry {
    pub id: Uuid,
    pub at: Timestamp,
    /// The user of the operating system, or the name of a link to the administration.
    pub actor: String,
    /// The command without its arguments, such as `partner set`.
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
