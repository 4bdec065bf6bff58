//! Findings in every format, compared with the files of `output/`: with locations in one file, two and none, and with every
//! character that a format must escape. The files have fewer lines of JSON ([`folded`]).
//!
//! `UPDATE_GOLDEN=1 cargo test -p tool --test output` rewrites them. `.ci/references` validates the SARIF
//! by the JSON schema of OASIS.

#![allow(clippy::disallowed_methods, clippy::unwrap_used)] // UPDATE_GOLDEN; tests may panic

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use schema::Sdl;
use schema::diff::Pair;
use tool::compat;
use tool::finding::{Finding, Findings, Severity};
use tool::output::{self, Format};

/// Characters of several bytes, and characters that a format must escape.
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
fn findings_are_written_in_every_format() {
    let update = env::var_os("UPDATE_GOLDEN").is_some();
    let mut different = vec![];
    for (file, format) in [("text.txt", Format::Text), ("json.json", Format::Json), ("sarif.sarif", Format::Sarif)] {
        let mut text = output::write(&findings(), format);
        if matches!(format, Format::Json | Format::Sarif) {
            text = folded(&text);
        }
        let path = folder().join(file);
        if fs::read_to_string(&path).ok().as_ref() == Some(&text) {
            continue;
        }
        if update {
            fs::write(path, text).unwrap();
        } else {
            different.push(format!("{file} should be:\n{text}"));
        }
    }
    assert!(different.is_empty(), "run with UPDATE_GOLDEN=1 and read the difference:\n{}", different.join("\n"));
}

/// Joins lines of JSON that are indented by more than five spaces with the line before, unless they start an object of a list.
fn folded(json: &str) -> String {
    let mut text = String::new();
    for line in json.lines() {
        let joined = line.starts_with(&" ".repeat(6)) && line.trim() != "{";
        text += &if joined { format!(" {}", line.trim()) } else { format!("\n{line}") };
    }
    text.split_off(1) + "\n"
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/output")
}
