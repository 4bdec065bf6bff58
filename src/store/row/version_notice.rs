//! Notices about versions.

use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::sqlite::Sqlite;

use crate::base::HttpUrl;
use crate::model::VersionNotice;
use crate::store::schema::version_notices;
use crate::store::sql_type::{At, Day};

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
