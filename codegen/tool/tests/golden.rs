//! The output of the generator, compared with the folders `golden/<feature>/`: one SDL file per version, and `expected/`.
//!
//! `UPDATE_GOLDEN=1 cargo test -p schema-tool --test golden` rewrites `expected/`. The test `compiled`
//! compiles and runs the files.

#![allow(clippy::disallowed_methods, clippy::unwrap_used)] // UPDATE_GOLDEN; tests may panic

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use schema::VersionStatus;
use schema::model::Schema;
use schema_tool::emit::{self, Names, Scalar};
use schema_tool::versions::VersionEntry;

/// The names of `compiled/engine.rs`, a small engine with the interface of the real one.
const NAMES: Names = Names {
    engine: "crate::engine",
    model: "crate::model",
    context: "crate::Context",
    patch: "crate::engine::Patch",
    schema_folder: "..",
    scalars: &[
        Scalar { name: "ID", input: "String", output: "crate::engine::Id", copy: true },
        Scalar { name: "String", input: "String", output: "str", copy: false },
        Scalar { name: "Int", input: "i32", output: "i32", copy: true },
        Scalar { name: "Boolean", input: "bool", output: "bool", copy: true },
    ],
};

#[test]
fn generated_code_is_as_expected() {
    let update = env::var_os("UPDATE_GOLDEN").is_some();
    let mut different = vec![];
    for case in cases() {
        let files = generate(&case);
        let folder = case.join("expected");
        let expected = read(&folder, "");
        if expected == files {
            continue;
        }
        if update {
            fs::remove_dir_all(&folder).ok();
            for (path, text) in &files {
                let path = folder.join(path);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, text).unwrap();
            }
        } else {
            let names: Vec<&String> = expected.keys().chain(files.keys()).collect();
            different.extend(names.into_iter().filter(|name| expected.get(*name) != files.get(*name)).map(|name| {
                let line = first_difference(expected.get(name), files.get(name));
                format!("{}: {line}", folder.join(name).display())
            }));
        }
    }
    different.sort();
    different.dedup();
    assert!(different.is_empty(), "run with UPDATE_GOLDEN=1 and read the difference:\n{}", different.join("\n"));
}

#[test]
fn generated_code_is_the_same_twice() {
    for case in cases() {
        assert_eq!(generate(&case), generate(&case));
    }
}

/// Returns the folders of the cases.
fn cases() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let mut cases: Vec<PathBuf> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_dir()).collect();
    cases.sort();
    assert!(!cases.is_empty());
    cases
}

/// Returns the generated files for the SDL files of a case, by path.
fn generate(case: &Path) -> BTreeMap<String, String> {
    let mut names: Vec<String> = fs::read_dir(case)
        .unwrap()
        .filter_map(|entry| entry.unwrap().file_name().to_str()?.strip_suffix(".graphql").map(str::to_owned))
        .collect();
    names.sort();
    let schemas: Vec<Schema> = names
        .iter()
        .map(|name| {
            let source = fs::read_to_string(case.join(format!("{name}.graphql"))).unwrap();
            Schema::parse(name, &source).unwrap_or_else(|report| panic!("{}: {report}", case.display()))
        })
        .collect();
    let entry = |name: &String| VersionEntry {
        name: name.clone(),
        status: VersionStatus::Current,
        published: Some(format!("{name}-01")),
        digest: None,
        deprecated: None,
        sunset: None,
    };
    let entries: Vec<VersionEntry> = names.iter().map(entry).collect();
    emit::files(&schemas, &entries, &NAMES).into_iter().map(|file| (file.path, file.text)).collect()
}

/// Returns the files in a folder, by path.
fn read(folder: &Path, prefix: &str) -> BTreeMap<String, String> {
    let mut files = BTreeMap::new();
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let entry = entry.unwrap();
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            files.extend(read(&entry.path(), &format!("{name}/")));
        } else {
            files.insert(name, fs::read_to_string(entry.path()).unwrap());
        }
    }
    files
}

fn first_difference(expected: Option<&String>, found: Option<&String>) -> String {
    let (Some(expected), Some(found)) = (expected, found) else {
        return if found.is_some() { "is missing".to_owned() } else { "is not generated".to_owned() };
    };
    let (expected, found): (Vec<&str>, Vec<&str>) = (expected.lines().collect(), found.lines().collect());
    let at = (0..).find(|at| expected.get(*at) != found.get(*at)).unwrap_or_default();
    format!("line {}: expected `{}`, found `{}`", at + 1, expected.get(at).unwrap_or(&""), found.get(at).unwrap_or(&""))
}
