//! Findings in every format, compared with the files of `output/`: with locations in one file, two and none, and with every
//! character that a format must escape. The files have fewer lines of JSON ([`folded`]).
//!
//! `UPDATE_GOLDEN=1 cargo test -p schema-tool --features check --test output` rewrites them. `.ci/references` validates the SARIF
//! by the JSON schema of OASIS.

#![allow(clippy::disallowed_methods, clippy::unwrap_used)] // UPDATE_GOLDEN; tests may panic

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use schema::diff::{Level, Pair};
use schema::{Sdl, Span};
use schema_tool::check::compat;
use schema_tool::check::finding::{Finding, Findings, Location, Severity, Waived};
use schema_tool::check::output::{self, Format};
use serde_json::Value;

/// Characters of several bytes, and characters that Markdown and workflow commands must escape.
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
    findings.extend([waived()]);
    findings.extend([Finding {
        rule: "base-unknown",
        severity: Severity::Warning,
        level: None,
        coordinate: None,
        affected: vec![],
        message: "a | b, <c> & \"d\": 100%\nand `e`\u{7}".to_owned(),
        label: String::new(),
        at: None,
        related: None,
        notes: vec!["one: 1, two".to_owned(), "|two|".to_owned()],
        help: None,
        waiver: None,
        waived: None,
    }]);
    findings.rules_page = Some("https://example.org/rules".to_owned());
    findings
}

/// A finding that a waiver allows.
fn waived() -> Finding {
    let at = Location { path: "schema/waivers.toml".to_owned(), span: Span { start: 0, end: 0 } };
    Finding {
        rule: "field-type-changed",
        severity: Severity::Note,
        level: Some(Level::Breaking),
        coordinate: Some("Query.waived".to_owned()),
        affected: vec![],
        message: "the type of field `Query.waived` was `Int` and is `String`".to_owned(),
        label: "here".to_owned(),
        at: Some(Location { path: "schema/2026-10.graphql".to_owned(), span: Span { start: 0, end: 1 } }),
        related: None,
        notes: vec![],
        help: None,
        waiver: None,
        waived: Some(Waived { reason: "All \"partners\" agreed.".to_owned(), at }),
    }
}

#[test]
fn findings_are_written_in_every_format() {
    let update = env::var_os("UPDATE_GOLDEN").is_some();
    let mut different = vec![];
    for (name, format) in Format::ALL {
        let ending = match format {
            Format::Human | Format::Github => "txt",
            Format::Json => "json",
            Format::Sarif => "sarif",
            Format::Markdown => "md",
        };
        let mut text = output::write(&findings(), format);
        if matches!(format, Format::Json | Format::Sarif) {
            text = folded(&text);
        }
        let file = folder().join(format!("{name}.{ending}"));
        if fs::read_to_string(&file).ok().as_ref() == Some(&text) {
            continue;
        }
        if update {
            fs::write(file, text).unwrap();
        } else {
            different.push(format!("{name} should be:\n{text}"));
        }
    }
    assert!(different.is_empty(), "run with UPDATE_GOLDEN=1 and read the difference:\n{}", different.join("\n"));
}

#[test]
fn sarif_describes_every_rule_and_locates_every_finding() {
    let findings = findings();
    let sarif: Value = serde_json::from_str(&output::write(&findings, Format::Sarif)).unwrap();
    assert_eq!(sarif["version"], "2.1.0");
    let run = &sarif["runs"][0];
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    let results = run["results"].as_array().unwrap();
    assert_eq!(results.len(), findings.list().len());
    let fingerprints: BTreeSet<String> =
        results.iter().map(|result| result["partialFingerprints"].to_string()).collect();
    assert_eq!(fingerprints.len(), results.len());
    for rule in rules {
        let page = format!("https://example.org/rules#{}", rule["id"].as_str().unwrap());
        assert!(rule["helpUri"] == page && rule["help"]["text"].as_str().unwrap().ends_with(&format!("{page}\n")));
    }
    for result in results {
        let suppressed = result["suppressions"].as_array().map(Vec::len);
        assert_eq!(suppressed, Some(usize::from(result["ruleId"] == "field-type-changed")));
        assert!(result["locations"].as_array().is_some_and(|locations| locations.len() == 1), "{result}");
        let rule = &rules[usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap()];
        assert_eq!(rule["id"], result["ruleId"]);
        assert!(rule["shortDescription"]["text"].as_str().is_some_and(|text| text.ends_with('.')), "{rule}");
        for location in result["locations"].as_array().unwrap() {
            let region = &location["physicalLocation"]["region"];
            assert!(region["startLine"].as_u64() >= Some(1) && region["startColumn"].as_u64() >= Some(1), "{region}");
            let uri = location["physicalLocation"]["artifactLocation"]["uri"].as_str().unwrap();
            assert!(!uri.contains(' '), "{uri} is no address");
        }
    }
}

#[test]
fn workflow_command_ends_at_its_line() {
    let text = output::write(&findings(), Format::Github);
    assert_eq!(text.lines().count(), findings().list().len());
    for line in text.lines() {
        let (head, _) = line.strip_prefix("::").and_then(|line| line.split_once("::")).expect("a command");
        let level = head.split(' ').next().unwrap();
        assert!(["error", "warning", "notice"].contains(&level), "{line}");
        let placed = head.contains("file=schema/") && head.contains("line=");
        assert!(placed || head == "warning title=base-unknown", "{line}");
    }
}

#[test]
fn no_findings_are_written_in_every_format() {
    let none = Findings::default();
    let text = |format| output::write(&none, format);
    assert_eq!(text(Format::Human), "0 errors, 0 warnings, 0 notes\n");
    assert_eq!(text(Format::Github), "");
    assert_eq!(text(Format::Markdown), "No findings.\n");
    let json: Value = serde_json::from_str(&text(Format::Json)).unwrap();
    assert_eq!((json["errors"].as_u64(), json["findings"].as_array().map(Vec::len)), (Some(0), Some(0)));
    let sarif: Value = serde_json::from_str(&text(Format::Sarif)).unwrap();
    assert_eq!(sarif["runs"][0]["results"].as_array().map(Vec::len), Some(0));
}

#[test]
fn findings_are_sorted_by_severity() {
    let findings = findings();
    let severities: Vec<Severity> = findings.list().iter().map(|finding| finding.severity).collect();
    assert!(severities.is_sorted_by(|a, b| a >= b), "{severities:?}");
    assert!(severities.first() == Some(&Severity::Error) && severities.last() == Some(&Severity::Note));
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
