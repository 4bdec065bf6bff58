//! Checks the operations of a client against a candidate: which of them break, may behave in another way, or stay the same.
//!
//! Called by `cargo schema check --operations`. An operation is written for the version before the candidate.

mod uses;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::{fs, io};

use cynic_parser::ExecutableDocument;
use cynic_parser::executable::OperationDefinition;
use schema::coordinate;
use schema::diagnostic::Span;
use schema::diff::{self, Change, Level, Pair};
use schema::sdl::Sdl;
use schema::walk;

use super::affected::affected;
use super::finding::{Finding, Findings, Severity};
use uses::{Fragments, How, Misfit, Use, uses};

/// The endings of files with operations.
const ENDINGS: [&str; 2] = ["graphql", "gql"];

/// A file with operations.
pub(super) struct OperationFile {
    path: String,
    text: String,
}

/// Reads the files of a folder and the folders in it, in the order of their names.
pub(super) fn read(folder: &Path) -> io::Result<Vec<OperationFile>> {
    let (mut files, mut folders) = (vec![], vec![folder.to_owned()]);
    while let Some(folder) = folders.pop() {
        let named = |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", folder.display()));
        for entry in fs::read_dir(&folder).map_err(named)? {
            let path: PathBuf = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ENDINGS.iter().any(|known| ending == *known)) {
                let text = fs::read_to_string(&path).map_err(named)?;
                files.push(OperationFile { path: path.display().to_string(), text });
            }
        }
    }
    files.sort_by(|one, other| one.path.cmp(&other.path));
    Ok(files)
}

/// Adds a finding for each operation of the files.
pub(super) fn check(pair: Pair<'_>, files: &[OperationFile], findings: &mut Findings) {
    let effects = effects(pair);
    let mut documents: Vec<(&OperationFile, ExecutableDocument)> = vec![];
    for file in files {
        findings.know(&file.path, &file.text);
        match cynic_parser::parse_executable_document(&file.text) {
            Ok(document) => documents.push((file, document)),
            Err(error) => {
                let at = error.span().map_or(Span { start: 0, end: 0 }, |at| Span { start: at.start, end: at.end });
                let message = format!("{} is not GraphQL: {error}", file.path);
                let finding = Finding::new("operation-invalid", Severity::Error, message);
                findings.extend([finding.at(&file.path, at, "here")]);
            }
        }
    }
    let fragments: Fragments<'_> =
        documents.iter().flat_map(|(_, document)| document.fragments()).map(|found| (found.name(), found)).collect();
    for (file, document) in &documents {
        // A fragment of the same document comes before one of the same name elsewhere.
        let mut fragments = fragments.clone();
        fragments.extend(document.fragments().map(|own| (own.name(), own)));
        let own: BTreeSet<&str> = document.fragments().map(|own| own.name()).collect();
        for operation in document.operations() {
            let used = |sdl: &Sdl| uses(&sdl.schema, operation, &fragments, &own);
            findings.extend([verdict(pair, &effects, &file.path, operation, (used(pair.old), used(pair.new)))]);
        }
    }
}

/// A change, and the coordinates of the old schema whose use by an operation it affects.
struct Effect {
    change: Change,
    affected: Vec<String>,
    /// Whether the changed argument or input field must be sent now.
    required: bool,
    /// Whether it takes every value that it took, except null.
    only_null_refused: bool,
}

fn effects(pair: Pair<'_>) -> Vec<Effect> {
    let changes = diff::find(pair).into_iter().filter(|change| change.rule.level > Level::Safe);
    let effect = |change: Change| {
        let input = |sdl| walk::input_values(sdl).into_iter().find(|value| value.coordinate == change.coordinate);
        let (old, new) = (input(&pair.old.schema), input(&pair.new.schema));
        let required = new.as_ref().is_some_and(|new| new.input.ty.is_non_null() && new.input.default.is_none());
        let only_null_refused = old.zip(new).is_some_and(|(old, new)| old.input.ty == new.input.ty.nullable());
        Effect { affected: affected_uses(pair, &change), change, required, only_null_refused }
    };
    changes.map(effect).collect()
}

