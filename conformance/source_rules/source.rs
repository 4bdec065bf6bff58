//! Reads the source files of the project.

use std::fs;
use std::path::{Path, PathBuf};

/// A source file: its path from the root of the project, and its text.
pub struct Source {
    pub path: String,
    pub text: String,
}

impl Source {
    /// Returns the lines outside comments, with their numbers.
    pub fn code(&self) -> impl Iterator<Item = (usize, &str)> {
        self.text.lines().enumerate().map(|(index, line)| (index + 1, line)).filter(|(_, line)| {
            let line = line.trim_start();
            !line.starts_with("//")
        })
    }
}

/// Returns every Rust file below `folder`, except generated ones.
pub fn below(folder: &str) -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut sources = Vec::new();
    collect(&root.join(folder), root, &mut sources);
    assert!(!sources.is_empty(), "{folder} holds Rust files");
    sources.sort_by(|a, b| a.path.cmp(&b.path));
    sources
}

fn collect(folder: &Path, root: &Path, sources: &mut Vec<Source>) {
    let entries = fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    for path in entries.map(|entry| entry.expect("an entry").path()).collect::<Vec<PathBuf>>() {
        if path.is_dir() && path.ends_with("generated") {
            continue;
        } else if path.is_dir() {
            collect(&path, root, sources);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path).expect("a source file is UTF-8");
            let path = path.strip_prefix(root).expect("below the root").display().to_string();
            sources.push(Source { path, text });
        }
    }
}
