//! What the generator says of a mistake, compared with `diagnostic/<rule>.txt`; the SDL is `diagnostic/<rule>.graphql`.
//!
//! `UPDATE_GOLDEN=1 cargo test -p schema-tool --test diagnostic` rewrites the texts.

#![allow(clippy::disallowed_methods, clippy::unwrap_used)] // a test is told by the environment to write what it compares

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use schema_tool::emit::Names;
use schema_tool::{BuildError, Mode, build};

const VERSIONS: &str = "[[version]]\nname = \"2026-10\"\nstatus = \"current\"\npublished = 2026-10-01\n";

#[test]
fn mistake_is_shown_with_its_place_and_a_hint() {
    let update = env::var_os("UPDATE_GOLDEN").is_some();
    let mut different = vec![];
    for name in cases() {
        let source = fs::read_to_string(folder().join(format!("{name}.graphql"))).unwrap();
        let error = mistakes(&name, &[("2026-10.graphql", &source), ("versions.toml", VERSIONS)]);
        let found = format!("{}\n\n{}", error.lines().join("\n"), error.pictures().trim_end()) + "\n";
        let file = folder().join(format!("{name}.txt"));
        if fs::read_to_string(&file).ok().as_ref() == Some(&found) {
            continue;
        }
        if update {
            fs::write(file, found).unwrap();
        } else {
            different.push(format!("{name}.txt should be:\n{found}"));
        }
    }
    assert!(different.is_empty(), "run with UPDATE_GOLDEN=1 and read the difference:\n{}", different.join("\n"));
}

#[test]
fn every_rule_has_a_case() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let folders = ["schema/src/rule", "tool/src/rule"].map(|folder| fs::read_dir(crates.join(folder)).unwrap());
    let rules = folders.into_iter().flatten().map(|entry| entry.unwrap().path());
    let rules = rules.filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned()));
    // These two are what the rules stand on.
    let missing: Vec<String> =
        rules.filter(|rule| !["document", "value", "mod"].contains(&&**rule) && !cases().contains(rule)).collect();
    assert!(missing.is_empty(), "write a case for {missing:?}");
}

#[test]
fn mistakes_of_all_files_are_reported_at_once() {
    let error = mistakes(
        "all_files",
        &[
            ("2026-10.graphql", "type Query {\n  card: Crad\n  theme: Theem\n}\ntype Card { id: ID! }\n"),
            ("2027-01.graphql", "typ Query { a: Int }\n"),
            (
                "versions.toml",
                "[[version]]\nname = \"2026-10\"\nstatus = \"current\"\npublished = 2026-10-01T10:00:00Z\n",
            ),
        ],
    );
    let expected = [
        "schema/2026-10.graphql:2:9: there is no type `Crad` (did you mean `Card`?)",
        "schema/2026-10.graphql:3:10: there is no type `Theem`",
        "schema/2027-01.graphql:1:1: unexpected `typ` (did you mean `type`?)",
        "schema/versions.toml:4:13: `published` is a day (write `2026-10-01`)",
        "schema/versions.toml:4:33: schema/2027-01.graphql has no entry (add `[[version]]` with `name = \"2027-01\"`, \
         `status` and `published`)",
    ];
    assert_eq!(error.lines(), expected);
}

#[test]
fn versions_file_is_checked_like_the_schema() {
    let sdl = "type Query { a: Int }\n";
    let entry = |name: &str, status: &str| {
        format!("[[version]]\nname = \"{name}\"\nstatus = \"{status}\"\npublished = 2026-10-01\n")
    };
    let said = |versions: &str| mistakes("versions", &[("2026-10.graphql", sdl), ("versions.toml", versions)]).lines();
    let unknown = said(&entry("2026-10", "beta"));
    assert_eq!(unknown.len(), 1);
    assert!(unknown[0].starts_with("schema/versions.toml:3:10: unknown variant `beta`"), "{unknown:?}");
    let twice = said(&(entry("2026-10", "current") + &entry("2026-10", "current")));
    assert_eq!(twice, ["schema/versions.toml:6:8: versions stand in the order of their dates, each once"]);
    let orphan = said(&(entry("2026-10", "current") + &entry("2027-01", "current")));
    let message = "there is no schema/2027-01.graphql (write schema/2027-01.graphql, or remove the entry)";
    assert_eq!(orphan, [format!("schema/versions.toml:6:8: {message}")]);
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/diagnostic")
}

/// The names of the cases.
fn cases() -> BTreeSet<String> {
    let files = fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path());
    let schemas = files.filter(|path| path.extension().is_some_and(|ending| ending == "graphql"));
    schemas.map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned()).collect()
}

/// What the build says of a schema folder with these files.
fn mistakes(name: &str, files: &[(&str, &str)]) -> BuildError {
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("diagnostic").join(name);
    fs::remove_dir_all(&root).ok();
    fs::create_dir_all(root.join("schema")).unwrap();
    for (file, text) in files {
        fs::write(root.join("schema").join(file), text).unwrap();
    }
    let error = build(&root, &Names::default(), Mode::Write).expect_err("the schema has a mistake");
    assert!(!root.join("generated").exists(), "{name}: nothing is written beside a mistake");
    error
}
