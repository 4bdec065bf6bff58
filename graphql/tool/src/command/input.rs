//! Reads the arguments of commands: a version of schema/, a file, or a file of a commit.

use std::fs;
use std::path::Path;

use crate::finding::Findings;
use crate::git;
use dated_graphql_codegen::load;
use dated_graphql_codegen::versions::{self, VersionEntry};
use dated_graphql_docs::DatedSdl;
use dated_graphql_schema::rule::Rules;
use dated_graphql_schema::{Report, Sdl};

use super::exit::Failure;

/// Reads the schema that `name` refers to: `2026-10`, `path/to/file.graphql`, or `main:schema/2026-10.graphql`. It may have
/// subscriptions and extensions, which only the build refuses.
pub(crate) fn sdl(root: &Path, name: &str) -> Result<Result<Sdl, Report>, Failure> {
    let (schema, file) = (root.join("schema"), Path::new(name));
    if schema.is_dir() && load::version_names(&schema)?.iter().any(|version| version == name) {
        return Ok(load::version(&schema, name)?.parse(Rules::Foreign));
    }
    let text = if file.is_file() { Some(load::text(file)?) } else { None };
    match text.or_else(|| git::show(root, name).filter(|_| name.contains(':'))) {
        Some(text) => Ok(Sdl::parse_foreign(name, name, &text)),
        None => Err(Failure::new(format!(
            "`{name}` is neither a version of schema/, nor a file, nor a file of a commit (`main:schema/…`)"
        ))),
    }
}

/// Reads the SDL of every version of schema/, oldest first.
pub(crate) fn versions(root: &Path) -> Result<Vec<Sdl>, Failure> {
    let (mut sdls, mut findings) = (vec![], Findings::default());
    for name in load::version_names(&root.join("schema"))? {
        match sdl(root, &name)? {
            Ok(sdl) => sdls.push(sdl),
            Err(report) => findings.add_report(&report),
        }
    }
    if findings.failed() { Err(findings.into()) } else { Ok(sdls) }
}

/// Reads every version of schema/ with its entry, oldest first.
pub(crate) fn dated_versions(root: &Path) -> Result<(Vec<Sdl>, Vec<VersionEntry>), Failure> {
    let sdls = versions(root)?;
    let names: Vec<&str> = sdls.iter().map(Sdl::version).collect();
    let toml = fs::read_to_string(root.join("schema/versions.toml")).unwrap_or_default();
    let entries = versions::parse("schema/versions.toml", &toml, &names).map_err(|report| Findings::from(&report))?;
    Ok((sdls, entries))
}

/// Joins a schema and its entry.
pub(crate) fn dated<'a>((sdl, entry): (&'a Sdl, &'a VersionEntry)) -> DatedSdl<'a> {
    DatedSdl {
        sdl,
        status: entry.status,
        published: entry.published.as_deref(),
        deprecated: entry.deprecated.as_deref(),
        sunset: entry.sunset.as_deref(),
    }
}
