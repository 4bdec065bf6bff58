//! Generated requests: mangled ones never panic the engine, and seeded ones are answered as graphql-js answers them.
//!
//! `cargo test` mangles the recorded cases. A longer run has graphql-js generate and answer cases for one seed after the
//! other, and needs node:
//!
//! ```text
//! (cd conformance/graphql_js_reference && npm install)
//! REFERENCE_SECONDS=3600 REFERENCE_SEED=1 \
//!     cargo test --workspace --all-features --test graphql_js_reference generated_documents -- --ignored --nocapture
//! ```
//!
//! `REFERENCE_SEEDS` is the maximum number of seeds; the run ends at whichever limit it reaches first.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::env;
use std::process::Command;
use std::time::{Duration, Instant};

use super::answer::{Answer, Refused};
use super::second_reference::SecondReference;
use super::{Case, TestEngine, cases, read_cases};

/// Pieces of GraphQL, right and wrong.
const PIECES: [&str; 40] = [
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    ":",
    "!",
    "$",
    "@",
    "...",
    "=",
    "|",
    "&",
    "\"",
    "\"\"\"",
    "\\",
    "#",
    "\n",
    ",",
    "null",
    "true",
    "on",
    "fragment F on Keeper",
    "query",
    "mutation",
    "subscription",
    "@skip(if:true)",
    "$v0",
    "...F",
    "__typename",
    "__schema",
    "1",
    "-1.5e3",
    "ENUM",
    "é",
    "\u{1F992}",
    "\\u12",
    "[Nope]",
    "x:y",
];

/// How many requests are made of each recorded case.
const ROUNDS: u64 = 4;

/// Random numbers from a seed: SplitMix64.
struct Dice(Cell<u64>);

impl Dice {
    fn below(&self, sides: usize) -> usize {
        self.0.set(self.0.get().wrapping_add(0x9e37_79b9_7f4a_7c15));
        let mixed = (self.0.get() ^ self.0.get() >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ mixed >> 31) as usize % sides.max(1)
    }
}

/// Where the words of a text are.
fn words(text: &str) -> Vec<(usize, usize)> {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut words = vec![];
    let mut from = None;
    for (at, character) in text.char_indices().chain([(text.len(), ' ')]) {
        match (from, is_word(character)) {
            (None, true) => from = Some(at),
            (Some(begun), false) => {
                words.push((begun, at));
                from = None;
            }
            _ => {}
        }
    }
    words
}

/// A word for a word: most of these still parse.
fn swap_word(text: &str, other: &str, dice: &Dice) -> String {
    let (here, there) = (words(text), words(other));
    if here.is_empty() || there.is_empty() {
        return text.to_owned();
    }
    let ((from, to), (other_from, other_to)) = (here[dice.below(here.len())], there[dice.below(there.len())]);
    format!("{}{}{}", &text[..from], &other[other_from..other_to], &text[to..])
}

/// A piece taken out, put in, put in another's place, or doubled: few of these still parse.
fn break_up(text: &str, dice: &Dice) -> String {
    let mut characters: Vec<char> = text.chars().collect();
    let at = dice.below(characters.len() + 1);
    let length = dice.below(12).min(characters.len() - at);
    match dice.below(4) {
        0 => drop(characters.drain(at..at + length)),
        1 => drop(characters.splice(at..at, PIECES[dice.below(PIECES.len())].chars())),
        2 => drop(characters.splice(at..at + length, PIECES[dice.below(PIECES.len())].chars())),
        _ => {
            let copy = characters[at..at + length].to_vec();
            let to = dice.below(characters.len() + 1);
            drop(characters.splice(to..to, copy));
        }
    }
    characters.into_iter().collect()
}

fn mangle(text: &str, other: &str, dice: &Dice) -> String {
    let mut text = text.to_owned();
    for _ in 0..=dice.below(2) {
        text = if dice.below(3) == 0 { break_up(&text, dice) } else { swap_word(&text, other, dice) };
    }
    text
}

#[test]
fn mangled_requests_never_panic() {
    let engine = TestEngine::new();
    let cases = cases();
    let cases: Vec<&Case> = cases.iter().filter(|case| case.query.len() < 4_000).collect();
    let (mut ran, mut slowest) = (0, (Duration::ZERO, String::new()));
    for round in 0..ROUNDS {
        for (i, case) in cases.iter().enumerate() {
            let dice = Dice(Cell::new(round << 32 | i as u64));
            let query = mangle(&case.query, &cases[dice.below(cases.len())].query, &dice);
            // Sometimes with the variables of another case.
            let other = if dice.below(4) == 0 { cases[dice.below(cases.len())] } else { case };
            let mangled = Case { query, variables: other.variables.clone(), operation_name: None, ..(*case).clone() };
            let start = Instant::now();
            ran += usize::from(matches!(engine.answer(&mangled.body()), Answer::Ran { .. }));
            if start.elapsed() > slowest.0 {
                slowest = (start.elapsed(), mangled.query);
            }
        }
    }
    assert!(ran > 0, "some of them are still right");
    // Generous: this is a debug build on a busy machine.
    assert!(slowest.0 < Duration::from_secs(2), "{slowest:?}");
    println!("{ran} ran; the slowest took {:?}: {}", slowest.0, slowest.1);
}

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
            Some("one of several errors empties a place, and the specification leaves open which is told")
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
