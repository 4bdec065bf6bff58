//! Generates `generated/` from `schema/`. Called by the build script and by `cargo schema`.

use std::io;
use std::path::Path;

use dated_graphql_schema::Report;
use dated_graphql_schema::model::Schema;
use dated_graphql_schema::rule::Rules;

use crate::drawing;
use crate::emit::{self, RustPaths};
use crate::load::{self, Source};
use crate::notes::{Note, notes};
use crate::rule;
use crate::sync::{self, Difference};
use crate::versions;

/// The command that updates `generated/`.
pub(crate) const COMMAND: &str = "cargo schema generate";

/// What [`build`] does if `generated/` is stale.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Writes it.
    Write,
    /// Fails, for CI: the commit lacks generated files.
    Check,
}

/// The result of [`build`].
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The names of the versions, oldest first.
    pub versions: Vec<String>,
    /// The files that were written and deleted.
    pub changed: Difference,
    /// What the generator decided about the newest version.
    pub notes: Vec<Note>,
}

/// Why [`build`] failed.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// Files of `schema/` have errors: one report for each file.
    #[error("schema/ has errors:\n{}", .0.iter().map(Report::to_string).collect::<String>())]
    Schema(Vec<Report>),
    /// `generated/` differs from what `schema/` generates.
    #[error("generated/ is stale: run `{COMMAND}` and commit the result")]
    Stale(Difference),
    /// `generated/` holds files that were not generated.
    #[error("generated/ holds files that were not generated: move {} elsewhere", .0.join(", "))]
    Foreign(Vec<String>),
    /// A file could not be read or written.
    #[error(transparent)]
    Files(#[from] io::Error),
}

impl BuildError {
    /// Returns one line for each error: `file:line:column: message` if it has a span.
    pub fn lines(&self) -> Vec<String> {
        match self {
            BuildError::Schema(reports) => reports.iter().flat_map(Report::lines).collect(),
            BuildError::Stale(Difference { missing, stale, extra, .. }) => {
                let lines = |paths: &[String], what: &str| -> Vec<String> {
                    let paths = paths.iter();
                    paths
                        .map(|path| format!("generated/{path} {what}: run `{COMMAND}` and commit the result"))
                        .collect()
                };
                let stale = lines(stale, "is stale");
                [lines(missing, "is missing"), stale, lines(extra, "is not generated from schema/")].concat()
            }
            BuildError::Foreign(_) | BuildError::Files(_) => vec![self.to_string()],
        }
    }

    /// Draws the errors that have a span, as rustc does.
    pub fn drawings(&self) -> String {
        match self {
            BuildError::Schema(reports) => reports.iter().map(drawing::report).collect(),
            _ => String::new(),
        }
    }
}

/// Runs [`build`] in a build script, for the package of the script.
///
/// ```no_run
/// // The whole `main` of build.rs:
/// dated_graphql_codegen::build_script(dated_graphql_codegen::Mode::Write);
/// ```
pub fn build_script(mode: Mode) {
    println!("cargo::rerun-if-changed=schema");
    println!("cargo::rerun-if-changed=generated");
    if let Err(error) = build(Path::new("."), mode) {
        eprint!("{}", error.drawings());
        error.lines().iter().for_each(|line| println!("cargo::error={line}"));
        std::process::exit(1);
    }
}

/// Reads and checks `<root>/schema`; updates or checks `<root>/generated`, depending on `mode`.
pub fn build(root: &Path, mode: Mode) -> Result<Outcome, BuildError> {
    let in_project = |report| BuildError::Schema(vec![report]);
    let (names, project) = load::names(root)?;
    let names = &names.map_err(in_project)?;
    let sources = load::load(&root.join("schema"))?;
    let rules = Rules::Extended(rule::check);
    let parsed = sources.schemas.iter().map(|source| source.parse(rules).map(|sdl| sdl.schema));
    let (schemas, reports): (Vec<Schema>, _) = partition(parsed);
    let versions: Vec<&str> = sources.schemas.iter().map(|source| &*source.name).collect();
    let Source { path, text, .. } = &sources.versions;
    let (mut entries, entry_reports) = partition([versions::parse(path, text, &versions)]);
    if !reports.is_empty() || !entry_reports.is_empty() {
        return Err(BuildError::Schema([reports, entry_reports].concat()));
    }
    names.check_names(load::PROJECT, &project, schemas.iter()).map_err(in_project)?;
    let parts = sources.schemas.iter().map(|source| {
        let files = source.files.iter().filter_map(|file| file.path.rsplit('/').next());
        (source.name.clone(), files.map(str::to_owned).collect())
    });
    let names = &RustPaths { sdl_files: parts.collect(), ..names.clone() };
    let files = emit::files(&schemas, &entries.pop().unwrap_or_default(), names);
    let folder = root.join("generated");
    let difference = sync::compare(&folder, &files)?;
    if !difference.foreign.is_empty() {
        return Err(BuildError::Foreign(difference.foreign));
    }
    match mode {
        Mode::Check if !difference.is_empty() => return Err(BuildError::Stale(difference)),
        Mode::Check => {}
        Mode::Write => sync::write(&folder, &files, &difference)?,
    }
    let notes = schemas.last().map(|newest| notes(newest, names)).unwrap_or_default();
    Ok(Outcome { versions: versions.into_iter().map(str::to_owned).collect(), changed: difference, notes })
}

fn partition<T, E>(results: impl IntoIterator<Item = Result<T, E>>) -> (Vec<T>, Vec<E>) {
    let (mut good, mut bad) = (vec![], vec![]);
    for result in results {
        match result {
            Ok(value) => good.push(value),
            Err(error) => bad.push(error),
        }
    }
    (good, bad)
}
