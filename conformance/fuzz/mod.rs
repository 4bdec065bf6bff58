//! Generated requests, most of them malformed: none may fail on the server's side, and an accepted value reads back unchanged.
//! `graphql/schema/tests/fuzz.rs` generates schemas in the same way.
//!
//! Bounded and the same each time in `cargo test`; `FUZZ_CASES=10000 cargo test --test conformance fuzz` tries others.

mod body;
mod form;
pub mod seed;

use std::future::Future;

use proptest::prelude::*;
use serde_json::Value;

use crate::app::Answer;

/// Returns a target's seeds, in a form that takes further ones.
fn seeds(seeds: &[&[u8]]) -> Vec<Vec<u8>> {
    seeds.iter().map(|seed| seed.to_vec()).collect()
}

/// Waits inside a property, which cannot.
fn wait<F: Future>(future: F) -> F::Output {
    tokio::task::block_in_place(|| tokio::runtime::Handle::current().block_on(future))
}

/// Any text at all, with what people do not type in it.
fn any_text(chars_max: usize) -> impl Strategy<Value = String> {
    let char = prop_oneof![
        4 => any::<char>(),
        2 => prop::char::range(' ', '~'),
        1 => prop::sample::select(vec!['\0', '\r', '\n', '\u{feff}', '\u{202e}', '"', '<', '&', '\u{1f339}']),
    ];
    prop::collection::vec(char, 0..=chars_max).prop_map(String::from_iter)
}

/// Asserts an answer of the API that is not our fault: JSON with data or errors, each with a code of the caller's.
#[track_caller]
fn assert_sound(answer: &Answer) {
    assert!(answer.status < 500, "{} {}", answer.status, String::from_utf8_lossy(&answer.body));
    let body = answer.json();
    let errors = body["errors"].as_array().cloned().unwrap_or_default();
    assert!(!errors.is_empty() || body.get("data").is_some(), "{body}");
    for error in errors {
        let code = error["extensions"]["code"].as_str().unwrap_or_else(|| panic!("an error without a code: {body}"));
        assert!(!["INTERNAL_SERVER_ERROR", "UNAVAILABLE"].contains(&code), "{body}");
        assert!(error["message"].as_str().is_some_and(|message| !message.is_empty()), "{body}");
    }
    assert!(answer.status == 200 || body.get("data").is_none_or(Value::is_null), "{} {body}", answer.status);
}
