//! The operator's decision about a released API version.

use chrono::NaiveDate;

use crate::base::{HttpUrl, Timestamp};

/// A version is deprecated or retired.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VersionNotice {
    /// The version, such as `2026-10`.
    pub version: String,
    /// The day since which partners are told.
    pub deprecated: NaiveDate,
    /// The day on which it ends.
    pub sunset: NaiveDate,
    /// A page with more information.
    pub link: Option<HttpUrl>,
    /// When it was retired.
    pub retired_at: Option<Timestamp>,
}
