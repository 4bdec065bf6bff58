//! Limits on waiting for PostgreSQL, in addition to DATABASE_WAIT (issue 17: an answer within 10 s; the numbers are ours).

use std::time::Duration;

/// How long PostgreSQL may work on one statement.
pub const STATEMENT_WORK: Duration = Duration::from_secs(5);
/// How long a transaction may be idle in PostgreSQL, because its client is gone and its locks stay.
pub const TRANSACTION_IDLE: Duration = Duration::from_secs(5);
/// How long a unit of work may take once it has a connection: longer than STATEMENT_WORK, and short enough for an answer
/// within 10 s.
pub const DATABASE_WORK: Duration = Duration::from_secs(7);
/// After this long without a response, idle connections are tested; they must respond within DATABASE_SIGN_OF_LIFE.
pub const DATABASE_SLOW: Duration = Duration::from_secs(2);
pub const DATABASE_SIGN_OF_LIFE: Duration = Duration::from_secs(1);
/// How long requests are refused at once after PostgreSQL failed, before it is tried again.
pub const DATABASE_GONE: Duration = Duration::from_secs(1);
/// How long a connection to PostgreSQL may take, with TLS and password.
pub const DATABASE_CONNECT: Duration = Duration::from_secs(3);
/// The number of connections that lookups share (docs/performance.md).
pub const LOOKUP_CONNECTIONS: usize = 4;
/// The number of responses of keyed requests that share one commit, and the length of their queue (ours).
pub const RESPONSES_PER_COMMIT_MAX: usize = 64;
/// How long a health check waits for the database: longer than DATABASE_SLOW.
pub const DATABASE_CHECK: Duration = Duration::from_secs(3);
/// TCP options of connections to PostgreSQL: keepalive idle time, interval and count, and the time that sent data may stay
/// unacknowledged.
pub const DATABASE_KEEPALIVE_IDLE: Duration = Duration::from_secs(10);
pub const DATABASE_KEEPALIVE_INTERVAL: Duration = Duration::from_secs(3);
pub const DATABASE_KEEPALIVE_RETRIES: u32 = 3;
pub const DATABASE_UNACKNOWLEDGED: Duration = Duration::from_secs(10);
/// How often a replica tests its LISTEN connection when no notification arrives.
pub const LISTENER_TESTED_EVERY: Duration = Duration::from_secs(2);
/// How often a replica tries to migrate while another one migrates.
pub const MIGRATION_LOCK_TRIED_EVERY: Duration = Duration::from_millis(200);
