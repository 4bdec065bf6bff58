//! Reads the folder `schema/`: the SDL of each version, and `versions.toml`.

use std::fs;
use std::io;
use std::path::Path;

use dated_graphql_schema::Report;

use crate::emit::RustPaths;

/// The path of the settings of a project, which need not exist.
pub const PROJECT: &str = "schema/project.toml";

/// The files of a schema folder.
pub struct Sources {
    /// The SDL files, the oldest version first.
    pub schemas: Vec<Source>,
    /// `versions.toml`.
    pub versions: Source,
}

/// One file.
pub struct Source {
    /// The name without its extension: `2026-10`.
    pub name: String,
    /// The path in reports: `schema/2026-10.graphql`.
    pub path: String,
    pub text: String,
}

/// Returns the names of the versions of a folder, oldest first: names are dates.
pub fn version_names(folder: &Path) -> io::Result<Vec<String>> {
    let mut names = vec![];
    let no_project = |error: io::Error| match error.kind() {
        io::ErrorKind::NotFound => {
            let hint = "begin a project with `cargo schema init`, or name the folder of one with `--root`";
            io::Error::new(error.kind(), format!("there is no folder {}: {hint}", folder.display()))
        }
        _ => name_file(error, folder),
    };
    for entry in fs::read_dir(folder).map_err(no_project)? {
        let file = entry?.file_name();
        names.extend(file.to_str().and_then(|file| file.strip_suffix(".graphql")).map(str::to_owned));
    }
    names.sort_unstable();
    Ok(names)
}

/// Reads the folder.
pub fn load(folder: &Path) -> io::Result<Sources> {
    let names = version_names(folder)?;
    let schemas = names.iter().map(|name| read(folder, name, "graphql")).collect::<io::Result<_>>()?;
    Ok(Sources { schemas, versions: read(folder, "versions", "toml")? })
}

fn read(folder: &Path, name: &str, ending: &str) -> io::Result<Source> {
    let file = folder.join(format!("{name}.{ending}"));
    let text = text(&file).map_err(|error| name_file(error, &file))?;
    let folder = folder.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
    Ok(Source { name: name.to_owned(), path: format!("{folder}/{name}.{ending}"), text })
}

/// Reads the Rust names of a project, and the text of its settings.
pub fn names(root: &Path) -> io::Result<(Result<RustPaths, Report>, String)> {
    let source = match text(&root.join(PROJECT)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        source => source?,
    };
    Ok((RustPaths::parse(PROJECT, &source), source))
}

/// Reads a text. Bytes that are not UTF-8 become U+FFFD, which the parser of SDL refuses with its place.
pub fn text(path: &Path) -> io::Result<String> {
    Ok(match String::from_utf8(fs::read(path)?) {
        Ok(text) => text,
        Err(error) => String::from_utf8_lossy(error.as_bytes()).into_owned(),
    })
}

/// Adds the path to an error.
fn name_file(error: io::Error, path: &Path) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}
