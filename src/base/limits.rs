//! Every limit of the service, once: name, unit and source. The schema's descriptions state the same numbers.

use std::time::Duration;

// Texts, in Unicode characters (decisions V4; specification, section 8).
pub const EXTERNAL_DOSSIER_ID_CHARS_MAX: usize = 255;
pub const EXTERNAL_FUNERAL_DIRECTOR_ID_CHARS_MAX: usize = 200;
pub const NAME_CHARS_MAX: usize = 255;
pub const EMAIL_CHARS_MAX: usize = 254;
pub const URL_CHARS_MAX: usize = 2_048;

// Pages, in items (decisions V5).
pub const PAGE_SIZE_DEFAULT: usize = 50;
pub const PAGE_SIZE_MAX: usize = 250;

// Requests (decisions H7).
pub const BODY_BYTES_MAX: usize = 256 * 1024;
pub const DOCUMENT_BYTES_MAX: usize = 32 * 1024;
pub const DOCUMENT_NESTING_MAX: usize = 32;
pub const SELECTED_FIELDS_MAX: usize = 1_000;
pub const DEPTH_MAX: usize = 10;
pub const ALIASES_MAX: usize = 15;
pub const DIRECTIVES_MAX: usize = 50;
pub const ROOT_MUTATION_FIELDS_MAX: usize = 5;

// Idempotency (specification, section 8; decisions, section 4).
pub const IDEMPOTENCY_KEY_CHARS_MAX: usize = 255;
pub const IDEMPOTENCY_REMEMBERED: Duration = Duration::from_secs(24 * 60 * 60);

// Sessions (specification, section 2.7).
pub const SESSION_LINK_VALID: Duration = Duration::from_secs(10 * 60);

// Portraits (specification, section 2.11; decisions, section 7).
pub const PHOTO_BYTES_MAX: usize = 10_485_760;
pub const PHOTO_FETCH_TOTAL: Duration = Duration::from_secs(15);
pub const PHOTO_REDIRECTS_MAX: usize = 3;
/// How long a stored photo may wait for its card before the sweep takes it.
pub const PHOTO_UNUSED: Duration = Duration::from_secs(60 * 60);

// Webhooks (decisions W3, W5).
pub const OUTBOUND_CONNECT: Duration = Duration::from_secs(5);
pub const SUBSCRIPTIONS_PER_TOPIC_MAX: usize = 20;

// Keys (decisions K2).
pub const KEY_REVOCATION_WITHIN: Duration = Duration::from_secs(5);

// Plans that a version's engine keeps (decisions H7): entries, and estimated bytes.
pub const PLANS_MAX: usize = 1_000;
pub const PLAN_BYTES_MAX: usize = 8 * 1024 * 1024;

// Store (design 3).
/// How long a request may wait for a connection, or for another process that writes to the SQLite file.
pub const DATABASE_WAIT: Duration = Duration::from_secs(5);
/// How long PostgreSQL may work on one statement.
pub const STATEMENT_WORK: Duration = Duration::from_secs(10);
/// SQLite: how many writes share one commit, and so one flush of the disk.
pub const WRITES_PER_COMMIT_MAX: usize = 64;
/// SQLite: how many writes may wait for the writer before their callers do.
pub const WRITES_WAITING_MAX: usize = 1_024;
/// How many expired idempotency records go in one transaction, so that a sweep holds nobody up.
pub const IDEMPOTENCY_RECORDS_PER_SWEEP: i64 = 500;
