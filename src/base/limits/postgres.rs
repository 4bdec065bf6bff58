//! Limits on what PostgreSQL is waited for, beside DATABASE_WAIT (issue 17: an answer within 10 s; the numbers are ours).

use std::time::Duration;

/// How long PostgreSQL may work on one statement.
pub const STATEMENT_WORK: Duration = Duration::from_secs(5);
/// How long a transaction may stand still in PostgreSQL: its client has fallen silent, and it keeps its locks.
pub const TRANSACTION_IDLE: Duration = Duration::from_secs(5);
/// How long we wait for PostgreSQL to do a unit of work, from the moment we have a connection: longer than STATEMENT_WORK,
/// and short enough for an answer within 10 s.
pub const DATABASE_WORK: Duration = Duration::from_secs(7);
/// After this long PostgreSQL may have fallen silent: idle connections are asked for a sign of life, which must come within
/// DATABASE_SIGN_OF_LIFE.
pub const DATABASE_SLOW: Duration = Duration::from_secs(2);
pub const DATABASE_SIGN_OF_LIFE: Duration = Duration::from_secs(1);
/// How long requests are refused at once after PostgreSQL was given up, before it is tried again.
pub const DATABASE_GONE: Duration = Duration::from_secs(1);
/// How long a connection to PostgreSQL may take, TLS and password included.
pub const DATABASE_CONNECT: Duration = Duration::from_secs(3);
/// How long a health check waits for the database: longer than DATABASE_SLOW.
pub const DATABASE_CHECK: Duration = Duration::from_secs(3);
/// What the system is told about connections to PostgreSQL: after how long without a word it asks, how often, how many
/// times; and how long what we sent may stay unacknowledged.
pub const DATABASE_KEEPALIVE_IDLE: Duration = Duration::from_secs(10);
pub const DATABASE_KEEPALIVE_INTERVAL: Duration = Duration::from_secs(3);
pub const DATABASE_KEEPALIVE_RETRIES: u32 = 3;
pub const DATABASE_UNACKNOWLEDGED: Duration = Duration::from_secs(10);
/// How often a replica that hears nothing from the others asks whether its connection still lives.
pub const LISTENER_ASKS_EVERY: Duration = Duration::from_secs(2);
/// How often a replica asks whether it may migrate, while another one does.
pub const MIGRATION_LOCK_ASKED_EVERY: Duration = Duration::from_millis(200);
