//! Usage: how often partners used a coordinate of the schema, by day.

use chrono::NaiveDate;

use super::StoreError;
use super::engine::store_methods;
use crate::model::Usage;

store_methods! {
    /// Adds counts to the stored ones.
    pub transaction add_usage(counted: Vec<Usage>) -> Result<(), StoreError>;
    /// Returns the counts from this day on, of one version or of all, in the order of the primary key.
    pub read usage_from(from: NaiveDate, version: Option<&str>) -> Result<Vec<Usage>, StoreError>;
    /// Returns the first day that has a count.
    pub read usage_since() -> Result<Option<NaiveDate>, StoreError>;
    /// Deletes the counts of the days before this one, and counts them.
    pub write delete_expired_usage(before: NaiveDate) -> Result<usize, StoreError>;
}
