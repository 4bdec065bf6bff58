//! Usage counts of the schema, which the operator reads before a part of it is removed.

use chrono::NaiveDate;
use uuid::Uuid;

use super::KeyMode;

/// The number of operations of a partner that used a coordinate of a version on a day.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Usage {
    /// In UTC.
    pub day: NaiveDate,
    pub version: String,
    pub partner_id: Uuid,
    pub mode: KeyMode,
    /// Such as `Card.status`.
    pub coordinate: String,
    pub count: i64,
}
