//! The keys that bind a repeated request to its first attempt (specification, section 4.3; decisions, section 4).

use uuid::Uuid;

use crate::base::Timestamp;
use crate::model::KeyMode;

/// An idempotency key. It belongs to a partner and a mode, so that a live request is never answered with a test card.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct IdempotencyKey {
    pub partner_id: Uuid,
    pub mode: KeyMode,
    /// As it was sent.
    pub text: String,
}

/// What a create lays hold of before it creates its card.
#[derive(Clone, Debug)]
pub struct IdempotencyClaim {
    pub key: IdempotencyKey,
    /// Which `cardCreate` field of the request this is, counted from 0.
    pub ordinal: i32,
    /// What makes the request the same one: SHA-256.
    pub fingerprint: [u8; 32],
    /// What makes the input of the field the same one: SHA-256.
    pub input: [u8; 32],
    /// A record made before this moment has expired and makes way.
    pub not_before: Timestamp,
}

/// A key under which a card was created, and the answer where it was remembered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IdempotencyRecord {
    /// Of the request that the key is bound to; of the first that created a card, as long as it is bound to none.
    pub fingerprint: [u8; 32],
    /// Whether a request succeeded as a whole: no other request can use the key then.
    pub bound: bool,
    /// Absent while the answer is being made, when the process died before it was stored, and when it holds a session
    /// link.
    pub response: Option<String>,
    pub created_at: Timestamp,
}
