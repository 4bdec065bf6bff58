//! The keys that bind a repeated request to its first attempt (specification, section 4.3; decisions, section 4).

use crate::base::Moment;

/// What a create lays hold of before it creates its card.
#[derive(Clone, Debug)]
pub struct IdempotencyClaim {
    pub key: String,
    /// Which `cardCreate` field of the request this is, counted from 0.
    pub ordinal: i32,
    /// What makes the request the same one: SHA-256.
    pub fingerprint: [u8; 32],
    /// A record made before this moment has expired and makes way.
    pub not_before: Moment,
}

/// A key that was claimed, and the answer where it was remembered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IdempotencyRecord {
    pub fingerprint: [u8; 32],
    /// Absent while the answer is being made, or when the process died before it was stored.
    pub response: Option<String>,
    pub created_at: Moment,
}
