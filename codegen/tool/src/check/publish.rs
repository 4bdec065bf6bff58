//! Publishes a candidate: after that only its descriptions can change, unless a person signs a change off. Called by `cargo schema publish`.

use std::fs;
use std::io;
use std::path::Path;

use chrono::NaiveDate;
use schema::VersionStatus;

use super::contract;
use super::finding::{Findings, Severity};
use super::git::Base;
use super::load;
use super::project::{self, CheckError, Options};
use super::sign_off::{self, SignOff};
use crate::emit::Names;
use crate::sync;
use crate::versions;
use crate::{BuildError, Difference, Mode, build};

/// The result of [`publish`].
#[derive(Debug)]
pub struct Published {
    pub digest: String,
    /// Whether the version was a candidate; otherwise only its digest was recorded and signed off.
    pub was_candidate: bool,
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
    #[error("{0} was published with another digest: take the change back, or sign it off with `--change-published`")]
    Changed(String),
    #[error("say who signs it off: `--signed-off-by \"Name <address>\"`, or set user.name and user.email of git")]
    Unsigned,
    #[error("{0} is not fit to be published")]
    Unfit(String, Findings),
    #[error(transparent)]
    Check(#[from] CheckError),
    #[error(transparent)]
    Build(#[from] BuildError),
    #[error(transparent)]
    Files(#[from] io::Error),
}

/// What to publish, and who does it.
pub struct Publication<'a> {
    pub version: &'a str,
    pub today: NaiveDate,
    /// The person who signs it off; needed unless it is a dry run.
    pub signed_off_by: Option<&'a str>,
    /// Whether a published version that changed is published again.
    pub change: bool,
    /// Whether nothing is written.
    pub dry_run: bool,
}

/// Publishes a version; a dry run checks that and writes nothing.
pub fn publish(root: &Path, base: Base<'_>, publication: &Publication<'_>) -> Result<Published, PublishError> {
    let Publication { version: name, today, change, dry_run, .. } = *publication;
    let mut findings = Findings::default();
    let unfit = |findings| PublishError::Unfit(name.to_owned(), findings);
    let Some(loaded) = load::load(root, &mut findings)? else { return Err(unfit(findings)) };
    let found = loaded.entries.iter().zip(&loaded.sdls).find(|(entry, _)| entry.name == name);
    let Some((entry, sdl)) = found else { return Err(PublishError::Unknown(name.to_owned())) };
    let digest = contract::digest(sdl);
    let was_candidate = entry.status == VersionStatus::Candidate;
    let signed = loaded.sign_offs.latest(name).map(|signed| &signed.digest);
    if entry.digest.as_ref() == Some(&digest) && signed == Some(&digest) {
        return Err(PublishError::Already(name.to_owned()));
    }
    if !change && [entry.digest.as_ref(), signed].into_iter().flatten().any(|other| *other != digest) {
        return Err(PublishError::Changed(name.to_owned()));
    }
    let options = Options { root, today, base, usage: None, operations: None, deny: &[], publishes: was_candidate };
    let (mut findings, _) = project::schema(&options)?;
    // What this command writes, and what is about a candidate that it does not publish.
    let candidate = loaded.entries.last().filter(|entry| entry.status == VersionStatus::Candidate && !was_candidate);
    let candidate = candidate.map(|entry| format!("schema/{}.graphql", entry.name));
    findings.map(|finding| {
        let written = ["published-digest-missing", "sign-off-missing"].contains(&finding.rule)
            || (change && finding.rule == "published-changed");
        let elsewhere = candidate.is_some() && finding.at.as_ref().map(|at| &at.path) == candidate.as_ref();
        (!written && !elsewhere).then_some(finding)
    });
    if findings.failed() {
        return Err(unfit(findings.at_least(Severity::Error)));
    }
    if dry_run {
        return Ok(Published { digest, was_candidate, changed: None, findings });
    }
    let signed_off_by = publication.signed_off_by.map(str::trim).filter(|by| !by.is_empty() && !by.contains('\n'));
    let sign_off = SignOff {
        version: name.to_owned(),
        digest: digest.clone(),
        day: today.to_string(),
        name: signed_off_by.ok_or(PublishError::Unsigned)?.to_owned(),
    };
    let text = match &entry.digest {
        Some(recorded) => Some(loaded.versions_text.replace(recorded, &digest)),
        None => versions::with_publication(&loaded.versions_text, name, &today.to_string(), &digest),
    };
    let text = text.ok_or_else(|| PublishError::Unknown(name.to_owned()))?;
    let list = root.join(sign_off::PATH);
    let lines = if list.exists() { fs::read_to_string(&list)? } else { String::new() };
    sync::replace(&root.join("schema/versions.toml"), &text)?;
    sync::replace(&list, &sign_off::with_line(&lines, &sign_off))?;
    let changed = Some(build(root, &Names::default(), Mode::Write)?.changed);
    Ok(Published { digest, was_candidate, changed, findings })
}