/// Unlike [`affected`], tells the uses of an argument or an input field from those of what has it.
fn affected_uses(pair: Pair<'_>, change: &Change) -> Vec<String> {
    let (id, at) = (change.rule.id, &change.coordinate);
    let parent = || coordinate::parent(at).unwrap_or(at).to_owned();
    match id {
        _ if id.ends_with("-argument-added") || id.ends_with("-input-field-added") => vec![parent()],
        _ if id.starts_with("argument-") || id.starts_with("input-field-") => vec![at.clone()],
        _ => affected(pair, change),
    }
}

/// Writes the finding of an operation: its worst change, the others as notes.
fn verdict(
    pair: Pair<'_>,
    effects: &[Effect],
    path: &str,
    operation: OperationDefinition<'_>,
    (before, after): (Result<Vec<Use>, Misfit>, Result<Vec<Use>, Misfit>),
) -> Finding {
    let named = operation.name().map_or("an operation without a name".to_owned(), |name| format!("operation `{name}`"));
    let (old, new) = (pair.old.version(), pair.new.version());
    let uses = match before {
        Ok(uses) => uses,
        Err(Misfit { message, span }) => {
            let message = format!("{named} does not fit {old}: {message}");
            return Finding::new("operation-invalid", Severity::Error, message).at(path, span, "here");
        }
    };
    let worst = |effect: &Effect| {
        let uses = uses.iter().filter(|found| effect.affected.contains(&found.coordinate));
        let levels = uses.filter_map(|found| Some((level(effect, found)?, found.span)));
        levels.max_by_key(|(level, _)| *level)
    };
    let met = effects.iter().filter_map(|effect| worst(effect).map(|(level, span)| (level, span, &effect.change)));
    let mut met: Vec<(Level, Span, &Change)> = met.collect();
    met.sort_by_key(|(level, ..)| std::cmp::Reverse(*level));
    let breaks = |message: &str, span| {
        let message = format!("{named} breaks in {new}: {message}");
        Finding::new("operation-broken", Severity::Error, message).at(path, span, "here")
    };
    let finding = match (met.first(), after) {
        (Some((Level::Breaking, span, change)), _) => breaks(&change.message, *span).note(change.rule.reason),
        (_, Err(misfit)) => {
            let finding = breaks(&misfit.message, misfit.span);
            return met.iter().fold(finding, |finding, (.., change)| finding.note(&change.message));
        }
        (Some((_, span, change)), _) => {
            let message = format!("{named} may behave differently in {new}: {}", change.message);
            let finding = Finding::new("operation-affected", Severity::Warning, message);
            finding.at(path, *span, "here").note(change.rule.reason)
        }
        (None, Ok(_)) => {
            let at = operation.name_span().unwrap_or(operation.selection_set_span());
            let at = Span { start: at.start, end: at.end };
            let message = format!("{named} is unaffected by {new}");
            Finding::new("operation-unaffected", Severity::Note, message).at(path, at, "as before")
        }
    };
    met.iter().skip(1).fold(finding, |finding, (.., change)| finding.note(&change.message))
}

/// Returns the level of a change for one use of what it affects, or `None` if that use is as good as before.
fn level(effect: &Effect, found: &Use) -> Option<Level> {
    let Effect { change, required, only_null_refused, .. } = effect;
    let (id, how) = (change.rule.id, found.how);
    if id.starts_with("limit-") || id == "figure-changed" {
        return (how != How::LeftOut).then_some(Level::Dangerous);
    }
    if id.contains("-default-") {
        return (how == How::LeftOut).then_some(change.rule.level);
    }
    match how {
        How::LeftOut => required.then_some(change.rule.level),
        How::Sent if *only_null_refused || id.ends_with("-made-required") => None,
        // Each request may send another value.
        How::InVariable => Some(Level::Dangerous),
        // An answer may hold less than before, such as a removed enum value.
        How::Named if found.coordinate != change.coordinate && !id.ends_with("-added") => Some(Level::Dangerous),
        How::Named | How::Sent | How::SentFromNullable => Some(change.rule.level),
    }
}
