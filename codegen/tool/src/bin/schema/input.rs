//! Reads the arguments of commands: a version of schema/, a file, a file of a commit, or an address.

use std::fs;
use std::path::Path;

use schema::{DatedSdl, Report, Sdl};
use schema_tool::check::finding::Findings;
use schema_tool::check::git;
use schema_tool::check::output::{self, Format};
use schema_tool::load;
use schema_tool::versions::{self, VersionEntry};

use crate::exit::{Exit, Failure, print};
use crate::fetch;

/// Reads the schema that `name` refers to: `2026-10`, `path/to/file.graphql`, `main:schema/2026-10.graphql`, or the address of
/// a service or a file, to which `headers` are sent. A file holds SDL or introspection as JSON.
pub(crate) fn sdl(root: &Path, name: &str, headers: &[String]) -> Result<Result<Sdl, Report>, Failure> {
    let version = root.join(format!("schema/{name}.graphql"));
    if version.is_file() {
        return Ok(Sdl::parse(name, &format!("schema/{name}.graphql"), &load::text(&version)?));
    }
    let as_sdl = |path: &str, sdl: &str| Ok(Sdl::parse_foreign(name, path, sdl));
    if name.starts_with("http://") || name.starts_with("https://") {
        return as_sdl(&format!("{name} as SDL"), &fetch::sdl(name, headers)?);
    }
    let text = if Path::new(name).is_file() { Some(load::text(Path::new(name))?) } else { None };
    match text.or_else(|| git::show(root, name).filter(|_| name.contains(':'))) {
        Some(text) if fetch::is_json(&text) => {
            let sdl = fetch::text_as_sdl(&text).map_err(|Failure(message)| Failure(format!("{name}: {message}")))?;
            as_sdl(&format!("{name} as SDL"), &sdl)
        }
        Some(text) => as_sdl(name, &text),
        None => Err(Failure(format!(
            "`{name}` is neither a version of schema/, nor a file, nor a file of a commit (`main:schema/…`), nor an address"
        ))),
    }
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
        match sdl(root, &name, &[])? {
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
    Ok(versions(root)?.and_then(|sdls| Ok((entries(root, &sdls)?, sdls))).map(|(entries, sdls)| (sdls, entries)))
}

/// Prints the errors of files that were to be read.
pub(crate) fn mistakes(findings: &Findings) -> Result<Exit, Failure> {
    print(&output::write(findings, Format::Human))?;
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

/// Reads the entries of `schema/versions.toml`; returns the errors if there are any.
fn entries(root: &Path, sdls: &[Sdl]) -> Result<Vec<VersionEntry>, Findings> {
    let names: Vec<&str> = sdls.iter().map(Sdl::version).collect();
    let toml = fs::read_to_string(root.join("schema/versions.toml")).unwrap_or_default();
    versions::parse("schema/versions.toml", &toml, &names).map_err(|report| {
        let mut findings = Findings::default();
        findings.add_report(&report);
        findings
    })
}
