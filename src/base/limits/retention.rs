//! Limits on how long data is kept: the default of the audit log, their bounds, and the pace of the worker (ours).

use std::time::Duration;

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// An audit record.
pub const AUDIT_KEPT: Duration = DAY.saturating_mul(2 * 365);
/// A session link, from its end.
pub const SESSION_LINKS_KEPT: Duration = DAY.saturating_mul(30);

/// The bounds of the settings, in days. Events are needed as long as their deliveries ([`super::DELIVERY_HELD`]).
pub const RETENTION_DAYS_MIN: u32 = 1;
pub const EVENTS_KEPT_DAYS_MIN: u32 = 31;
pub const RETENTION_DAYS_MAX: u32 = 36_500;

/// The pause between two steps of the retention worker, each of which looks at so many cards: 1.4 million a day.
pub const RETENTION_STEP_EVERY: Duration = Duration::from_secs(60);
pub const RETENTION_CARDS_READ_AT_ONCE: i64 = 1_000;
/// The number of rows of another table that one transaction deletes.
pub const RETENTION_ROWS_DELETED_AT_ONCE: i64 = 1_000;
