//! Reads the arguments of commands: a version of schema/, a file, or a file of a commit.

use std::fs;
use std::path::Path;

use schema::{Report, Sdl};
use schema_tool::check::finding::Findings;
use schema_tool::check::git;
use schema_tool::versions::{self, VersionEntry};

use crate::exit::Failure;

/// Reads the SDL that `name` refers to: `2026-10`, `path/to/file.graphql`, or `main:schema/2026-10.graphql`.
pub(crate) fn sdl(root: &Path, name: &str) -> Result<Result<Sdl, Report>, Failure> {
    let version = root.join(format!("schema/{name}.graphql"));
    if version.is_file() {
        return Ok(Sdl::parse(name, &format!("schema/{name}.graphql"), &fs::read_to_string(version)?));
    }
    if Path::new(name).is_file() {
        return Ok(Sdl::parse(name, name, &fs::read_to_string(name)?));
    }
    if name.contains(':')
        && let Some(text) = git::show(root, name)
    {
        return Ok(Sdl::parse(name, name, &text));
    }
    Err(Failure(format!(
        "`{name}` is neither a version of schema/, nor a file, nor a file of a commit (`main:schema/…`)"
    )))
}

/// Reads the SDL of every version of schema/, oldest first; returns the errors if there are any.
pub(crate) fn versions(root: &Path) -> Result<Result<Vec<Sdl>, Findings>, Failure> {
    let mut names = vec![];
    for entry in fs::read_dir(root.join("schema"))? {
        let name = entry?.file_name();
        names.extend(name.to_str().and_then(|name| name.strip_suffix(".graphql")).map(str::to_owned));
    }
    names.sort_unstable();
    let (mut sdls, mut findings) = (vec![], Findings::default());
    for name in names {
        match sdl(root, &name)? {
            Ok(sdl) => sdls.push(sdl),
            Err(report) => findings.add_report(&report),
        }
    }
    Ok(if findings.failed() { Err(findings) } else { Ok(sdls) })
}

/// Reads the entries of `schema/versions.toml`; returns the errors if there are any.
pub(crate) fn entries(root: &Path, sdls: &[Sdl]) -> Result<Vec<VersionEntry>, Findings> {
    let names: Vec<&str> = sdls.iter().map(Sdl::version).collect();
    let toml = fs::read_to_string(root.join("schema/versions.toml")).unwrap_or_default();
    versions::parse("schema/versions.toml", &toml, &names).map_err(|report| {
        let mut findings = Findings::default();
        findings.add_report(&report);
        findings
    })
}
