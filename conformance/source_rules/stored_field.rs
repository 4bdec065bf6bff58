//! The list of files that name a stored field of a card (docs/adding-a-field.md) is the list that the code has.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The field that the document takes as its example.
const FIELD: &str = "externalfuneraldirectorid";

/// The places where a new field may have to be named.
const PLACES: [&str; 5] = ["schema", "migrations", "src", "conformance/sim", "conformance/schema/limit.rs"];

/// Files that name the field although a new one need not be there.
const OPTIONAL: [&str; 1] = ["src/model/event.rs"];

fn files(path: &Path, found: &mut Vec<PathBuf>) {
    if path.is_file() {
        return found.push(path.to_owned());
    }
    for entry in fs::read_dir(path).expect("a folder") {
        files(&entry.expect("an entry").path(), found);
    }
}

/// Returns whether the part of a file of this project that is not a test names the field, in any spelling.
fn names_field(path: &str) -> bool {
    let whole = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    let Ok(text) = fs::read_to_string(whole) else { return false }; // a font or a picture
    let code = text.split("#[cfg(test)]").next().unwrap_or_default();
    !path.contains("/tests/") && !path.ends_with("_tests.rs") && code.to_lowercase().replace('_', "").contains(FIELD)
}

/// Writes the name of the version or of the migration as the document does.
fn general(path: &str) -> String {
    let parts = path.split('/').map(|part| match part.split('.').next().unwrap_or_default() {
        name if name.starts_with("v20") => "<version>".to_owned(),
        name if name.starts_with("20") && part.ends_with(".graphql") => "<version>.graphql".to_owned(),
        name if name.starts_with("20") => "<name>".to_owned(),
        _ => part.to_owned(),
    });
    parts.collect::<Vec<_>>().join("/")
}

#[test]
fn stored_field_is_named_in_the_documented_files() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut all = Vec::new();
    PLACES.iter().for_each(|place| files(&root.join(place), &mut all));
    let own = |path: &PathBuf| path.strip_prefix(root).expect("it is below").to_string_lossy().into_owned();
    let named = all.iter().map(own).filter(|path| names_field(path) && !OPTIONAL.contains(&&**path));
    let named: BTreeSet<_> = named.map(|path| general(&path)).collect();

    let document = fs::read_to_string(root.join("docs/adding-a-field.md")).expect("the document");
    let section = document.split("## A stored field of a card").nth(1).expect("its section");
    let section = section.split("\n## ").next().unwrap_or_default();
    let listed: BTreeSet<_> =
        section.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next()).map(str::to_owned).collect();
    assert_eq!(named, listed);
    assert!(listed.len() <= 10, "{} files for one field", listed.len());
}
