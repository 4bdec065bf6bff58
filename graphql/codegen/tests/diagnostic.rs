//! The errors of the generator, one case for each rule and for some syntax errors: `diagnostic/<subject>.txt`.
//!
//! `UPDATE_GOLDEN=1 cargo test -p codegen --test diagnostic` rewrites the texts.

#![allow(clippy::unwrap_used)] // a failure of a test

mod cases;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use cases::{Cases, marked};
use dated_graphql_codegen::{BuildError, Mode, build};
use dated_graphql_schema::diagnostic::LineIndex;
use dated_graphql_schema::{Report, rule};

const VERSIONS: &str = "[[version]]\nname = \"2026-10\"\nstatus = \"current\"\npublished = 2026-10-01\n";

#[test]
fn mistake_is_shown_with_its_place_and_a_hint() {
    Cases::read("diagnostic").compare(|cases, case| {
        let source = cases.schema(case, "schema");
        let error = mistakes(&case.name, &[("2026-10.graphql", &source), ("versions.toml", VERSIONS)]);
        let BuildError::Schema(reports) = &error else { panic!("{error}") };
        reports.iter().map(described).collect()
    });
}

#[test]
fn every_rule_has_a_case_of_its_name() {
    let cases = Cases::read("diagnostic").names();
    let rules = rule::names().chain(["rust_value"]);
    let missing: Vec<&str> = rules.filter(|rule| !cases.contains(*rule)).collect();
    assert!(missing.is_empty(), "write a case for {missing:?}");
}

/// The cases for which graphql-js gives other places: of both types, or the end of the text.
const PLACED_OTHERWISE: [&str; 4] = ["interface_field", "syntax_empty", "syntax_end", "unicode"];
/// The rules of which graphql-js 17 finds every mistake, and no other.
const JUDGED: [&str; 9] = [
    "default_cycle",
    "default_value",
    "default_value_of_one_of",
    "deprecation",
    "empty_type",
    "input_cycle",
    "input_cycle_of_one_of",
    "interface_cycle",
    "one_of",
];

#[test]
fn mistake_is_where_graphql_js_finds_it() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance/schema_change_reference/rules.json");
    let theirs: BTreeMap<String, BTreeSet<usize>> = serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap();
    let cases = Cases::read("diagnostic");
    assert_eq!(theirs.keys().cloned().collect::<BTreeSet<_>>(), cases.names(), "run `npm run make` beside rules.json");
    for case in cases.iter() {
        let expected = cases.schema(case, "expected");
        let lines = |prefix: &str| -> BTreeSet<usize> {
            let places = expected.lines().filter_map(|line| line.strip_prefix(prefix)?.split(':').next()?.parse().ok());
            places.collect()
        };
        let (places, related) = (lines("schema/2026-10.graphql:"), lines("  "));
        let (name, theirs) = (&*case.name, &theirs[&case.name]);
        if JUDGED.contains(&name) {
            assert_eq!(&places, theirs, "{name}");
        } else if !PLACED_OTHERWISE.contains(&name) {
            let missed: Vec<_> =
                theirs.iter().filter(|line| !places.contains(line) && !related.contains(line)).collect();
            assert!(missed.is_empty(), "{name}: graphql-js finds a mistake in line {missed:?}");
        }
    }
}

#[test]
fn mistakes_of_all_files_are_reported_at_once() {
    let error = mistakes(
        "all_files",
        &[
            ("2026-10.graphql", "type Query {\n  book: Boko\n  genre: Gener\n}\ntype Book { id: ID! }\n"),
            ("2027-01.graphql", "typ Query { a: Int }\n"),
            (
                "versions.toml",
                "[[version]]\nname = \"2026-10\"\nstatus = \"current\"\npublished = 2026-10-01T10:00:00Z\n",
            ),
        ],
    );
    let expected = [
        "schema/2026-10.graphql:2:9: there is no type `Boko` (did you mean `Book`?)",
        "schema/2026-10.graphql:3:10: there is no type `Gener`",
        "schema/2027-01.graphql:1:1: unexpected `typ` (did you mean `type`?)",
        "schema/versions.toml:4:13: `published` is a day (write `2026-10-01`)",
        "schema/versions.toml:4:33: schema/2027-01.graphql has no entry (add `[[version]]` with `name = \"2027-01\"`, \
         `status` and `published`)",
    ];
    assert_eq!(error.lines(), expected);
}

