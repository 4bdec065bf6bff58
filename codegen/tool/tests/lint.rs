//! What lint says, one folder for each rule: `lint/<rule>/schema.graphql`, and `expected.txt`.
//!
//! `UPDATE_GOLDEN=1 cargo test -p schema-tool --features check --test lint` rewrites the texts.

#![allow(clippy::disallowed_methods, clippy::unwrap_used)] // a test is told by the environment to write what it compares

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use schema::Sdl;
use schema_tool::check::finding::{Finding, Findings, Severity};
use schema_tool::check::lint::{self, Scope};
use schema_tool::check::output::{self, Format};

#[test]
fn finding_is_shown_with_its_place() {
    let update = env::var_os("UPDATE_GOLDEN").is_some();
    let mut different = vec![];
    for case in cases() {
        let sdl = read(&folder().join(&case).join("schema.graphql"));
        let found = lint::lint(&sdl, &Scope::Everything);
        assert!(found.iter().any(|finding| finding.rule == case), "{case} is not found");
        let mut findings = Findings::default();
        findings.know_sdl(&sdl);
        findings.extend(found);
        let text = output::write(&findings, Format::Human);
        let file = folder().join(&case).join("expected.txt");
        if fs::read_to_string(&file).ok().as_ref() == Some(&text) {
            continue;
        }
        if update {
            fs::write(file, text).unwrap();
        } else {
            different.push(format!("{case} should be:\n{text}"));
        }
    }
    assert!(different.is_empty(), "run with UPDATE_GOLDEN=1 and read the difference:\n{}", different.join("\n"));
}

#[test]
fn every_rule_has_a_file_and_a_folder_of_its_name() {
    let rules: BTreeSet<String> = lint::RULES.iter().map(|rule| rule.id.to_owned()).collect();
    assert_eq!(cases(), rules);
    let files = fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/check/lint")).unwrap();
    let files = files.map(|entry| entry.unwrap().path().file_stem().unwrap().to_str().unwrap().replace('_', "-"));
    // These two are what the rules stand on.
    let files: BTreeSet<String> = files.filter(|file| !["slot", "word"].contains(&&**file)).collect();
    assert_eq!(files, rules);
}

#[test]
fn published_schemas_are_clean() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap().join("schema");
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let files: Vec<PathBuf> = files.filter(|path| path.extension().is_some_and(|ending| ending == "graphql")).collect();
    assert!(!files.is_empty());
    for file in files {
        let found = lint::lint(&read(&file), &Scope::Everything);
        let said: Vec<&String> = found.iter().map(|finding| &finding.message).collect();
        assert!(found.is_empty(), "{}: {said:?}", file.display());
    }
}

#[test]
fn part_that_did_not_change_is_only_warned_of() {
    let old = "type Query { a: Int }";
    let new = "\"What is read.\" type Query { a: Int b: Int } enum E { X }";
    let (old, new) = (Sdl::parse("a", "a.graphql", old).unwrap(), Sdl::parse("b", "b.graphql", new).unwrap());
    let found = lint::lint(&new, &Scope::Since(&old));
    let severity = |rule: &str, at: &str| {
        let of = |finding: &&Finding| finding.rule == rule && finding.coordinate.as_deref() == Some(at);
        found.iter().find(of).map(|finding| finding.severity)
    };
    assert_eq!(severity("description-missing", "Query.a"), Some(Severity::Warning));
    assert_eq!(severity("description-missing", "Query.b"), Some(Severity::Error));
    assert_eq!(severity("description-missing", "E.X"), Some(Severity::Error), "what is new is new with all it holds");
    assert_eq!(severity("type-unreachable", "E"), Some(Severity::Error));
}

fn read(file: &Path) -> Sdl {
    let text = fs::read_to_string(file).unwrap();
    Sdl::parse("a", "schema.graphql", &text).unwrap_or_else(|report| panic!("{}: {report}", file.display()))
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/lint")
}

fn cases() -> BTreeSet<String> {
    let entries = fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap());
    entries.map(|entry| entry.file_name().into_string().unwrap()).collect()
}
