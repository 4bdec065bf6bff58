//! Notices: what the operator decided about versions of the API after their release.
//!
//! Every replica applies a change within seconds.

use super::StoreError;
use super::engine::store_methods;
use crate::model::VersionNotice;

store_methods! {
    /// Returns the notices, by version.
    pub read version_notices() -> Result<Vec<VersionNotice>, StoreError>;
    /// Stores the notice of a version, instead of an earlier one.
    pub transaction put_version_notice(notice: VersionNotice) -> Result<(), StoreError>;
    /// Deletes the notice of a version. Returns false if there was none.
    pub write delete_version_notice(version: String) -> Result<bool, StoreError>;
}
