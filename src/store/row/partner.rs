//! Partners.

use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::sqlite::Sqlite;

use crate::base::HttpUrl;
use crate::model::{Partner, Price};
use crate::store::schema::partners;
use crate::store::sql_type::{At, Id};

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
    /// A price that is out of range, set by hand in the database, reads as the default.
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