#[test]
fn mistake_is_drawn_with_its_line_and_the_related_one() {
    let files = [("2026-10.graphql", "type Query {\n  a: Enumm\n}\nenum Enum { A A }\n"), ("versions.toml", VERSIONS)];
    let expected = "
error: there is no type `Enumm`
 --> schema/2026-10.graphql:2:6
  |
2 |   a: Enumm
  |      ^^^^^ not in this file
  |
  = help: did you mean `Enum`?

error: value `A` is in `Enum` twice
 --> schema/2026-10.graphql:4:15
  |
4 | enum Enum { A A }
  |             - ^ again here
  |             |
  |             first here

";
    assert_eq!(format!("\n{}", mistakes("drawn", &files).drawings()), expected);
}

#[test]
fn versions_file_is_checked_like_the_schema() {
    let sdl = "type Query { a: Int }\n";
    let entry = |name: &str, status: &str| {
        format!("[[version]]\nname = \"{name}\"\nstatus = \"{status}\"\npublished = 2026-10-01\n")
    };
    let lines = |versions: &str| mistakes("versions", &[("2026-10.graphql", sdl), ("versions.toml", versions)]).lines();
    let unknown = lines(&entry("2026-10", "beta"));
    assert_eq!(unknown.len(), 1);
    assert!(unknown[0].starts_with("schema/versions.toml:3:10: unknown variant `beta`"), "{unknown:?}");
    let twice = lines(&(entry("2026-10", "current") + &entry("2026-10", "current")));
    assert_eq!(twice, ["schema/versions.toml:6:8: versions are in the order of their dates, each once"]);
    let orphan = lines(&(entry("2026-10", "current") + &entry("2027-01", "current")));
    let message = "there is no schema/2027-01.graphql (write schema/2027-01.graphql, or remove the entry)";
    assert_eq!(orphan, [format!("schema/versions.toml:6:8: {message}")]);
}

#[test]
fn project_file_is_checked_like_the_schema() {
    let project = "[rust]\nmodle = \"crate::model\"\ncontext = \"my app\"\n\n[scalar.Json]\ninput = \"Vec<\"\noutput = \"Json\"\n";
    let sdl = "scalar Json type Query { a: Json }";
    let lines =
        mistakes("project", &[("2026-10.graphql", sdl), ("versions.toml", VERSIONS), ("project.toml", project)]);
    let expected = [
        "schema/project.toml:2:1: `[rust]` has no `modle` (did you mean `model`?)",
        "schema/project.toml:3:11: `my app` is no path of Rust",
        "schema/project.toml:6:9: `Vec<` is no type of Rust",
    ];
    let mut lines = lines.lines();
    lines.sort();
    assert_eq!(lines, expected);
    let files = [
        ("2026-10.graphql", "type Query { a: A } type A { height: Height } scalar Height"),
        ("versions.toml", VERSIONS),
        (
            "project.toml",
            "[resolve]\nfields = [\n  \"A.height\",\n  \"A.heigth\",\n]\n[scalar.Hight]\ninput = \"i32\"\noutput = \"i32\"\n",
        ),
    ];
    let expected = [
        "schema/project.toml:4:3: no version has an object with the field `A.heigth` (did you mean `A.height`?)",
        "schema/project.toml:6:9: no version has the scalar `Hight` (did you mean `Height`?)",
    ];
    assert_eq!(mistakes("resolve", &files).lines(), expected);
}

/// Returns the lines of a report, each with its span and the related one.
fn described(report: &Report) -> String {
    let mut text = String::new();
    for (line, diagnostic) in report.lines().zip(report.diagnostics()) {
        text += &format!("{line}\n  {}", marked(report.source(), diagnostic.span, &diagnostic.label));
        if let Some((span, label)) = &diagnostic.related {
            let (line, column) = LineIndex::new(report.source(), &[]).position(report.source(), span.start);
            text += &format!("  {line}:{column} {}", marked(report.source(), *span, label));
        }
    }
    text
}

/// Returns the error of a build with these files in `schema/`.
fn mistakes(name: &str, files: &[(&str, &str)]) -> BuildError {
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("diagnostic").join(name);
    fs::remove_dir_all(&root).ok();
    fs::create_dir_all(root.join("schema")).unwrap();
    for (file, text) in files {
        fs::write(root.join("schema").join(file), text).unwrap();
    }
    let error = build(&root, Mode::Write).expect_err("the schema has a mistake");
    assert!(!root.join("generated").exists(), "{name}: nothing is generated from a mistake");
    error
}
