//! Versions of the API: how often partners used a coordinate of the schema, by day; and notices, which the operator writes after
//! a release. Every replica applies a notice within seconds.

use chrono::NaiveDate;

use super::audit::{always, if_any, if_true};
use super::database::{Unit, query};
use super::row::{Column, row};
use super::schema::{usage, version_notices};
use super::sql_type::{At, Day, Id, Name};
use super::{Result, Store};
use crate::model::{KeyMode, Usage, VersionNotice};

impl Store {
    /// Adds counts to the stored ones.
    pub async fn add_usage(&self, counted: Vec<Usage>) -> Result<()> {
        query!(self.write(Unit::Transaction, always), add_usage(counted))
    }

    /// Returns the counts from this day on, of one version or of all, in the order of the primary key.
    pub async fn usage_from(&self, from: NaiveDate, version: Option<&str>) -> Result<Vec<Usage>> {
        query!(self.read(), usage_from(from, version))
    }

    /// Returns the first day that has a count.
    pub async fn usage_since(&self) -> Result<Option<NaiveDate>> {
        query!(self.read(), usage_since())
    }

    /// Deletes the counts of the days before this one, and counts them.
    pub async fn delete_expired_usage(&self, before: NaiveDate) -> Result<usize> {
        query!(self.write(Unit::Statement, if_any), delete_expired_usage(before))
    }

    /// Returns the notices, by version.
    pub async fn version_notices(&self) -> Result<Vec<VersionNotice>> {
        query!(self.read(), version_notices())
    }

    /// Stores the notice of a version, instead of an earlier one.
    pub async fn put_version_notice(&self, notice: VersionNotice) -> Result<()> {
        query!(self.write(Unit::Transaction, always), put_version_notice(notice))
    }

    /// Deletes the notice of a version. Returns false if there was none.
    pub async fn delete_version_notice(&self, version: String) -> Result<bool> {
        query!(self.write(Unit::Statement, if_true), delete_version_notice(version))
    }
}

row!(UsageRow in usage is Usage {
    day: Day,
    version: String,
    partner_id: Id,
    coordinate: String,
    count: i64;
    key_mode: Name<KeyMode> = mode
});

row!(VersionNoticeRow in version_notices is VersionNotice {
    version: String,
    deprecated: Day,
    sunset: Day,
    link: Option<String>,
    retired_at: Option<At>
});
