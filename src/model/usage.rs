//! Who uses what of the schema, counted (issue "The life of a schema"): the operator asks it before anything is taken away.

use chrono::NaiveDate;
use uuid::Uuid;

use super::KeyMode;

/// How many operations of a partner used a coordinate of a version on a day.
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
