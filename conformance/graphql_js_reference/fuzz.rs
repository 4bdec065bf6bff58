//! Requests that were mangled on the way: whatever the engine makes of them, it does not panic, and it is quick.

use std::time::{Duration, Instant};

use card_service::base::Entropy;
use card_service::graphql::{Engine, Limits};

use super::{Body, Case, answer, cases, vzoo, zoo};

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

/// How many requests are made of each case; more when hunting.
fn rounds() -> u64 {
    std::env::var("JUDGE_ROUNDS").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(4)
}

/// A few numbers from a seed.
struct Dice(Entropy);

impl Dice {
    fn below(&self, sides: usize) -> usize {
        u64::from_le_bytes(self.0.bytes()) as usize % sides.max(1)
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
    let zoo = Engine::<vzoo::Vzoo>::new(Limits::default());
    let cases = cases();
    let cases: Vec<&Case> = cases.iter().filter(|case| case.schema == "zoo" && case.query.len() < 4_000).collect();
    let (mut ran, mut slowest) = (0, (Duration::ZERO, String::new()));
    for round in 0..rounds() {
        for (i, case) in cases.iter().enumerate() {
            let dice = Dice(Entropy::seeded(round << 32 | i as u64));
            let query = mangle(&case.query, &cases[dice.below(cases.len())].query, &dice);
            // Sometimes with the variables of another case.
            let other = if dice.below(4) == 0 { cases[dice.below(cases.len())] } else { case };
            let body = Body { query: &query, variables: other.variables.as_ref(), operation_name: None };
            let body = serde_json::to_vec(&body).expect("a request is JSON");
            let start = Instant::now();
            if let super::Answer::Ran { .. } = answer(&zoo, &zoo::Context::default(), &body) {
                ran += 1;
            }
            if start.elapsed() > slowest.0 {
                slowest = (start.elapsed(), query);
            }
        }
    }
    assert!(ran > 0, "some of them are still right");
    // Generous: this is a debug build on a busy machine.
    assert!(slowest.0 < Duration::from_secs(2), "{slowest:?}");
    println!("{ran} ran; the slowest took {:?}: {}", slowest.0, slowest.1);
}
