//! Every kind of change, one case each: `change/<subject>.txt` patches `change/base.graphql` to an old and a new schema,
//! and holds its findings. The kinds that graphql-js reports for them are in `conformance/schema_change_reference`, made from
//! the public package; the rules must agree.
//!
//! `UPDATE_GOLDEN=1 cargo test -p dated-graphql-tool --test change` rewrites the texts.

#![allow(clippy::unwrap_used)] // a failure of a test

#[path = "../../codegen/tests/cases/mod.rs"]
mod cases;
mod findings;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use dated_graphql_schema::Sdl;
use dated_graphql_schema::diff::{self, Change, Level, Pair};
use dated_graphql_tool::compat;

use cases::{Case, Cases};
use findings::described;

/// The number of kinds that graphql-js 16 has (`BreakingChangeType`, `DangerousChangeType`).
const KINDS: usize = 22;

/// The kinds that graphql-js reports for a case.
#[derive(Debug, serde::Deserialize)]
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
            let rule = diff::RULES.iter().find(|rule| rule.id == finding.rule).expect("a rule");
            assert_eq!(std::mem::take(&mut finding.notes), [rule.reason]);
        }
        described(found, &[&old, &new])
    });
}

#[test]
fn every_kind_has_a_case_of_its_name() {
    let rules: BTreeSet<String> = diff::RULES.iter().map(|rule| rule.id.to_owned()).collect();
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
    let mut references: BTreeMap<String, GraphqlJs> = reference("changes.json");
    let kinds = references.values().flat_map(|theirs| theirs.breaking.iter().chain(&theirs.dangerous));
    assert_eq!(kinds.collect::<BTreeSet<&String>>().len(), KINDS, "every kind of graphql-js is in a case");
    let cases = Cases::read("change");
    for case in cases.iter() {
        let changes = changes(&cases, case);
        let case = &case.name;
        let theirs =
            references.remove(case).expect("run `npm install && npm run make` in conformance/schema_change_reference");
        for (level, kinds) in [(Level::Breaking, &theirs.breaking), (Level::Dangerous, &theirs.dangerous)] {
            for kind in kinds {
                let ours: Vec<&Change> = changes.iter().filter(|c| c.rule.graphql_js == Some(kind)).collect();
                let count = kinds.iter().filter(|other| *other == kind).count();
                assert_eq!(ours.len(), count, "{case}: graphql-js finds {kind} {count} times");
                for Change { rule, .. } in ours {
                    let is_stricter = rule.level > level && rule.note.is_some();
                    assert!(rule.level == level || is_stricter, "{case}: {} is {level:?} there", rule.id);
                }
            }
        }
        let named: usize = changes.iter().filter(|change| change.rule.graphql_js.is_some()).count();
        let found = theirs.breaking.len() + theirs.dangerous.len();
        assert_eq!(named, found, "{case}: ours names a kind that graphql-js does not find");
        for Change { rule, .. } in changes.iter().filter(|change| change.rule.graphql_js.is_none()) {
            let explained = rule.level == Level::Safe || rule.note.is_some();
            assert!(explained, "{}: worse than safe, unknown to graphql-js, and without a note", rule.id);
        }
    }
    assert!(references.is_empty(), "no case: {references:?}");
}

#[test]
fn many_changes_are_counted_as_by_graphql_js() {
    let pairs: BTreeMap<String, BTreeMap<String, usize>> = reference("pairs.json");
    assert!(pairs.len() > 800, "only {} pairs", pairs.len());
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

fn workspace() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap()
}

/// Reads a file of results of graphql-js.
fn reference<T: serde::de::DeserializeOwned>(name: &str) -> T {
    let file = workspace().join("conformance/schema_change_reference").join(name);
    serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap()
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
