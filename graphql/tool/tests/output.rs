//! Findings as text, compared with `output.txt`: with locations in one file, two and none, and with characters of several bytes.
//! `UPDATE_GOLDEN=1 cargo test -p dated-graphql-tool --test output` rewrites it.

#![allow(clippy::disallowed_methods, clippy::unwrap_used)] // UPDATE_GOLDEN; tests may panic

use std::env;
use std::fs;
use std::path::Path;

use annotate_snippets::Renderer;
use dated_graphql_schema::Sdl;
use dated_graphql_schema::diff::Pair;
use dated_graphql_tool::compat;
use dated_graphql_tool::finding::{Finding, Findings, Severity};
use dated_graphql_tool::output;

/// Characters of several bytes and of one.
const OLD: &str = "\"Überall <alles> & `|`.\" type Query {\n  \"é %\" size: Int\n}\n";

fn findings() -> Findings {
    let new = "\"Anders, 100%: \\\"x\\\".\"\ntype Query {\n  \"€\" other: String\n}\n";
    let (old, new) = (
        Sdl::parse("2026-10", "schema/2026-10.graphql", OLD).unwrap(),
        Sdl::parse("2027-01", "schema/new one, 2027-01.graphql", new).unwrap(),
    );
    let mut findings = Findings::default();
    findings.know_sdl(&old);
    findings.know_sdl(&new);
    findings.extend(compat::compare_published(Pair { old: &old, new: &new }));
    let text = "a | b, <c> & \"d\": 100%\nand `e`\u{7}";
    findings.extend([Finding::new("base-unknown", Severity::Warning, text).note("one: 1, two").note("|two|")]);
    findings
}

#[test]
fn findings_are_written_as_text() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/output.txt");
    let text = output::write(&findings(), &Renderer::plain());
    if env::var_os("UPDATE_GOLDEN").is_some() {
        fs::write(&path, &text).unwrap();
    }
    assert_eq!(text, fs::read_to_string(&path).unwrap(), "run with UPDATE_GOLDEN=1 and read the difference");

    // In colour the text is the same.
    let coloured = output::write(&findings(), &Renderer::styled());
    let mut parts = coloured.split("\u{1b}[");
    let first = parts.next().unwrap().to_owned();
    assert_ne!(first, coloured);
    assert_eq!(parts.fold(first, |text, part| text + part.split_once('m').unwrap().1), text);
}
