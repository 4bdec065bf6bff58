//! Partners and their keys.

use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::sqlite::Sqlite;

use crate::base::HttpUrl;
use crate::model::{AccessKey, KeyMode, Partner, Price};
use crate::store::schema::{access_keys, partners};
use crate::store::sql_type::{At, Digest, Id, Name};

#[derive(Debug, Queryable, Selectable, Insertable)]
#[diesel(table_name = partners, check_for_backend(Sqlite, Pg), treat_none_as_default_value = false)]
pub(in crate::store) struct PartnerRow {
    id: Id,
    name: String,
    test_address: Option<String>,
    refresh_address: Option<String>,
    price_cents: i64,
    blocked: bool,
    created_at: At,
}

impl From<PartnerRow> for Partner {
    /// A stored price is one that was set, or the default: the schema lets no other in but by hand.
    fn from(row: PartnerRow) -> Self {
        Partner {
            id: row.id.0,
            name: row.name,
            test_address: row.test_address,
            refresh_address: row.refresh_address.map(HttpUrl::trusted),
            price: Price::from_cents(row.price_cents).unwrap_or(Price::DEFAULT),
            blocked: row.blocked,
            created_at: row.created_at.0,
        }
    }
}

impl From<Partner> for PartnerRow {
    fn from(partner: Partner) -> Self {
        PartnerRow {
            id: Id(partner.id),
            name: partner.name,
            test_address: partner.test_address,
            refresh_address: partner.refresh_address.map(|address| address.as_str().to_owned()),
            price_cents: partner.price.cents(),
            blocked: partner.blocked,
            created_at: At(partner.created_at),
        }
    }
}

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
