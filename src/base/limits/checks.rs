//! The limits of the checks of the service (the numbers are ours).

use std::time::Duration;

pub const OBJECT_STORE_CHECK: Duration = Duration::from_secs(2);
/// The time for a metric in the database: less than METRICS_CONNECTION.
pub const READINESS_DATABASE: Duration = Duration::from_secs(3);
/// The time for one check: longer than DATABASE_CHECK, less than METRICS_CONNECTION.
pub const CHECK_TOTAL: Duration = Duration::from_secs(4);
/// How long the result of a health check is reused.
pub const READINESS_KEPT: Duration = Duration::from_secs(1);
/// How long the result of a check of another machine is reused, so that scrapes do not load it.
pub const REMOTE_CHECK_KEPT: Duration = Duration::from_secs(60);
/// The time for the mail server to accept a connection and the password, and for a name to resolve: less than
/// CHECK_TOTAL.
pub const MAIL_SERVER_CHECK: Duration = Duration::from_millis(2_500);
pub const NAME_CHECK: Duration = Duration::from_secs(2);
/// How long a worker may complete no step, in addition to its pause: longer than any step takes.
pub const WORKER_SILENT_MAX: Duration = Duration::from_secs(5 * 60);
/// A notification that waits for longer for its attempt is overdue.
pub const DELIVERY_OVERDUE: Duration = Duration::from_secs(5 * 60);
/// The free space on the disk of the data folder, in bytes.
pub const DISK_FREE_BYTES_MIN: u64 = 1024 * 1024 * 1024;
/// How far the clocks of this machine and of the database may differ.
pub const CLOCK_SKEW_MAX: Duration = Duration::from_secs(10);
/// How much of a server's readiness a command reads, in bytes.
pub const SERVER_CHECKS_BYTES_MAX: u64 = 1024 * 1024;
/// The age of the last recorded backup: a day, and a missed run.
pub const BACKUP_AGE_MAX: Duration = Duration::from_secs(48 * 60 * 60);
/// The age of the last drill: a week, and a missed run.
pub const BACKUP_DRILL_AGE_MAX: Duration = Duration::from_secs(8 * 24 * 60 * 60);
