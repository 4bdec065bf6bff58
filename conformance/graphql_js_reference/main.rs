//! The engine against graphql-js, the reference implementation: the same operations, answered by both.
//!
//! `make.mjs` writes graphql-js's answers to `cases.jsonl`; here the engine answers the same operations, and data,
//! error paths, error locations, and whether a request is refused at all must agree, and for a wrong document also the
//! message and locations of each error. `differences.json` lists the exceptions, each with its reason; an entry that does
//! not differ fails the test as well. The messages of other errors are our own.

#![allow(clippy::disallowed_methods)] // a test reads its switches from the environment

mod answer;
mod fuzz;
mod second_reference;

use std::collections::BTreeMap;

use dated_graphql::{AnyEngine, Engine, Limits, Location, RefusalError, Request, code};
use futures_util::FutureExt;
use serde::{Deserialize, Serialize};

use graphql_js_reference::Context;
use graphql_js_reference::vtest::Vtest;

use answer::{Answer, Place, Refused};

/// A line of `cases.jsonl`.
#[derive(Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Case {
    query: String,
    variables: Option<serde_json::Value>,
    operation_name: Option<String>,
    answer: Answer,
}

/// The body of a request.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Body<'a> {
    query: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    variables: Option<&'a serde_json::Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    operation_name: Option<&'a str>,
}

fn cases() -> Vec<Case> {
    read_cases(include_str!("cases.jsonl"))
}

fn read_cases(lines: &str) -> Vec<Case> {
    lines.lines().map(|line| serde_json::from_str(line).expect("a line is a case")).collect()
}

/// The engine on the test schema.
struct TestEngine(Engine<Vtest>);

impl TestEngine {
    fn new() -> Self {
        Self(Engine::new(Limits::default()))
    }

    /// Answers a request.
    fn answer(&self, body: &str) -> Answer {
        let request = Request::parse(body.as_bytes()).expect("the cases are requests");
        match self.0.prepare(&request) {
            Err(refusal) => Answer::Refused { refused: refusal.errors.into_iter().map(refused).collect() },
            Ok(prepared) => {
                let reply = self.0.execute(&prepared, &Context::default()).now_or_never().expect("nothing here waits");
                let answer: Answer = serde_json::from_slice(&reply.body).expect("an answer is JSON");
                assert_eq!(answer.error_count(), reply.error_codes.len());
                answer
            }
        }
    }
}

impl Case {
    fn body(&self) -> String {
        let Case { query, variables, operation_name, .. } = self;
        let body = Body { query, variables: variables.as_ref(), operation_name: operation_name.as_deref() };
        serde_json::to_string(&body).expect("a request is JSON")
    }
}

fn refused(error: RefusalError) -> Refused {
    let own_words = !matches!(error.code, code::GRAPHQL_PARSE_FAILED | code::GRAPHQL_VALIDATION_FAILED);
    let place = |at: Location| Place { line: at.line, column: at.column };
    Refused { message: error.detail, locations: error.locations.into_iter().map(place).collect(), own_words }
}

#[test]
fn engine_answers_as_graphql_js_does() {
    let cases = cases();
    assert!(cases.len() >= 600, "only {} cases", cases.len());
    // From the request to why it may differ.
    let listed: BTreeMap<String, String> =
        serde_json::from_str(include_str!("differences.json")).expect("the list of differences is JSON");
    let engine = TestEngine::new();
    let (mut failures, mut met) = (String::new(), 0);
    for case in &cases {
        let body = case.body();
        match (engine.answer(&body).differs_from(&case.answer), listed.contains_key(&body)) {
            (None, false) => {}
            (Some(_), true) => met += 1,
            (None, true) => failures.push_str(&format!("does not differ: {body}\n")),
            (Some(how), false) => failures.push_str(&format!("{body}\n  {how}\n")),
        }
    }
    assert!(failures.is_empty(), "{} cases, {met} listed differences\n{failures}", cases.len());
    assert_eq!(met, listed.len(), "differences.json lists requests that are no case");
}
