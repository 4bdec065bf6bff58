//! Checks operations against a candidate: which of them break, may behave in another way, or stay the same.
//!
//! Called by `cargo schema check --operations`. [`schema::operation`] decides; the operations are those of a client, in a
//! folder ([`folder`]), or those that the server stored of its partners ([`stored`]).

mod folder;
mod stored;

use std::io;
use std::path::Path;

use schema::diff::Pair;
use schema::operation::{Comparison, Document, Outcome, Verdict};
use schema::sdl::Sdl;

use super::finding::{Finding, Findings, Severity};
use super::usage::UsageError;
use folder::OperationFile;
use stored::StoredDocument;

/// Operations, by where they are from.
pub enum Operations {
    /// Files that share their fragments, written for the version before the candidate.
    Files(Vec<OperationFile>),
    /// Documents of partners, each complete and written for its version.
    Stored(Vec<StoredDocument>),
}

/// Why operations could not be read.
#[derive(Debug, thiserror::Error)]
pub enum OperationsError {
    #[error(transparent)]
    Files(#[from] io::Error),
    #[error(transparent)]
    Stored(#[from] UsageError),
    /// Nothing was checked, which is not the same as nothing breaks.
    #[error("{0} holds no operations: {1}")]
    Empty(String, &'static str),
}

impl Operations {
    /// Reads a folder, an export of `card-service usage documents --json`, or the server's database.
    pub fn read(from: &str) -> Result<Self, OperationsError> {
        const STORED: &str = "the server stores the documents of partners with USAGE_DOCUMENTS=on";
        let (read, hint) = match from {
            _ if from.contains("://") => (Self::Stored(stored::read(from)?), STORED),
            _ if Path::new(from).extension().is_some_and(|ending| ending == "json") => {
                let text = std::fs::read_to_string(from);
                let text = text.map_err(|error| io::Error::new(error.kind(), format!("{from}: {error}")))?;
                (Self::Stored(stored::parse(&text)?), STORED)
            }
            _ => (Self::Files(folder::read(Path::new(from))?), "they are files that end in .graphql or .gql"),
        };
        let is_empty = match &read {
            Self::Files(files) => files.is_empty(),
            Self::Stored(documents) => documents.is_empty(),
        };
        if is_empty { Err(OperationsError::Empty(from.to_owned(), hint)) } else { Ok(read) }
    }

    /// Adds a finding for each operation. `sdls` are all versions, the candidate last.
    pub(super) fn check(&self, sdls: &[Sdl], findings: &mut Findings) {
        let Some((candidate, older)) = sdls.split_last() else { return };
        match self {
            Self::Files(files) => {
                if let Some(old) = older.last() {
                    folder::check(Pair { old, new: candidate }, files, findings);
                }
            }
            Self::Stored(documents) => stored::check(older, candidate, documents, findings),
        }
    }
}

/// Reads a document; adds its error to the findings.
fn parsed(path: &str, text: &str, findings: &mut Findings) -> Option<Document> {
    findings.know(path, text);
    let error = match Document::parse(text) {
        Ok(document) => return Some(document),
        Err(error) => error,
    };
    let message = format!("{path} is not GraphQL: {}", error.message);
    let finding = Finding::new("operation-invalid", Severity::Error, message).at(path, error.span, &error.label);
    findings.extend([Finding { help: error.help, ..finding }]);
    None
}

/// Writes the finding of an operation: its worst cause, the others as notes.
fn finding(comparison: &Comparison<'_>, path: &str, verdict: &Verdict) -> Finding {
    let named = verdict
        .operation
        .as_ref()
        .map_or("an operation without a name".to_owned(), |name| format!("operation `{name}`"));
    let Pair { old, new } = comparison.pair();
    let (old, new) = (old.version(), new.version());
    let Some((worst, others)) = verdict.causes.split_first() else {
        let message = format!("{named} is unaffected by {new}");
        return Finding::new("operation-unaffected", Severity::Note, message).at(path, verdict.span, "as before");
    };
    let (rule, severity, said) = match verdict.outcome {
        Outcome::Invalid => ("operation-invalid", Severity::Error, format!("does not fit {old}")),
        Outcome::Broken => ("operation-broken", Severity::Error, format!("breaks in {new}")),
        Outcome::Affected | Outcome::Unaffected => {
            ("operation-affected", Severity::Warning, format!("may behave differently in {new}"))
        }
    };
    let finding = Finding::new(rule, severity, format!("{named} {said}: {}", worst.message));
    let notes = worst.reason.into_iter().chain(others.iter().map(|cause| &*cause.message));
    notes.fold(finding.at(path, worst.span, "here").coordinate(&worst.coordinate), Finding::note)
}
