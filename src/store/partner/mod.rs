//! Partners, with their access keys and signing secrets (decisions K2, W2).

use diesel::result::Error as DieselError;
use uuid::Uuid;

use super::audit::{always, if_true};
use super::database::{Unit, query};
use super::row::{Column, row};
use super::schema::{access_keys, partners, webhook_secrets};
use super::sql_type::{At, Digest, Id, Name};
use super::{Result, Store, StoreError};
use crate::base::Timestamp;
use crate::model::{AccessKey, KeyMode, Partner, SigningSecret, WebhookSecret};

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

impl Store {
    /// Returns the partner with this id.
    pub async fn partner(&self, id: Uuid) -> Result<Option<Partner>> {
        query!(self.read(), partner(id))
    }

    /// Returns the partner with exactly this name.
    pub async fn partner_by_name(&self, name: &str) -> Result<Option<Partner>> {
        query!(self.read(), partner_by_name(name))
    }

    /// Returns all partners, by name.
    pub async fn partners(&self) -> Result<Vec<Partner>> {
        query!(self.read(), partners())
    }

    /// Adds a partner with its first signing secret. Returns false if its name is taken.
    pub async fn add_partner(&self, partner: Partner, secret: WebhookSecret) -> Result<bool> {
        query!(self.write(Unit::Transaction, if_true), add_partner(partner, secret))
    }

    /// Writes the fields of a partner that the operator can set, except its name and whether it is blocked.
    pub async fn change_partner(&self, partner: Partner) -> Result<()> {
        query!(self.write(Unit::Statement, always), change_partner(partner))
    }

    /// Renames a partner. Returns false if the name is another's.
    pub async fn rename_partner(&self, id: Uuid, name: String) -> Result<bool> {
        query!(self.write(Unit::Transaction, if_true), rename_partner(id, name))
    }

    /// Blocks or unblocks a partner. Returns false if nothing changed, which is not audited.
    pub async fn set_partner_blocked(&self, id: Uuid, blocked: bool) -> Result<bool> {
        query!(self.write(Unit::Statement, if_true), set_partner_blocked(id, blocked))
    }

    /// Returns the key with this digest and its partner, also if the key is revoked or expired.
    pub async fn key_by_digest(&self, digest: &[u8; 32]) -> Result<Option<(AccessKey, Partner)>> {
        query!(self.run_shared(), key_by_digest(digest))
    }

    /// Returns the keys of a partner, oldest first.
    pub async fn keys_of(&self, partner_id: Uuid) -> Result<Vec<AccessKey>> {
        query!(self.read(), keys_of(partner_id))
    }

    /// Returns whether any live key is valid at `now`.
    pub async fn live_key_exists(&self, now: Timestamp) -> Result<bool> {
        query!(self.read(), live_key_exists(now))
    }

    /// Adds a key.
    pub async fn issue_key(&self, key: AccessKey) -> Result<()> {
        query!(self.write(Unit::Statement, always), issue_key(key))
    }

    /// Adds a key, and lets the old one expire at `old_ends` unless it expires earlier. Returns false if the old key is
    /// not valid.
    pub async fn rotate_key(&self, new: AccessKey, old_id: Uuid, old_ends: Timestamp) -> Result<bool> {
        query!(self.write(Unit::Transaction, if_true), rotate_key(new, old_id, old_ends))
    }

    /// Revokes a key. Returns false if it does not exist or is revoked already.
    pub async fn revoke_key(&self, id: Uuid, now: Timestamp) -> Result<bool> {
        query!(self.write(Unit::Statement, if_true), revoke_key(id, now))
    }

    /// Records that a key was used. Callers skip this while the last record is recent.
    pub async fn touch_key(&self, id: Uuid, now: Timestamp) -> Result<()> {
        query!(self.write(Unit::Statement, always), touch_key(id, now))
    }

    /// Returns the secrets that sign the notifications of a partner's subscriptions of this mode at `now`, newest first;
    /// none while the partner is blocked.
    pub async fn active_webhook_secrets(
        &self,
        partner_id: Uuid,
        mode: KeyMode,
        now: Timestamp,
    ) -> Result<Vec<SigningSecret>> {
        query!(self.read(), active_webhook_secrets(partner_id, mode, now))
    }

    /// Returns all secrets of a partner, newest first, also expired and revoked ones.
    pub async fn webhook_secrets_of(&self, partner_id: Uuid) -> Result<Vec<WebhookSecret>> {
        query!(self.read(), webhook_secrets_of(partner_id))
    }

    /// Adds a secret, unless `active_max` sign for a mode when it is created.
    pub async fn issue_webhook_secret(&self, secret: WebhookSecret, active_max: usize) -> Result<(), AddSecretError> {
        query!(self.write(Unit::Transaction, always), issue_webhook_secret(secret, active_max))
    }

    /// Adds a secret, and lets the only one that signs expire at `old_ends`: for the subscriptions of this mode, or of both.
    /// Returns the secrets that expire: one, or one of each mode.
    pub async fn rotate_webhook_secret(
        &self,
        secret: WebhookSecret,
        mode: Option<KeyMode>,
        old_ends: Timestamp,
    ) -> Result<Vec<WebhookSecret>, AddSecretError> {
        query!(self.write(Unit::Transaction, always), rotate_webhook_secret(secret, mode, old_ends))
    }

    /// Revokes a secret. Returns false if it does not exist or is revoked already.
    pub async fn revoke_webhook_secret(&self, id: Uuid, now: Timestamp) -> Result<bool> {
        query!(self.write(Unit::Statement, if_true), revoke_webhook_secret(id, now))
    }
}

row!(PartnerRow in partners is Partner {
    id: Id,
    name: String,
    test_address: Option<String>,
    refresh_address: Option<String>,
    blocked: bool,
    created_at: At,
    shown_name: Option<String>,
    phone: Option<String>,
    email: Option<String>,
    privacy_url: Option<String>,
    logo: Option<String>;
    price_cents: i64 = price
});

row!(AccessKeyRow in access_keys is AccessKey {
    id: Id,
    partner_id: Id,
    mode: Name<KeyMode>,
    digest: Digest,
    last_four: String,
    label: Option<String>,
    created_at: At,
    expires_at: Option<At>,
    revoked_at: Option<At>,
    last_used_at: Option<At>
});

row!(WebhookSecretRow in webhook_secrets is WebhookSecret {
    id: Id,
    partner_id: Id,
    secret: Vec<u8>,
    created_at: At,
    expires_at: Option<At>,
    revoked_at: Option<At>,
    live_ends_at: Option<At>,
    test_ends_at: Option<At>
});
