//! Usage counts.

use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::sqlite::Sqlite;

use crate::model::{KeyMode, Usage};
use crate::store::schema::usage;
use crate::store::sql_type::{Day, Id, Name};

#[derive(Debug, Queryable, Selectable, Insertable)]
#[diesel(table_name = usage, check_for_backend(Sqlite, Pg), treat_none_as_default_value = false)]
pub(in crate::store) struct UsageRow {
    day: Day,
    version: String,
    partner_id: Id,
    key_mode: Name<KeyMode>,
    coordinate: String,
    count: i64,
}

impl From<UsageRow> for Usage {
    fn from(row: UsageRow) -> Self {
        Usage {
            day: row.day.0,
            version: row.version,
            partner_id: row.partner_id.0,
            mode: row.key_mode.0,
            coordinate: row.coordinate,
            count: row.count,
        }
    }
}

impl From<Usage> for UsageRow {
    fn from(usage: Usage) -> Self {
        UsageRow {
            day: Day(usage.day),
            version: usage.version,
            partner_id: Id(usage.partner_id),
            key_mode: Name(usage.mode),
            coordinate: usage.coordinate,
            count: usage.count,
        }
    }
}
