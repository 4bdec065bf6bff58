//! What is deprecated in each version of the release, read from their SDL at the first question.

use std::sync::LazyLock;

use schema::VersionStatus;
use schema::deprecation::{deprecations, replacements};
use schema::model::Schema;

use super::Context;
use crate::generated::{self, VERSIONS, VersionInfo};
use crate::graphql::{AnyEngine, Limits};

/// A deprecated element of a version.
pub(super) struct Deprecation {
    pub version: &'static str,
    /// Whether the version is a candidate, which only test keys see.
    pub candidate: bool,
    pub coordinate: String,
    pub reason: String,
    /// The coordinates that its reason names.
    pub replacements: Vec<String>,
}

/// Every deprecation, by version, oldest first.
pub(super) static DEPRECATIONS: LazyLock<Vec<Deprecation>> = LazyLock::new(|| {
    let engines = generated::engines(Limits::default());
    VERSIONS.iter().zip(engines).flat_map(|(info, engine)| of_version(info, &*engine)).collect()
});

fn of_version(info: &VersionInfo, engine: &dyn AnyEngine<Context>) -> Vec<Deprecation> {
    let schema = Schema::parse(info.name, engine.sdl()).expect("the build checked the SDL");
    let deprecation = |(coordinate, reason): (String, &str)| Deprecation {
        version: info.name,
        candidate: info.status == VersionStatus::Candidate,
        reason: reason.to_owned(),
        replacements: replacements(&coordinate, reason, |name| engine.coordinates().iter().any(|known| known == name)),
        coordinate,
    };
    deprecations(&schema).into_iter().map(deprecation).collect()
}
