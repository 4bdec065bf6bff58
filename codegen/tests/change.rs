//! Every kind of change, one folder each: `change/<rule>/{old,new}.graphql`, and `expected.txt` with what is said of it.
//! What graphql-js and graphql-inspector say of the same folders is in `conformance/schema_judge/changes.json`, made from
//! the public packages; ours must agree.
//!
//! `UPDATE_GOLDEN=1 cargo test -p codegen --features life --test change` rewrites the texts.

#![allow(clippy::disallowed_methods)] // a test is told by the environment to write what it compares

use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use codegen::Sdl;
use codegen::diff::{self, Change, Level, Pair};
use codegen::life::finding::Findings;
use codegen::life::output::{self, Format};
use codegen::life::{judge, registry};

/// What the judges say of a folder.
#[derive(serde::Deserialize)]
#[serde(rename_all = "camelCase")]
struct Judged {
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
    let update = env::var_os("UPDATE_GOLDEN").is_some();
    let mut different = vec![];
    for case in cases() {
        let (old, new) = pair(&case);
        let pair = Pair { old: &old, new: &new };
        let mut findings = Findings::default();
        [&old, &new].into_iter().for_each(|sdl| findings.know_sdl(sdl));
        findings.extend(judge::by_level(pair));
        let found = output::write(&findings, Format::Human);
        let file = folder().join(&case).join("expected.txt");
        if fs::read_to_string(&file).ok().as_ref() == Some(&found) {
            continue;
        }
        if update {
            fs::write(file, found).unwrap();
        } else {
            different.push(format!("{case} should be:\n{found}"));
        }
    }
    assert!(different.is_empty(), "run with UPDATE_GOLDEN=1 and read the difference:\n{}", different.join("\n"));
}

#[test]
fn every_kind_has_a_file_and_a_folder_of_its_name() {
    let rules: BTreeSet<String> = diff::RULES.iter().map(|rule| rule.id.to_owned()).collect();
    let files = fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/diff/kind")).unwrap();
    let files = files.map(|entry| entry.unwrap().path().file_stem().unwrap().to_str().unwrap().replace('_', "-"));
    assert_eq!(files.collect::<BTreeSet<String>>(), rules);
    assert_eq!(cases(), rules);
    for case in cases() {
        let changes = changes(&case);
        assert!(changes.iter().any(|change| change.rule.id == case), "{case} shows no {case}");
        assert!(changes.iter().all(|change| change.old.is_some() || change.new.is_some()), "{case} has no place");
    }
}

#[test]
fn level_is_that_of_graphql_js_on_all_its_kinds() {
    for (case, judged) in judged() {
        let changes = changes(&case);
        let ours = |name: &str| -> Vec<&Change> {
            changes.iter().filter(|change| change.rule.graphql_js == Some(name)).collect()
        };
        let theirs = [(Level::Breaking, &judged.graphql_js.breaking), (Level::Dangerous, &judged.graphql_js.dangerous)];
        for (level, kinds) in theirs {
            for kind in kinds {
                let count = kinds.iter().filter(|other| *other == kind).count();
                assert_eq!(ours(kind).len(), count, "{case}: graphql-js finds {kind} {count} times");
                for change in ours(kind) {
                    // Never milder than theirs; stricter only where the rule says why.
                    let stricter = change.rule.level > level && change.rule.note.is_some();
                    assert!(change.rule.level == level || stricter, "{case}: {} is {level:?} there", change.rule.id);
                }
            }
        }
        let named: usize = changes.iter().filter(|change| change.rule.graphql_js.is_some()).count();
        let found = judged.graphql_js.breaking.len() + judged.graphql_js.dangerous.len();
        assert_eq!(named, found, "{case}: ours names a kind that graphql-js does not find");
        for change in changes.iter().filter(|change| change.rule.graphql_js.is_none()) {
            let explained = change.rule.level == Level::Safe || change.rule.note.is_some();
            assert!(explained, "{}: worse than safe, unknown to graphql-js, and without a note", change.rule.id);
        }
    }
}

