//! Publishes a candidate: after that only the words of its descriptions can change. Called by `cargo schema publish`.

use std::io;
use std::path::Path;

use chrono::NaiveDate;
use schema::VersionStatus;

use crate::contract;
use crate::finding::{Findings, Severity};
use crate::git::Base;
use crate::load;
use crate::project::{self, CheckError, Options};
use codegen::sync;
use codegen::versions;
use codegen::{BuildError, Difference, Mode, build};

/// The result of [`publish`].
#[derive(Debug)]
pub struct Published {
    pub digest: String,
    /// The files of `generated/` that were written; `None` for a dry run.
    pub changed: Option<Difference>,
    /// What the check says besides errors, such as changes that are waived.
    pub findings: Findings,
}

/// Why [`publish`] failed.
#[derive(Debug, thiserror::Error)]
pub enum PublishError {
    #[error("there is no version {0} in schema/")]
    Unknown(String),
    #[error("{0} is published already")]
    Already(String),
    #[error("{0} is not fit to be published")]
    Unfit(String, Findings),
    #[error(transparent)]
    Check(#[from] CheckError),
    #[error(transparent)]
    Build(#[from] BuildError),
    #[error(transparent)]
    Files(#[from] io::Error),
}

/// Publishes the version `name`; a dry run checks that and writes nothing.
pub fn publish(
    root: &Path,
    base: Base<'_>,
    name: &str,
    today: NaiveDate,
    dry_run: bool,
) -> Result<Published, PublishError> {
    let mut findings = Findings::default();
    let Some(loaded) = load::load(root, &mut findings)? else {
        return Err(PublishError::Unfit(name.to_owned(), findings));
    };
    let found = loaded.entries.iter().zip(&loaded.sdls).find(|(entry, _)| entry.name == name);
    let Some((entry, sdl)) = found else { return Err(PublishError::Unknown(name.to_owned())) };
    if entry.status != VersionStatus::Candidate {
        return Err(PublishError::Already(name.to_owned()));
    }
    let findings = project::schema(&Options { root, today, base, usage: None, publishes: true })?;
    if findings.failed() {
        return Err(PublishError::Unfit(name.to_owned(), findings.at_least(Severity::Error)));
    }
    let digest = contract::digest(sdl);
    if dry_run {
        return Ok(Published { digest, changed: None, findings });
    }
    let text = versions::with_publication(&loaded.versions_text, name, &today.to_string(), &digest);
    let text = text.ok_or_else(|| PublishError::Unknown(name.to_owned()))?;
    sync::replace(&root.join("schema/versions.toml"), &text)?;
    let changed = Some(build(root, Mode::Write)?.changed);
    Ok(Published { digest, changed, findings })
}
