//! The findings of lint, one case for each rule: `lint/<subject>.txt` patches `lint/base.graphql`.
//!
//! `UPDATE_GOLDEN=1 cargo test -p dated-graphql-tool --test lint` rewrites the texts.

#![allow(clippy::unwrap_used)] // a failure of a test

#[path = "../../codegen/tests/cases/mod.rs"]
mod cases;
mod findings;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use cases::Cases;
use dated_graphql_schema::Sdl;
use dated_graphql_tool::finding::{Finding, Severity};
use dated_graphql_tool::lint;
use findings::described;

#[test]
fn finding_is_shown_with_its_place() {
    Cases::read("lint").compare(|cases, case| {
        let sdl = read(&cases.schema(case, "schema"), &case.name);
        let found = lint::lint(&sdl, None);
        assert!(found.iter().any(|finding| finding.rule == case.name), "{} is not found", case.name);
        described(found, &[&sdl])
    });
}

#[test]
fn every_rule_has_a_case_of_its_name() {
    let rules: BTreeSet<String> = lint::RULES.iter().map(|rule| rule.id.to_owned()).collect();
    assert_eq!(Cases::read("lint").names(), rules);
}

#[test]
fn published_schemas_are_clean() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap().join("schema");
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let files: Vec<PathBuf> = files.filter(|path| path.extension().is_some_and(|ending| ending == "graphql")).collect();
    assert!(!files.is_empty());
    for file in files {
        let found = lint::lint(&read(&fs::read_to_string(&file).unwrap(), "schema"), None);
        let said: Vec<&String> = found.iter().map(|finding| &finding.message).collect();
        assert!(found.is_empty(), "{}: {said:?}", file.display());
    }
}

#[test]
fn unchanged_element_is_only_a_warning() {
    let old = "type Query { a: Int }";
    let new = "\"What is read.\" type Query { a: Int b: Int } enum E { X }";
    let (old, new) = (Sdl::parse("a", "a.graphql", old).unwrap(), Sdl::parse("b", "b.graphql", new).unwrap());
    let found = lint::lint(&new, Some(&old));
    let severity = |rule: &str, at: &str| {
        let of = |finding: &&Finding| finding.rule == rule && finding.coordinate.as_deref() == Some(at);
        found.iter().find(of).map(|finding| finding.severity)
    };
    assert_eq!(severity("description-missing", "Query.a"), Some(Severity::Warning));
    assert_eq!(severity("description-missing", "Query.b"), Some(Severity::Error));
    assert_eq!(severity("description-missing", "E.X"), Some(Severity::Error), "all of a new type is new");
    assert_eq!(severity("type-unreachable", "E"), Some(Severity::Error));
}

fn read(text: &str, name: &str) -> Sdl {
    Sdl::parse("a", "schema.graphql", text).unwrap_or_else(|report| panic!("{name}: {report}"))
}
