//! The caller of a request, known from its access token and path (specification, section 5).

use uuid::Uuid;

use crate::model::{KeyMode, Scope};
use crate::store::IdempotencyKey;

/// The partner of a request, and its access.
#[derive(Clone, Debug)]
pub struct Caller {
    pub partner_id: Uuid,
    /// The key of the request; links that it creates end with it.
    pub key_id: Uuid,
    /// A test key creates test cards and reaches test data only.
    pub mode: KeyMode,
    /// The version in the path of the request.
    pub version: &'static str,
    pub request_id: String,
    /// Set if the request has an `Idempotency-Key` and creates cards.
    pub idempotency: Option<IdempotencyBinding>,
}

impl Caller {
    /// The data that the key reaches.
    pub fn scope(&self) -> Scope {
        Scope { partner_id: self.partner_id, mode: self.mode }
    }
}

/// The idempotency key and the fingerprint of a request, which identify a repeated request (decisions, section 4).
#[derive(Clone, Debug)]
pub struct IdempotencyBinding {
    pub key: IdempotencyKey,
    pub fingerprint: [u8; 32],
    /// Whether the key had a record when the request began. If not, the query for an earlier card is left out: only a
    /// concurrent copy on another replica can have created one, and the transaction that creates the card finds it.
    pub recorded: bool,
}
