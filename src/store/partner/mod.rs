//! Partners (decisions K2).

use uuid::Uuid;

use super::StoreError;
use super::engine::store_methods;
use crate::model::{Partner, WebhookSecret};

store_methods! {
    /// Returns the partner with this id.
    pub read partner(id: Uuid) -> Result<Option<Partner>, StoreError>;
    /// Returns the partner with exactly this name.
    pub read partner_by_name(name: &str) -> Result<Option<Partner>, StoreError>;
    /// Returns all partners, by name.
    pub read partners() -> Result<Vec<Partner>, StoreError>;
    /// Adds a partner with its first signing secret. Returns false if its name is taken.
    pub transaction add_partner(partner: Partner, secret: WebhookSecret) -> Result<bool, StoreError>;
    /// Writes the fields of a partner that the operator can set, except its name and whether it is blocked.
    pub write change_partner(partner: Partner) -> Result<(), StoreError>;
    /// Renames a partner. Returns false if the name is another's.
    pub transaction rename_partner(id: Uuid, name: String) -> Result<bool, StoreError>;
    /// Blocks or unblocks a partner. Returns false if nothing changed, which is not audited.
    pub write set_partner_blocked(id: Uuid, blocked: bool) -> Result<bool, StoreError>;
}
