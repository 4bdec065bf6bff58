//! Access keys.

use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::sqlite::Sqlite;

use crate::model::{AccessKey, KeyMode};
use crate::store::schema::access_keys;
use crate::store::sql_type::{At, Digest, Id, Name};

#[derive(Debug, Queryable, Selectable, Insertable)]
#[diesel(table_name = access_keys, check_for_backend(Sqlite, Pg), treat_none_as_default_value = false)]
pub(in crate::store) struct AccessKeyRow {
    id: Id,
    partner_id: Id,
    mode: Name<KeyMode>,
    digest: Digest,
    last_four: String,
    label: Option<String>,
    created_at: At,
    expires_at: Option<At>,
    revoked_at: Option<At>,
    last_used_at: Option<At>,
}

impl From<AccessKeyRow> for AccessKey {
    fn from(row: AccessKeyRow) -> Self {
        AccessKey {
            id: row.id.0,
            partner_id: row.partner_id.0,
            mode: row.mode.0,
            digest: row.digest.0,
            last_four: row.last_four,
            label: row.label,
            created_at: row.created_at.0,
            expires_at: row.expires_at.map(|at| at.0),
            revoked_at: row.revoked_at.map(|at| at.0),
            last_used_at: row.last_used_at.map(|at| at.0),
        }
    }
}

impl From<AccessKey> for AccessKeyRow {
    fn from(key: AccessKey) -> Self {
        AccessKeyRow {
            id: Id(key.id),
            partner_id: Id(key.partner_id),
            mode: Name(key.mode),
            digest: Digest(key.digest),
            last_four: key.last_four,
            label: key.label,
            created_at: At(key.created_at),
            expires_at: key.expires_at.map(At),
            revoked_at: key.revoked_at.map(At),
            last_used_at: key.last_used_at.map(At),
        }
    }
}
