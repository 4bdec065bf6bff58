//! The operations of a client, in the files of a folder.

use std::path::{Path, PathBuf};
use std::{fs, io};

use schema::diff::Pair;
use schema::operation::Comparison;

use super::{finding, parsed};
use crate::check::finding::Findings;

/// The endings of files with operations.
const ENDINGS: [&str; 2] = ["graphql", "gql"];

/// A file with operations.
pub struct OperationFile {
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
    let comparison = Comparison::new(pair, usize::MAX);
    let (mut paths, mut documents) = (vec![], vec![]);
    for OperationFile { path, text } in files {
        if let Some(document) = parsed(path, text, findings) {
            paths.push(path);
            documents.push(document);
        }
    }
    let verdicts = comparison.check(&documents);
    findings.extend(verdicts.iter().map(|verdict| finding(&comparison, paths[verdict.document], verdict)));
}
