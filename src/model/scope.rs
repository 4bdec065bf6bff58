//! What a caller may reach of a partner account (decisions K3).

use uuid::Uuid;

use super::KeyMode;

/// A partner account, or its test data alone. A finder of an owned row takes it, so that none can forget a part of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scope {
    pub partner_id: Uuid,
    pub mode: KeyMode,
}

impl Scope {
    /// The whole account: what a live key reaches, test data included.
    pub fn account(partner_id: Uuid) -> Self {
        Self { partner_id, mode: KeyMode::Live }
    }

    /// Whether live data lies within it.
    pub fn reaches_live(&self) -> bool {
        self.mode == KeyMode::Live
    }
}
