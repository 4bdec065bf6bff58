//! Partners and their keys (specification, section 5; decisions K2).

use uuid::Uuid;

use super::KeyMode;
use crate::base::Moment;

/// A partner account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Partner {
    pub id: Uuid,
    /// Unique; what the operator calls it.
    pub name: String,
    /// Where all mail of test cards goes (section 5, test mode rules).
    pub test_address: Option<String>,
    /// A blocked partner is told so with 403 (decisions H4).
    pub blocked: bool,
    pub created_at: Moment,
}

/// What is kept of an access token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AccessKey {
    pub id: Uuid,
    pub partner_id: Uuid,
    pub mode: KeyMode,
    /// SHA-256 of the token.
    pub digest: [u8; 32],
    /// The token's last four characters.
    pub last_four: String,
    pub label: Option<String>,
    pub created_at: Moment,
    pub expires_at: Option<Moment>,
    pub revoked_at: Option<Moment>,
    pub last_used_at: Option<Moment>,
}

impl AccessKey {
    /// Whether the key opens the door at `now`.
    pub fn is_valid_at(&self, now: Moment) -> bool {
        self.revoked_at.is_none() && self.expires_at.is_none_or(|end| now < end)
    }
}
