//! Every kind of change, one case each: `change/<subject>.txt` patches `change/base.graphql` to an old and a new schema,
//! and holds its findings. The kinds that graphql-js and graphql-inspector report for them are in
//! `conformance/schema_change_reference/changes.json`, made from the public packages; the rules must agree.
//!
//! `UPDATE_GOLDEN=1 cargo test -p schema-tool --features check --test change` rewrites the texts.

#![allow(clippy::unwrap_used)] // a failure of a test

mod cases;
#[path = "cases/findings.rs"]
mod findings;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use schema::Sdl;
use schema::diff::{self, Change, Level, Pair};
use schema_tool::check::{compat, registry};

use cases::{Case, Cases};
use findings::described;

/// The rules with a milder level than graphql-js, which does not look at where an enum is used.
const MILDER: [&str; 2] = ["output-enum-value-removed", "input-enum-value-added"];

/// The kinds that graphql-js and graphql-inspector report for a case.
#[derive(serde::Deserialize)]
#[serde(rename_all = "camelCase")]
struct Reference {
    graphql_js: GraphqlJs,
    /// From kind to level.
    inspector: BTreeMap<String, String>,
}

#[derive(serde::Deserialize)]
struct GraphqlJs {
    breaking: Vec<String>,
    dangerous: Vec<String>,
}

#[test]
fn change_is_shown_with_its_place() {
    Cases::read("change").compare(|cases, case| {
        let (old, new) = pair(cases, case);
        let mut found = compat::compare(Pair { old: &old, new: &new });
        for finding in &mut found {
            // The reason of the rule, which docs/schema-rules.md shows.
            let rule = diff::rules().find(|rule| rule.id == finding.rule).expect("a rule");
            assert_eq!(std::mem::take(&mut finding.notes), [rule.reason]);
        }
        described(found, &[&old, &new])
    });
}

#[test]
fn every_kind_has_a_case_of_its_name() {
    let rules: BTreeSet<String> = diff::rules().map(|rule| rule.id.to_owned()).collect();
    let cases = Cases::read("change");
    assert_eq!(cases.names(), rules);
    for case in cases.iter() {
        let changes = changes(&cases, case);
        let case = &case.name;
        assert!(changes.iter().any(|change| change.rule.id == case), "{case} shows no {case}");
        assert!(changes.iter().all(|change| change.old.is_some() || change.new.is_some()), "{case} has no place");
    }
}

#[test]
fn level_is_that_of_graphql_js_on_all_its_kinds() {
    let (cases, mut references) = references();
    for case in cases.iter() {
        let changes = changes(&cases, case);
        let case = &case.name;
        let reference = references.remove(case).unwrap();
        let ours = |name: &str| -> Vec<&Change> {
            changes.iter().filter(|change| change.rule.graphql_js == Some(name)).collect()
        };
        let theirs =
            [(Level::Breaking, &reference.graphql_js.breaking), (Level::Dangerous, &reference.graphql_js.dangerous)];
        for (level, kinds) in theirs {
            for kind in kinds {
                let count = kinds.iter().filter(|other| *other == kind).count();
                assert_eq!(ours(kind).len(), count, "{case}: graphql-js finds {kind} {count} times");
                for change in ours(kind) {
                    // Stricter only where the rule says why, and milder only where it is listed here, too.
                    let listed = change.rule.level > level || MILDER.contains(&change.rule.id);
                    let explained = listed && change.rule.note.is_some();
                    assert!(change.rule.level == level || explained, "{case}: {} is {level:?} there", change.rule.id);
                }
            }
        }
        let named: usize = changes.iter().filter(|change| change.rule.graphql_js.is_some()).count();
        let found = reference.graphql_js.breaking.len() + reference.graphql_js.dangerous.len();
        assert_eq!(named, found, "{case}: ours names a kind that graphql-js does not find");
        for change in changes.iter().filter(|change| change.rule.graphql_js.is_none()) {
            let explained = change.rule.level == Level::Safe || change.rule.note.is_some();
            assert!(explained, "{}: worse than safe, unknown to graphql-js, and without a note", change.rule.id);
        }
    }
}

#[test]
fn many_changes_are_counted_as_by_graphql_js() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR"))
        .ancestors()
        .nth(2)
        .unwrap()
        .join("conformance/schema_change_reference/pairs.json");
    let pairs: BTreeMap<String, BTreeMap<String, usize>> =
        serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap();
    assert!(pairs.len() > 1_000, "only {} pairs", pairs.len());
    let cases = Cases::read("change");
    let news: BTreeMap<String, Sdl> = cases.iter().map(|case| (case.name.clone(), pair(&cases, case).1)).collect();
    for (pair, theirs) in pairs {
        let (from, to) = pair.split_once(' ').unwrap();
        let mut ours: BTreeMap<String, usize> = BTreeMap::new();
        for change in diff::find(Pair { old: &news[from], new: &news[to] }) {
            if let Some(kind) = change.rule.graphql_js {
                *ours.entry(kind.to_owned()).or_default() += 1;
            }
        }
        assert_eq!(ours, theirs, "from {from} to {to}");
    }
}

