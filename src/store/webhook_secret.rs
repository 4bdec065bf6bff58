//! The signing secrets of partners (decisions W2).

use diesel::result::Error as DieselError;
use uuid::Uuid;

use super::StoreError;
use super::engine::store_methods;
use crate::base::Timestamp;
use crate::model::{KeyMode, SigningSecret, WebhookSecret};

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
    /// Returns the secrets that sign the notifications of a partner's subscriptions of this mode at `now`, newest first;
    /// none while the partner is blocked.
    pub read active_webhook_secrets(partner_id: Uuid, mode: KeyMode, now: Timestamp) -> Result<Vec<SigningSecret>, StoreError>;
    /// Returns all secrets of a partner, newest first, also expired and revoked ones.
    pub read webhook_secrets_of(partner_id: Uuid) -> Result<Vec<WebhookSecret>, StoreError>;
    /// Adds a secret, unless `active_max` sign for a mode when it is created.
    pub transaction issue_webhook_secret(secret: WebhookSecret, active_max: usize) -> Result<(), AddSecretError>;
    /// Adds a secret, and lets the only one that signs expire at `old_ends`: for the subscriptions of this mode, or of both.
    /// Returns the secrets that expire: one, or one of each mode.
    pub transaction rotate_webhook_secret(secret: WebhookSecret, mode: Option<KeyMode>, old_ends: Timestamp)
        -> Result<Vec<WebhookSecret>, AddSecretError>;
    /// Revokes a secret. Returns false if it does not exist or is revoked already.
    pub write revoke_webhook_secret(id: Uuid, now: Timestamp) -> Result<bool, StoreError>;
}
