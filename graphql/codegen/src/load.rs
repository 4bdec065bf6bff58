//! Reads the folder `schema/`: the SDL of each version, and `versions.toml`.

use std::fs;
use std::io;
use std::path::Path;

use dated_graphql_schema::diagnostic::FileStart;
use dated_graphql_schema::rule::Rules;
use dated_graphql_schema::{Report, Sdl};

use crate::emit::RustPaths;

/// The path of the settings of a project, which need not exist.
pub const PROJECT: &str = "schema/project.toml";

/// The ending of the name of an SDL file.
const ENDING: &str = ".graphql";

/// The files of a schema folder.
pub struct Sources {
    /// The SDL files, the oldest version first.
    pub schemas: Vec<Source>,
    /// `versions.toml`.
    pub versions: Source,
}

/// One file, or the SDL files of the folder of a version.
pub struct Source {
    /// The name without its extension: `2026-10`.
    pub name: String,
    /// The path in reports: `schema/2026-10.graphql`, or `schema/2026-10`.
    pub path: String,
    pub text: String,
    /// The files of the folder.
    pub files: Vec<FileStart>,
}

impl Source {
    /// Reads and checks the SDL by `rules`.
    pub fn parse(&self, rules: Rules) -> Result<Sdl, Report> {
        let sdl = Sdl::parse_with(&self.name, &self.path, &self.text, rules);
        let mut sdl = sdl.map_err(|report| report.with_files(&self.files))?;
        sdl.files.clone_from(&self.files);
        Ok(sdl)
    }

    /// Returns the path and the text of each file.
    pub fn parts(&self) -> Vec<(&str, &str)> {
        if self.files.is_empty() {
            return vec![(&self.path, &self.text)];
        }
        let ends = self.files.iter().skip(1).map(|file| file.at).chain([self.text.len()]);
        // A line break follows each file.
        self.files.iter().zip(ends).map(|(file, end)| (&*file.path, &self.text[file.at..end - 1])).collect()
    }
}

/// Returns the names of the versions of a folder, oldest first: names are dates. A version is a file, or a folder of SDL files.
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
        let entry = entry?;
        let file = entry.file_name();
        let Some(file) = file.to_str() else { continue };
        match file.strip_suffix(ENDING) {
            Some(name) => names.push(name.to_owned()),
            None if entry.path().is_dir() && !sdl_files(&entry.path())?.is_empty() => names.push(file.to_owned()),
            None => {}
        }
    }
    names.sort_unstable();
    Ok(names)
}

/// Returns the names of the SDL files of a folder, in order.
fn sdl_files(folder: &Path) -> io::Result<Vec<String>> {
    let mut names = vec![];
    for entry in fs::read_dir(folder).map_err(|error| name_file(error, folder))? {
        names.extend(entry?.file_name().to_str().filter(|name| name.ends_with(ENDING)).map(str::to_owned));
    }
    names.sort_unstable();
    Ok(names)
}

/// Reads the SDL of a version: its file, or the files of its folder one after the other.
pub fn version(folder: &Path, name: &str) -> io::Result<Source> {
    let of_version = folder.join(name);
    if !of_version.is_dir() {
        return read(folder, name, "graphql");
    }
    let files = sdl_files(&of_version)?.into_iter().map(|file| {
        let path = of_version.join(&file);
        Ok((format!("schema/{name}/{file}"), text(&path).map_err(|error| name_file(error, &path))?))
    });
    Ok(join(name, files.collect::<io::Result<_>>()?))
}

/// Joins the files of a version, each with its path.
pub fn join(name: &str, parts: Vec<(String, String)>) -> Source {
    let (mut text, mut files) = (String::new(), vec![]);
    for (path, part) in parts {
        files.push(FileStart { path, at: text.len() });
        text.push_str(&part);
        text.push('\n');
    }
    Source { name: name.to_owned(), path: format!("schema/{name}"), text, files }
}

/// Reads the folder.
pub fn load(folder: &Path) -> io::Result<Sources> {
    let names = version_names(folder)?;
    let schemas = names.iter().map(|name| version(folder, name)).collect::<io::Result<_>>()?;
    Ok(Sources { schemas, versions: read(folder, "versions", "toml")? })
}

fn read(folder: &Path, name: &str, ending: &str) -> io::Result<Source> {
    let file = folder.join(format!("{name}.{ending}"));
    let text = text(&file).map_err(|error| name_file(error, &file))?;
    let folder = folder.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
    Ok(Source { name: name.to_owned(), path: format!("{folder}/{name}.{ending}"), text, files: vec![] })
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