#[test]
fn many_changes_at_once_are_told_apart_as_graphql_js_does() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().join("conformance/schema_judge/pairs.json");
    let pairs: BTreeMap<String, BTreeMap<String, usize>> =
        serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap();
    assert!(pairs.len() > 1_000, "only {} pairs", pairs.len());
    let news: BTreeMap<String, Sdl> = cases().into_iter().map(|case| (case.clone(), pair(&case).1)).collect();
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
fn every_kind_of_graphql_js_is_in_a_folder() {
    let kinds = "TYPE_REMOVED TYPE_CHANGED_KIND TYPE_REMOVED_FROM_UNION VALUE_REMOVED_FROM_ENUM \
                 REQUIRED_INPUT_FIELD_ADDED IMPLEMENTED_INTERFACE_REMOVED FIELD_REMOVED FIELD_CHANGED_KIND \
                 REQUIRED_ARG_ADDED ARG_REMOVED ARG_CHANGED_KIND DIRECTIVE_REMOVED DIRECTIVE_ARG_REMOVED \
                 REQUIRED_DIRECTIVE_ARG_ADDED DIRECTIVE_REPEATABLE_REMOVED DIRECTIVE_LOCATION_REMOVED \
                 VALUE_ADDED_TO_ENUM TYPE_ADDED_TO_UNION OPTIONAL_INPUT_FIELD_ADDED OPTIONAL_ARG_ADDED \
                 IMPLEMENTED_INTERFACE_ADDED ARG_DEFAULT_VALUE_CHANGE";
    let kinds: BTreeSet<&str> = kinds.split_whitespace().collect();
    let judged = judged();
    let seen = judged.values().flat_map(|judged| judged.graphql_js.breaking.iter().chain(&judged.graphql_js.dangerous));
    assert_eq!(seen.map(String::as_str).collect::<BTreeSet<&str>>(), kinds);
}

#[test]
fn graphql_inspector_finds_the_same() {
    let known: BTreeSet<&str> = diff::RULES.iter().flat_map(|rule| rule.inspector).copied().collect();
    for (case, judged) in judged() {
        let ours: BTreeSet<&str> = changes(&case).iter().flat_map(|change| change.rule.inspector).copied().collect();
        let theirs: BTreeSet<&str> = judged.inspector.keys().map(String::as_str).collect();
        for kind in &theirs {
            assert!(known.contains(kind), "{case}: no rule of ours stands for {kind}");
        }
        let missed: Vec<&&str> = theirs.difference(&ours).collect();
        assert!(missed.is_empty(), "{case}: graphql-inspector finds {missed:?}, ours do not");
        let none = ours.is_disjoint(&theirs) && !ours.is_empty();
        assert!(!none, "{case}: graphql-inspector finds none of {ours:?}");
        for change in changes(&case).iter().filter(|change| change.rule.graphql_js.is_none()) {
            // Where graphql-js is silent, theirs is the level, unless the rule says why ours is stricter.
            let milder = change
                .rule
                .inspector
                .iter()
                .filter_map(|kind| judged.inspector.get(*kind))
                .all(|level| change.rule.level < of_inspector(level));
            let known = change.rule.inspector.iter().any(|kind| judged.inspector.contains_key(*kind));
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
fn nothing_changed_between_a_schema_and_itself() {
    for case in cases() {
        let (old, new) = pair(&case);
        for sdl in [&old, &new] {
            assert!(diff::find(Pair { old: sdl, new: sdl }).is_empty(), "{case}");
        }
    }
}

#[test]
fn page_of_the_rules_is_current() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().join("docs/schema-rules.md");
    let page = fs::read_to_string(page).unwrap();
    assert!(page == registry::page(), "run `cargo schema rules --write` and commit docs/schema-rules.md");
}

fn judged() -> BTreeMap<String, Judged> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().join("conformance/schema_judge/changes.json");
    let judged: BTreeMap<String, Judged> = serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap();
    let folders: BTreeSet<String> = judged.keys().cloned().collect();
    assert_eq!(folders, cases(), "run `npm install && npm run make` in conformance/schema_judge");
    judged
}

fn changes(case: &str) -> Vec<Change> {
    let (old, new) = pair(case);
    diff::find(Pair { old: &old, new: &new })
}

fn pair(case: &str) -> (Sdl, Sdl) {
    let read = |name: &str| {
        let text = fs::read_to_string(folder().join(case).join(name)).unwrap();
        Sdl::parse(name.trim_end_matches(".graphql"), name, &text).unwrap_or_else(|report| panic!("{case}: {report}"))
    };
    (read("old.graphql"), read("new.graphql"))
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/change")
}

/// The names of the folders.
fn cases() -> BTreeSet<String> {
    let entries = fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap());
    entries.map(|entry| entry.file_name().into_string().unwrap()).collect()
}
