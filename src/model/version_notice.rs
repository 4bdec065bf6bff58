//! What the operator decided about a version of the API since it was released.

use chrono::NaiveDate;

use crate::base::{HttpUrl, Timestamp};

/// A version is on its way out, or gone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VersionNotice {
    /// Its name, such as `2026-10`.
    pub version: String,
    /// The day from which partners are told to move away.
    pub deprecated: NaiveDate,
    /// The day of its end.
    pub sunset: NaiveDate,
    /// Where partners read more.
    pub link: Option<HttpUrl>,
    /// From when on it does not answer any more.
    pub retired_at: Option<Timestamp>,
}
