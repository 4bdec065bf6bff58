//! The status of a version of the API.

use serde::Deserialize;

/// The status of a version of the API. `schema/versions.toml` names the first three; an operator retires a version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum VersionStatus {
    /// Not published: it can change.
    Candidate,
    /// Published and recommended.
    Current,
    /// Served, but clients are asked to move to a newer version.
    Deprecated,
    /// Not served.
    #[serde(skip)]
    Retired,
}

impl VersionStatus {
    /// Returns the name that readers see.
    pub const fn as_str(self) -> &'static str {
        match self {
            VersionStatus::Candidate => "candidate",
            VersionStatus::Current => "current",
            VersionStatus::Deprecated => "deprecated",
            VersionStatus::Retired => "retired",
        }
    }
}
