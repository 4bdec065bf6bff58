//! Who asks: known from the access token and the path before any operation starts (specification, section 5).

use uuid::Uuid;

use crate::model::{KeyMode, Scope};
use crate::store::IdempotencyKey;

/// The partner behind a request, and how it asked.
#[derive(Clone, Debug)]
pub struct Caller {
    pub partner_id: Uuid,
    /// The key it asked with: what it opens ends with it.
    pub key_id: Uuid,
    /// A test key makes test cards and reaches test data only.
    pub mode: KeyMode,
    /// The version on whose path the request came.
    pub version: &'static str,
    pub request_id: String,
    /// There when the request carries an `Idempotency-Key` and creates cards.
    pub idempotency: Option<IdempotencyBinding>,
}

impl Caller {
    /// What of the account its key reaches.
    pub fn scope(&self) -> Scope {
        Scope { partner_id: self.partner_id, mode: self.mode }
    }
}

/// The key of a request and what the request says, by which a resend is known (decisions, section 4).
#[derive(Clone, Debug)]
pub struct IdempotencyBinding {
    pub key: IdempotencyKey,
    pub fingerprint: [u8; 32],
    /// Whether the key had a record when the request began. Without one, no earlier attempt can have created a card,
    /// other than one that runs at the same moment on another replica.
    pub recorded: bool,
}
