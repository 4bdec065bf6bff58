//! Usage: how often partners used a coordinate of the schema, by day, and the documents that they sent.

use chrono::NaiveDate;

use super::StoreError;
use super::engine::store_methods;
use crate::model::{LastUse, Scope, Usage, UsageDocument};

store_methods! {
    /// Adds counts to the stored ones.
    pub transaction add_usage(counted: Vec<Usage>) -> Result<(), StoreError>;
    /// Returns the counts of these days, of one version or of all, in the order of the primary key.
    pub read usage_between(from: NaiveDate, to: NaiveDate, version: Option<&str>) -> Result<Vec<Usage>, StoreError>;
    /// Returns the first day that has a count.
    pub read usage_since() -> Result<Option<NaiveDate>, StoreError>;
    /// Returns when the partner last used a coordinate with keys within the scope, for each version and mode.
    pub read last_uses(scope: Scope, coordinate: &str) -> Result<Vec<LastUse>, StoreError>;
    /// Deletes the counts of the days before this one, and counts them.
    pub write delete_expired_usage(before: NaiveDate) -> Result<usize, StoreError>;
    /// Adds documents and their counts to the stored ones, and deletes those beyond the maximum of their partner, key mode and
    /// version, the ones that were not used for longest first.
    pub transaction add_usage_documents(sent: Vec<UsageDocument>) -> Result<(), StoreError>;
    /// Returns the documents of all partners, of one version or of all, the last used first.
    pub read usage_documents(version: Option<&str>) -> Result<Vec<UsageDocument>, StoreError>;
    /// Returns at most so many of the documents that a partner sent to other versions than this one with keys within the
    /// scope, the last used first.
    pub read usage_documents_of(scope: Scope, version: &str, count_max: i64) -> Result<Vec<UsageDocument>, StoreError>;
    /// Deletes the documents that were last used before this day, and those of partners that are gone, and counts them.
    pub write delete_expired_usage_documents(before: NaiveDate) -> Result<usize, StoreError>;
}
