//! The part of a partner account that a caller can reach (decisions K3).

use uuid::Uuid;

use super::KeyMode;

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
