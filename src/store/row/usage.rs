//! Counts of what is used, and notices about versions.

use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::sqlite::Sqlite;

use crate::base::HttpUrl;
use crate::model::{KeyMode, Usage, VersionNotice};
use crate::store::schema::{usage, version_notices};
use crate::store::sql_type::{At, Day, Id, Name};

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

#[derive(Debug, Queryable, Selectable, Insertable)]
#[diesel(table_name = version_notices, check_for_backend(Sqlite, Pg), treat_none_as_default_value = false)]
pub(in crate::store) struct VersionNoticeRow {
    version: String,
    deprecated: Day,
    sunset: Day,
    link: Option<String>,
    retired_at: Option<At>,
}

impl From<VersionNoticeRow> for VersionNotice {
    fn from(row: VersionNoticeRow) -> Self {
        VersionNotice {
            version: row.version,
            deprecated: row.deprecated.0,
            sunset: row.sunset.0,
            link: row.link.map(HttpUrl::trusted),
            retired_at: row.retired_at.map(|at| at.0),
        }
    }
}

impl From<VersionNotice> for VersionNoticeRow {
    fn from(notice: VersionNotice) -> Self {
        VersionNoticeRow {
            version: notice.version,
            deprecated: Day(notice.deprecated),
            sunset: Day(notice.sunset),
            link: notice.link.map(|link| link.as_str().to_owned()),
            retired_at: notice.retired_at.map(At),
        }
    }
}
