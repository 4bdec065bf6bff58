//! Partners and their keys (specification, section 5; decisions K2).

use uuid::Uuid;

use super::{KeyMode, Price};
use crate::base::{HttpUrl, Timestamp};

/// A partner account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Partner {
    pub id: Uuid,
    /// Unique; the name that the operator uses.
    pub name: String,
    /// The recipient of all mail of test cards (section 5, test mode rules).
    pub test_address: Option<String>,
    /// The page where a family asks for a new session link.
    pub refresh_address: Option<HttpUrl>,
    /// The price of a card for the family, including VAT.
    pub price: Price,
    /// Requests of a blocked partner are answered with 403.
    pub blocked: bool,
    pub created_at: Timestamp,
    /// The name that families see; `None` means the name of the operator.
    pub shown_name: Option<String>,
    /// Where families ask for help.
    pub phone: Option<String>,
    pub email: Option<String>,
    pub privacy_url: Option<HttpUrl>,
    /// The key of the logo below `partner/` in the object store.
    pub logo: Option<String>,
}

impl Partner {
    /// A new account with default settings.
    pub fn new(id: Uuid, name: impl Into<String>, created_at: Timestamp) -> Self {
        Self {
            id,
            name: name.into(),
            test_address: None,
            refresh_address: None,
            price: Price::DEFAULT,
            blocked: false,
            created_at,
            shown_name: None,
            phone: None,
            email: None,
            privacy_url: None,
            logo: None,
        }
    }

    /// The name that families see.
    pub fn shown_name(&self) -> &str {
        self.shown_name.as_deref().unwrap_or(&self.name)
    }
}

/// A stored access key.
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
    pub created_at: Timestamp,
    pub expires_at: Option<Timestamp>,
    pub revoked_at: Option<Timestamp>,
    pub last_used_at: Option<Timestamp>,
}

impl AccessKey {
    /// Whether the key is accepted at `now`.
    pub fn is_valid_at(&self, now: Timestamp) -> bool {
        self.revoked_at.is_none() && self.expires_at.is_none_or(|end| now < end)
    }
}

/// A partner account, or only its test data. Every finder of an owned row takes a scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scope {
    pub partner_id: Uuid,
    pub mode: KeyMode,
}

impl Scope {
    /// The whole account, test data included: the scope of a live key.
    pub fn account(partner_id: Uuid) -> Self {
        Self { partner_id, mode: KeyMode::Live }
    }

    /// Whether the scope includes live data.
    pub fn reaches_live(&self) -> bool {
        self.mode == KeyMode::Live
    }

    /// Whether the scope includes a row of this partner.
    pub fn includes(&self, partner_id: Uuid, test: bool) -> bool {
        partner_id == self.partner_id && (test || self.reaches_live())
    }
}