#[test]
fn every_kind_of_graphql_js_is_in_a_case() {
    let kinds = "TYPE_REMOVED TYPE_CHANGED_KIND TYPE_REMOVED_FROM_UNION VALUE_REMOVED_FROM_ENUM \
                 REQUIRED_INPUT_FIELD_ADDED IMPLEMENTED_INTERFACE_REMOVED FIELD_REMOVED FIELD_CHANGED_KIND \
                 REQUIRED_ARG_ADDED ARG_REMOVED ARG_CHANGED_KIND DIRECTIVE_REMOVED DIRECTIVE_ARG_REMOVED \
                 REQUIRED_DIRECTIVE_ARG_ADDED DIRECTIVE_REPEATABLE_REMOVED DIRECTIVE_LOCATION_REMOVED \
                 VALUE_ADDED_TO_ENUM TYPE_ADDED_TO_UNION OPTIONAL_INPUT_FIELD_ADDED OPTIONAL_ARG_ADDED \
                 IMPLEMENTED_INTERFACE_ADDED ARG_DEFAULT_VALUE_CHANGE";
    let kinds: BTreeSet<&str> = kinds.split_whitespace().collect();
    let (_, references) = references();
    let seen = references.values().flat_map(|of| of.graphql_js.breaking.iter().chain(&of.graphql_js.dangerous));
    assert_eq!(seen.map(String::as_str).collect::<BTreeSet<&str>>(), kinds);
}

#[test]
fn graphql_inspector_finds_the_same() {
    let known: BTreeSet<&str> = diff::rules().flat_map(|rule| rule.inspector).copied().collect();
    let (cases, mut references) = references();
    for case in cases.iter() {
        let changes = changes(&cases, case);
        let case = &case.name;
        let reference = references.remove(case).unwrap();
        let ours: BTreeSet<&str> = changes.iter().flat_map(|change| change.rule.inspector).copied().collect();
        let theirs: BTreeSet<&str> = reference.inspector.keys().map(String::as_str).collect();
        for kind in &theirs {
            assert!(known.contains(kind), "{case}: no rule names {kind}");
        }
        let missed: Vec<&&str> = theirs.difference(&ours).collect();
        assert!(missed.is_empty(), "{case}: graphql-inspector finds {missed:?}, ours do not");
        let none = ours.is_disjoint(&theirs) && !ours.is_empty();
        assert!(!none, "{case}: graphql-inspector finds none of {ours:?}");
        for change in changes.iter().filter(|change| change.rule.graphql_js.is_none()) {
            // Where graphql-js has no kind, the level is that of graphql-inspector or higher.
            let milder = change
                .rule
                .inspector
                .iter()
                .filter_map(|kind| reference.inspector.get(*kind))
                .all(|level| change.rule.level < of_inspector(level));
            let known = change.rule.inspector.iter().any(|kind| reference.inspector.contains_key(*kind));
            assert!(!(known && milder), "{case}: {} is milder than theirs", change.rule.id);
        }
    }
}

fn of_inspector(level: &str) -> Level {
    match level {
        "BREAKING" => Level::Breaking,
        "DANGEROUS" => Level::Dangerous,
        _ => Level::Safe,
    }
}

#[test]
fn schema_has_no_changes_from_itself() {
    let cases = Cases::read("change");
    for case in cases.iter() {
        let (old, new) = pair(&cases, case);
        for sdl in [&old, &new] {
            assert!(diff::find(Pair { old: sdl, new: sdl }).is_empty(), "{}", case.name);
        }
    }
}

#[test]
fn page_of_the_rules_is_current() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap().join("docs/schema-rules.md");
    let page = fs::read_to_string(page).unwrap();
    assert!(page == registry::page(), "run `cargo schema rules --write` and commit docs/schema-rules.md");
}

/// Reads the cases, and the kinds that graphql-js and graphql-inspector report for each.
fn references() -> (Cases, BTreeMap<String, Reference>) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR"))
        .ancestors()
        .nth(2)
        .unwrap()
        .join("conformance/schema_change_reference/changes.json");
    let references: BTreeMap<String, Reference> = serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap();
    let names: BTreeSet<String> = references.keys().cloned().collect();
    let cases = Cases::read("change");
    assert_eq!(names, cases.names(), "run `npm install && npm run make` in conformance/schema_change_reference");
    (cases, references)
}

fn changes(cases: &Cases, case: &Case) -> Vec<Change> {
    let (old, new) = pair(cases, case);
    diff::find(Pair { old: &old, new: &new })
}

fn pair(cases: &Cases, case: &Case) -> (Sdl, Sdl) {
    let read = |name: &str| {
        let parsed = Sdl::parse_foreign(name, &format!("{name}.graphql"), &cases.schema(case, name));
        parsed.unwrap_or_else(|report| panic!("{}: {report}", case.name))
    };
    (read("old"), read("new"))
}
