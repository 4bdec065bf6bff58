//! The signing secrets of partners (decisions W2).

use diesel::result::Error as DieselError;
use uuid::Uuid;

use super::StoreError;
use super::engine::store_methods;
use crate::base::Timestamp;
use crate::model::{SigningSecret, WebhookSecret};

/// Why no secret was added. Nothing was written.
#[derive(Debug, thiserror::Error)]
pub enum AddSecretError {
    #[error("the partner has no active secret that another one could follow")]
    NoneActive,
    #[error("the partner has as many active secrets as it may have")]
    TooMany,
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<DieselError> for AddSecretError {
    fn from(error: DieselError) -> Self {
        AddSecretError::Store(error.into())
    }
}

store_methods! {
    /// Returns the secrets that sign a partner's notifications at `now`, newest first; none while the partner is
    /// blocked.
    pub read webhook_secrets(partner_id: Uuid, now: Timestamp) -> Result<Vec<SigningSecret>, StoreError>;
    /// Returns all secrets of a partner, newest first, also expired and revoked ones.
    pub read webhook_secrets_of(partner_id: Uuid) -> Result<Vec<WebhookSecret>, StoreError>;
    /// Adds a secret, unless `active_max` are active when it is created.
    pub transaction issue_webhook_secret(secret: WebhookSecret, active_max: usize) -> Result<(), AddSecretError>;
    /// Adds a secret and lets the only active one expire at `old_ends`. Returns that one.
    pub transaction rotate_webhook_secret(secret: WebhookSecret, old_ends: Timestamp)
        -> Result<WebhookSecret, AddSecretError>;
    /// Revokes a secret. Returns false if it does not exist or is revoked already.
    pub write revoke_webhook_secret(id: Uuid, now: Timestamp) -> Result<bool, StoreError>;
}
