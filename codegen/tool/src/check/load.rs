//! Reads `schema/` for the checks: every SDL, `versions.toml`, `waivers.toml`, `check.toml`, `published.txt`.

use std::fs;
use std::io;
use std::path::Path;

use schema::rule::{Document, Rules};
use schema::{Diagnostic, Report, Sdl};

use super::finding::Findings;
use super::levels::Levels;
use super::sign_off::SignOffs;
use super::waiver::Waivers;
use crate::emit::Names;
use crate::load;
use crate::rule;
use crate::versions::{self, VersionEntry};

/// The contents of a schema folder.
pub(super) struct Loaded {
    /// Oldest first; one for each of `entries`.
    pub sdls: Vec<Sdl>,
    pub entries: Vec<VersionEntry>,
    pub versions_path: String,
    pub versions_text: String,
    pub waivers: Waivers,
    pub levels: Levels,
    pub sign_offs: SignOffs,
}

/// Reads the folder. If a file has errors, adds them to the findings and returns `None`.
pub(super) fn load(root: &Path, findings: &mut Findings) -> io::Result<Option<Loaded>> {
    let folder = root.join("schema");
    let sources = load::load(&folder)?;
    let names = Names::default();
    let of_rust = |document: &Document<'_>, found: &mut Vec<Diagnostic>| rule::check(document, &names, found);
    let (mut sdls, mut mistakes) = (vec![], vec![]);
    for source in &sources.schemas {
        match Sdl::parse_with(&source.name, &source.path, &source.text, Rules::Extended(&of_rust)) {
            Ok(sdl) => sdls.push(sdl),
            Err(report) => mistakes.push(report),
        }
    }
    let known: Vec<&str> = sources.schemas.iter().map(|source| &*source.name).collect();
    let load::Source { path: versions_path, text: versions_text, .. } = sources.versions;
    let entries = versions::parse(&versions_path, &versions_text, &known).map_err(|report| mistakes.push(report));
    let waivers = read(&folder, "waivers.toml", Waivers::parse, findings)?.map_err(|report| mistakes.push(report));
    let levels = read(&folder, "check.toml", Levels::parse, findings)?.map_err(|report| mistakes.push(report));
    let sign_offs = read(&folder, "published.txt", SignOffs::parse, findings)?.map_err(|report| mistakes.push(report));
    mistakes.iter().for_each(|report| findings.add_report(report));
    sdls.iter().for_each(|sdl| findings.know_sdl(sdl));
    findings.know(&versions_path, &versions_text);
    let (Ok(entries), Ok(waivers), Ok(levels), Ok(sign_offs)) = (entries, waivers, levels, sign_offs) else {
        return Ok(None);
    };
    if !mistakes.is_empty() {
        return Ok(None);
    }
    findings.rules_page.clone_from(&levels.rules_page);
    Ok(Some(Loaded { sdls, entries, versions_path, versions_text, waivers, levels, sign_offs }))
}

/// Reads a file of the folder; the default if it does not exist.
fn read<T: Default>(
    folder: &Path,
    name: &str,
    parse: impl Fn(&str, &str) -> Result<T, Report>,
    findings: &mut Findings,
) -> io::Result<Result<T, Report>> {
    let path = format!("schema/{name}");
    match fs::read_to_string(folder.join(name)) {
        Ok(text) => {
            findings.know(&path, &text);
            Ok(parse(&path, &text))
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Ok(T::default())),
        Err(error) => Err(error),
    }
}
