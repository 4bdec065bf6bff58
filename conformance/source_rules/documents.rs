//! Documents that are written from a register of the binary are current.

use std::path::Path;

use card_service::services::{check_alerts, check_runbook, metrics_reference};

use super::source::{self, Source};

/// Compares a file with its current text; with `UPDATE_DOCS=1`, writes it.
#[allow(clippy::disallowed_methods)] // a switch of this test's own
pub fn assert_current(path: &str, current: &str) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(&file, current).expect("the document can be written");
    }
    let written = std::fs::read_to_string(&file).unwrap_or_default();
    let command = "UPDATE_DOCS=1 cargo test --workspace --all-features --test conformance";
    assert!(written == current, "{path} is not current: {command} <this test>");
}

#[test]
fn documents_of_the_checks_are_current() {
    assert_current("docs/checks.md", &check_runbook());
    assert_current("docs/operating/checks.yml", &check_alerts());
}

#[test]
fn document_of_the_schema_rules_is_current() {
    assert_current("docs/schema-rules.md", &dated_graphql_tool::registry::page());
}

#[test]
fn editor_configuration_has_every_version() {
    let text = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(".graphqlrc.yml")).expect("a file");
    for (version, _) in crate::schema::versions() {
        assert!(text.contains(&format!("schema: schema/{version}.graphql\n")), "{version}");
    }
}

#[test]
fn source_file_that_a_document_or_comment_names_exists() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut texts: Vec<_> = ["src", "conformance", "graphql", "benches"].into_iter().flat_map(source::below).collect();
    let paths: Vec<String> = texts.iter().map(|source| format!("/{}", source.path)).collect();
    let docs = std::fs::read_dir(root.join("docs")).expect("a folder").map(|entry| entry.expect("an entry").path());
    for file in docs.chain(["README.md", "CONTRIBUTING.md", "graphql/README.md"].map(|name| root.join(name))) {
        if file.extension().is_some_and(|extension| extension == "md") {
            let text = std::fs::read_to_string(&file).expect("UTF-8");
            texts.push(Source { path: file.display().to_string(), text });
        }
    }
    for Source { path, text } in texts {
        // Of a source file the comments alone, and no example with a made-up name.
        let lines = text.lines().filter(|line| path.ends_with(".md") || line.contains("//"));
        let named = lines.flat_map(|line| line.split('`').skip(1).step_by(2));
        for name in named.filter(|name| name.ends_with(".rs") && !name.contains(['<', '{', ' ', ':', '"'])) {
            let is_there =
                name.starts_with("generated/") || paths.iter().any(|path| path.ends_with(&format!("/{name}")));
            assert!(is_there, "{path} names {name}");
        }
    }
}

/// The longest line of a comment, in characters. A row of a table cannot be divided.
const COMMENT_CHARS_MAX: usize = 140;

#[test]
fn line_of_a_comment_is_short_enough_to_read() {
    for Source { path, text } in ["src", "conformance", "graphql", "benches"].into_iter().flat_map(source::below) {
        for line in text.lines().filter(|line| line.trim_start().starts_with("//") && !line.contains("//! |")) {
            assert!(line.chars().count() <= COMMENT_CHARS_MAX, "{path}: {line}");
        }
    }
}

#[test]
fn document_of_the_metrics_is_current() {
    assert_current("docs/metrics.md", &metrics_reference());
}

#[test]
fn picture_of_the_bench_shows_the_times_that_it_carries() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/performance.svg");
    let svg = std::fs::read_to_string(file).expect("a file");
    let description = svg.split_once("<desc>").and_then(|(_, rest)| rest.split_once("</desc>")).expect("times").0;
    let mut shown = svg.split("class=\"now\"").skip(2).filter_map(|bar| bar.split_once("</text>")?.0.rsplit_once('>'));
    let mut rows = 0;
    for line in description.lines().filter(|line| !line.is_empty()) {
        let [name, database, ours, limit] = line.split(' ').collect::<Vec<_>>()[..] else { panic!("{line}") };
        assert!(svg.contains(&format!(">{name}, {database}</text>")), "{line}");
        let multiple = ours.parse::<f64>().expect("a time") / limit.parse::<f64>().expect("a time");
        let (_, text) = shown.next().unwrap_or_else(|| panic!("no bar of {line}"));
        assert!((text.parse::<f64>().expect("a number") - multiple).abs() < 0.02, "{line}: {text}");
        rows += 1;
    }
    assert_eq!(rows, 14, "every row of the bench");
}
