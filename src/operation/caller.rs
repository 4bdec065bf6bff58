//! The caller of a request, known from its access token and path (specification, section 5).

use uuid::Uuid;

use crate::model::{KeyMode, Scope};
use crate::store::IdempotencyClaim;

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
    pub claim: Option<IdempotencyClaim>,
}

impl Caller {
    /// The data that the key reaches.
    pub fn scope(&self) -> Scope {
        Scope { partner_id: self.partner_id, mode: self.mode }
    }
}
