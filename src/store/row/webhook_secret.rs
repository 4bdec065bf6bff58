//! Signing secrets.

use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::sqlite::Sqlite;

use crate::model::{SigningSecret, WebhookSecret};
use crate::store::schema::webhook_secrets;
use crate::store::sql_type::{At, Id};

/// Without `Debug`, which would print the secret.
#[derive(Queryable, Selectable, Insertable)]
#[diesel(table_name = webhook_secrets, check_for_backend(Sqlite, Pg), treat_none_as_default_value = false)]
pub(in crate::store) struct WebhookSecretRow {
    id: Id,
    partner_id: Id,
    secret: Vec<u8>,
    created_at: At,
    expires_at: Option<At>,
    revoked_at: Option<At>,
}

impl From<WebhookSecretRow> for WebhookSecret {
    fn from(row: WebhookSecretRow) -> Self {
        WebhookSecret {
            id: row.id.0,
            partner_id: row.partner_id.0,
            secret: SigningSecret::trusted(row.secret),
            created_at: row.created_at.0,
            expires_at: row.expires_at.map(|at| at.0),
            revoked_at: row.revoked_at.map(|at| at.0),
        }
    }
}

impl From<WebhookSecret> for WebhookSecretRow {
    fn from(secret: WebhookSecret) -> Self {
        WebhookSecretRow {
            id: Id(secret.id),
            partner_id: Id(secret.partner_id),
            secret: secret.secret.key().to_vec(),
            created_at: At(secret.created_at),
            expires_at: secret.expires_at.map(At),
            revoked_at: secret.revoked_at.map(At),
        }
    }
}
