//! Reads the arguments of commands: a version of schema/, a file, or a file of a commit.

use std::fs;
use std::path::Path;

use codegen::load;
use codegen::versions::{self, VersionEntry};
use docs::DatedSdl;
use schema::{Report, Sdl};
use tool::finding::Findings;
use tool::git;
use tool::output::{self, Format};

use crate::exit::{Exit, Failure, print};

/// Reads the schema that `name` refers to: `2026-10`, `path/to/file.graphql`, or `main:schema/2026-10.graphql`. It may have
/// subscriptions and extensions, which only the build refuses.
pub(crate) fn sdl(root: &Path, name: &str) -> Result<Result<Sdl, Report>, Failure> {
    let of_version = format!("schema/{name}.graphql");
    let (path, file) = match root.join(&of_version) {
        version if version.is_file() => (&*of_version, version),
        _ => (name, Path::new(name).to_owned()),
    };
    let text = if file.is_file() { Some(load::text(&file)?) } else { None };
    match text.or_else(|| git::show(root, name).filter(|_| name.contains(':'))) {
        Some(text) => Ok(Sdl::parse_foreign(name, path, &text)),
        None => Err(Failure(format!(
            "`{name}` is neither a version of schema/, nor a file, nor a file of a commit (`main:schema/…`)"
        ))),
    }
}

/// Returns the names of the versions of schema/, oldest first.
pub(crate) fn version_names(root: &Path) -> Result<Vec<String>, Failure> {
    let folder = root.join("schema");
    let mut names = vec![];
    for entry in fs::read_dir(&folder).map_err(|error| Failure(format!("{}: {error}", folder.display())))? {
        let name = entry?.file_name();
        names.extend(name.to_str().and_then(|name| name.strip_suffix(".graphql")).map(str::to_owned));
    }
    names.sort_unstable();
    Ok(names)
}

/// Reads the SDL of every version of schema/, oldest first; returns the errors if there are any.
pub(crate) fn versions(root: &Path) -> Result<Result<Vec<Sdl>, Findings>, Failure> {
    let (mut sdls, mut findings) = (vec![], Findings::default());
    for name in version_names(root)? {
        match sdl(root, &name)? {
            Ok(sdl) => sdls.push(sdl),
            Err(report) => findings.add_report(&report),
        }
    }
    Ok(if findings.failed() { Err(findings) } else { Ok(sdls) })
}

/// The schemas of all versions, and the entry of each.
type Versions = (Vec<Sdl>, Vec<VersionEntry>);

/// Reads every version of schema/ with its entry, oldest first; returns the errors if there are any.
pub(crate) fn dated_versions(root: &Path) -> Result<Result<Versions, Findings>, Failure> {
    let sdls = match versions(root)? {
        Ok(sdls) => sdls,
        Err(findings) => return Ok(Err(findings)),
    };
    let names: Vec<&str> = sdls.iter().map(Sdl::version).collect();
    let toml = fs::read_to_string(root.join("schema/versions.toml")).unwrap_or_default();
    Ok(match versions::parse("schema/versions.toml", &toml, &names) {
        Ok(entries) => Ok((sdls, entries)),
        Err(report) => {
            let mut findings = Findings::default();
            findings.add_report(&report);
            Err(findings)
        }
    })
}

/// Prints the errors of files that were to be read.
pub(crate) fn mistakes(findings: &Findings) -> Result<Exit, Failure> {
    print(&output::write(findings, Format::Text))?;
    Ok(Exit::Findings)
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
