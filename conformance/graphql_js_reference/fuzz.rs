//! Requests that graphql-js generates, mangles and answers, for one seed after the other: the engine answers them alike.
//!
//! It needs node; continuous integration (`.ci/references`) runs ten seeds of 1,160 requests each:
//!
//! ```text
//! (cd conformance/graphql_js_reference && npm install)
//! REFERENCE_SECONDS=3600 REFERENCE_SEED=1 \
//!     cargo test --workspace --all-features --test graphql_js_reference generated_documents -- --ignored --nocapture
//! ```
//!
//! `REFERENCE_SEEDS` is the maximum number of seeds; the run ends at whichever limit it reaches first.

use std::collections::BTreeMap;
use std::env;
use std::process::Command;
use std::time::{Duration, Instant};

use super::answer::{Answer, Refused};
use super::second_reference::SecondReference;
use super::{Case, TestEngine, read_cases};

/// Cases that graphql-js generates for a seed, with its answers.
fn generated_cases(seed: u64) -> Vec<Case> {
    let folder = env::var("REFERENCE_FOLDER").unwrap_or(env!("CARGO_MANIFEST_DIR").to_owned());
    let output = Command::new("node").args(["make.mjs", &seed.to_string()]).current_dir(folder).output();
    let output = output.expect("node can be started");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    read_cases(&String::from_utf8(output.stdout).expect("cases are UTF-8"))
}

/// Words of the error for a subscription, and of the errors for fields that cannot be merged.
const NO_SUBSCRIPTION: &str = "subscription operation is not supported";
const CONFLICT: &str = "Fields \"";

fn begins_with_a_definition_of_the_schema(query: &str) -> bool {
    let keywords = ["schema", "scalar", "type", "interface", "union", "enum", "input", "directive", "extend"];
    query.split_whitespace().next().is_some_and(|first| keywords.contains(&first))
}

/// Why the engine may differ from graphql-js; `differences.json` has the same reasons for recorded requests.
fn reason(case: &Case, ours: &Answer) -> Option<&'static str> {
    let with = |errors: &[Refused], words: &str| errors.iter().any(|error| error.message.contains(words));
    match (ours, &case.answer) {
        (Answer::Refused { refused }, _) if with(refused, "at most") => Some("a limit of the engine"),
        (Answer::Refused { refused }, _) if with(refused, "must not be null: @skip or @include") => {
            Some("a condition that is null fails the request, and not the field around it")
        }
        (Answer::Refused { refused }, _) if with(refused, "must be non-nullable to be used for OneOf") => {
            Some("graphql-js forgets that a variable in a OneOf input that is non-null must be non-nullable")
        }
        (Answer::Refused { refused }, Answer::Refused { .. })
            if with(refused, "definition is not executable") || begins_with_a_definition_of_the_schema(&case.query) =>
        {
            Some("a definition of the schema is refused where it begins")
        }
        (Answer::Refused { .. }, Answer::Ran { .. }) if case.query.contains("subscription") => {
            Some("the schema has no subscription root, which graphql-js finds out while it runs")
        }
        (Answer::Refused { refused }, Answer::Refused { .. })
            if with(refused, NO_SUBSCRIPTION)
                && (refused.len() == 1 || ours.agrees_without(&case.answer, NO_SUBSCRIPTION)) =>
        {
            Some("the schema has no subscription root, which graphql-js finds out while it runs")
        }
        (Answer::Refused { .. }, Answer::Refused { refused: right })
            if with(right, CONFLICT) && ours.agrees_without(&case.answer, CONFLICT) =>
        {
            Some(
                "fields that conflict: graphql-js looks in unused fragments, and not below fields with different arguments",
            )
        }
        (Answer::Refused { refused }, _)
            if with(refused, "conflicting types")
                && case.query.contains("__typename")
                && (refused.iter().all(|error| error.message.starts_with(CONFLICT))
                    || ours.agrees_without(&case.answer, CONFLICT)) =>
        {
            Some("graphql-js does not know the type of __typename where it merges fields")
        }
        (Answer::Refused { refused }, Answer::Refused { refused: right })
            if with(refused, "Unknown directive") && refused.iter().all(|error| right.contains(error)) =>
        {
            Some("graphql-js takes the arguments of an unknown directive for those of its field")
        }
        (Answer::Ran { .. }, Answer::Ran { .. }) if ours.empties_the_same_places(&case.answer) => {
            Some("one of several errors empties a place, and the specification leaves open which one is reported")
        }
        (Answer::Ran { .. }, Answer::Ran { .. }) if ours.has_all_of(&case.answer) => {
            Some("graphql-js leaves out errors of fields beside one that empties the same place")
        }
        _ => None,
    }
}

#[test]
#[ignore = "needs node, and lasts as long as REFERENCE_SECONDS says"]
fn generated_documents_are_answered_alike() {
    let number =
        |name| -> Option<u64> { Some(env::var(name).ok()?.parse().unwrap_or_else(|_| panic!("{name} is a number"))) };
    let end = Instant::now() + Duration::from_secs(number("REFERENCE_SECONDS").unwrap_or(60));
    let mut seed: u64 = number("REFERENCE_SEED").unwrap_or(1);
    let (engine, second) = (TestEngine::new(), SecondReference::new());
    let (mut count, mut met, mut failures) = (0, BTreeMap::<String, usize>::new(), BTreeMap::new());
    let seeds_end = number("REFERENCE_SEEDS").map_or(u64::MAX, |count| seed + count);
    while Instant::now() < end && seed < seeds_end {
        for case in generated_cases(seed) {
            let body = case.body();
            let ours = engine.answer(&body);
            count += 1;
            if let Some(how) = ours.differs_from(&case.answer) {
                match reason(&case, &ours) {
                    Some(reason) => *met.entry(reason.to_owned()).or_default() += 1,
                    None => drop(failures.insert(body, format!("seed {seed}: {how}"))),
                }
            } else if let Some(kind) = second.difference(&case, &ours) {
                if !second.is_listed(&kind) {
                    failures.entry(kind.clone()).or_insert_with(|| format!("seed {seed}: {body}"));
                }
                *met.entry(kind).or_default() += 1;
            }
        }
        seed += 1;
    }
    println!("{count} cases, seeds up to {seed}; listed differences: {met:#?}");
    assert!(failures.is_empty(), "{failures:#?}");
}
