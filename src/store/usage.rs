//! Usage: how often partners used a coordinate of the schema, by day.

use chrono::NaiveDate;

use super::StoreError;
use super::engine::store_methods;
use crate::model::{LastUse, Scope, Usage};

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
}
