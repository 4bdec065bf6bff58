//! Access keys of partners (decisions K2).

use uuid::Uuid;

use super::StoreError;
use super::engine::store_methods;
use crate::base::Timestamp;
use crate::model::{AccessKey, Partner};

store_methods! {
    /// Returns the key with this digest and its partner, also if the key is revoked or expired.
    pub lookup key_by_digest(digest: &[u8; 32]) -> Result<Option<(AccessKey, Partner)>, StoreError>;
    /// Returns the keys of a partner, oldest first.
    pub read keys_of(partner_id: Uuid) -> Result<Vec<AccessKey>, StoreError>;
    /// Returns whether any live key is valid at `now`.
    pub read live_key_exists(now: Timestamp) -> Result<bool, StoreError>;
    /// Adds a key.
    pub write issue_key(key: AccessKey) -> Result<(), StoreError>;
    /// Adds a key, and lets the old one expire at `old_ends` unless it expires earlier. Returns false if the old key is
    /// not valid.
    pub transaction rotate_key(new: AccessKey, old_id: Uuid, old_ends: Timestamp) -> Result<bool, StoreError>;
    /// Revokes a key. Returns false if it does not exist or is revoked already.
    pub write revoke_key(id: Uuid, now: Timestamp) -> Result<bool, StoreError>;
    /// Records that a key was used. Callers skip this while the last record is recent.
    pub write touch_key(id: Uuid, now: Timestamp) -> Result<(), StoreError>;
}
