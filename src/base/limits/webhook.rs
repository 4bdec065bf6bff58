//! Limits on signing secrets, and on what proves a callback (the numbers are ours where no source is named).

use std::time::Duration;

/// The characters of an event's id after its prefix: 128 bits in base 32.
pub const EVENT_ID_DIGITS: usize = 26;

// Signatures (decisions W2; Standard Webhooks, section "Signature scheme" for the bounds of a secret in bytes).
pub const SIGNING_SECRET_BYTES: usize = 32;
pub const SIGNING_SECRET_BYTES_MIN: usize = 24;
pub const SIGNING_SECRET_BYTES_MAX: usize = 64;
/// The hexadecimal characters of the name that identifies a secret without showing it.
pub const SECRET_FINGERPRINT_CHARS: usize = 8;
/// The number of secrets of a partner that sign at the same time.
pub const SECRETS_ACTIVE_MAX: usize = 2;
/// How long the old secret signs next to the new one after a rotation: the default, and the maximum.
pub const SECRET_OVERLAP: Duration = Duration::from_secs(24 * 60 * 60);
pub const SECRET_OVERLAP_MAX: Duration = Duration::from_secs(30 * 24 * 60 * 60);
/// How far the timestamp of a notification may differ from the receiver's clock.
pub const SIGNATURE_TOLERANCE: Duration = Duration::from_secs(5 * 60);
/// The number of deliveries in each state that `webhook show` lists.
pub const DELIVERIES_SHOWN_MAX: usize = 20;
/// The time for npm, or tar, to install GraphiQL.
pub const GRAPHIQL_INSTALL: Duration = Duration::from_secs(120);
/// The receiver of the demo: bytes of a body, and notifications that were not printed yet.
pub const DEMO_RECEIVER_BODY_BYTES_MAX: usize = 64 * 1024;
pub const DEMO_RECEIVER_QUEUE_MAX: usize = 1_024;

// Challenge of a callback (decisions W9), within DELIVERY_TOTAL.
/// The answer to a challenge, in bytes: 43 characters and white space around them.
pub const CHALLENGE_ANSWER_BYTES_MAX: usize = 256;
