//! Begins the next version: copies the latest as a candidate. Called by `cargo schema new`.

use std::io;
use std::path::Path;

use chrono::NaiveDate;
use schema::VersionStatus;
use schema::deprecation::deprecations;

use crate::finding::Findings;
use crate::load::{self, Loaded};
use codegen::sync;
use codegen::versions;
use codegen::{BuildError, Mode, build};

/// The result of [`begin`].
#[derive(Debug)]
pub struct Begun {
    /// The version that was copied.
    pub from: String,
    /// The coordinates that it deprecates, which a new version may remove after the notice.
    pub removable: Vec<String>,
}

/// Why [`begin`] failed.
#[derive(Debug, thiserror::Error)]
pub enum BeginError {
    #[error("`{0}` is no version: write year and month, such as `2027-01`")]
    Name(String),
    #[error("`{0}` does not come after {1}, the latest version")]
    Order(String, String),
    #[error("{0} is still a candidate: publish it first (`cargo schema publish {0}`), or go on with it")]
    Candidate(String),
    #[error("schema/ has no version to begin from")]
    Empty,
    #[error("schema/ has mistakes")]
    Mistakes(Findings),
    #[error(transparent)]
    Build(#[from] BuildError),
    #[error(transparent)]
    Files(#[from] io::Error),
}

/// Begins the version `name`.
pub fn begin(root: &Path, name: &str) -> Result<Begun, BeginError> {
    if !is_version(name) {
        return Err(BeginError::Name(name.to_owned()));
    }
    let mut findings = Findings::default();
    let Some(loaded) = load::load(root, &mut findings)? else { return Err(BeginError::Mistakes(findings)) };
    let Loaded { sdls, entries, versions_text, .. } = loaded;
    let (latest, entry) = sdls.last().zip(entries.last()).ok_or(BeginError::Empty)?;
    if entry.status == VersionStatus::Candidate {
        return Err(BeginError::Candidate(entry.name.clone()));
    }
    if name <= entry.name.as_str() {
        return Err(BeginError::Order(name.to_owned(), entry.name.clone()));
    }
    sync::replace(&root.join(format!("schema/{name}.graphql")), latest.source())?;
    sync::replace(&root.join("schema/versions.toml"), &versions::with_candidate(&versions_text, name))?;
    build(root, Mode::Write)?;
    Ok(Begun {
        from: entry.name.clone(),
        removable: deprecations(&latest.schema).into_iter().map(|(coordinate, _)| coordinate).collect(),
    })
}

/// Returns whether a name has the form `2027-01`.
fn is_version(name: &str) -> bool {
    let first = format!("{name}-01").parse::<NaiveDate>();
    first.is_ok_and(|day| day.format("%Y-%m").to_string() == name)
}
