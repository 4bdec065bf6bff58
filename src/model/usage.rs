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

/// The last use of a coordinate by a partner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LastUse {
    pub version: String,
    pub mode: KeyMode,
    /// In UTC.
    pub day: NaiveDate,
}

/// A document that a partner sent to a version, in its normal form, which holds no values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UsageDocument {
    pub partner_id: Uuid,
    pub mode: KeyMode,
    pub version: String,
    /// The SHA-256 of the document.
    pub digest: [u8; 32],
    pub document: String,
    /// How many of its operations began to run.
    pub count: i64,
    /// In UTC, as the last day.
    pub first_day: NaiveDate,
    pub last_day: NaiveDate,
}
