//! The engine against graphql-js, the reference implementation: the same operations, answered by both.
//!
//! `make.mjs` writes graphql-js's answers to `cases.jsonl`; here the engine answers the same operations, and data,
//! error paths, error locations, and whether a request is refused at all must agree, and for a wrong document also its
//! errors, each with its words and places. What does not is in `differences.json` with its reason; an entry that no
//! longer differs fails the test as well. The wording of other errors is our own.

mod answer;
mod fuzz;
mod second_reference;
mod shop_schema;
mod test_schema;

use std::collections::BTreeMap;

use card_service::graphql::{AnyEngine, Engine, Limits, Location, RefusalError, Request, RequestContext, code};
use futures_util::FutureExt;
use serde::{Deserialize, Serialize};

use answer::{Answer, Place, Refused};

/// The published schema, as `generate.rs` generates it.
#[allow(async_fn_in_trait, dead_code, clippy::all)] // generated, for more than these tests use
mod v2026_10 {
    include!(concat!(env!("OUT_DIR"), "/graphql_js_reference/v2026_10/mod.rs"));
}

/// The test schema, as `generate.rs` generates it.
#[allow(async_fn_in_trait, dead_code, clippy::all)]
mod vtest {
    include!(concat!(env!("OUT_DIR"), "/graphql_js_reference/vtest/mod.rs"));
}

/// A line of `cases.jsonl`.
#[derive(Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Case {
    schema: String,
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

/// An engine for each of the two schemas.
struct Engines {
    test_schema: Engine<vtest::Vtest>,
    shop_schema: Engine<v2026_10::V2026_10>,
}

impl Engines {
    fn new() -> Self {
        Self { test_schema: Engine::new(Limits::default()), shop_schema: Engine::new(Limits::default()) }
    }

    fn answer(&self, case: &Case, body: &str) -> Answer {
        match case.is_test_schema() {
            true => answer(&self.test_schema, &test_schema::Context::default(), body.as_bytes()),
            false => answer(&self.shop_schema, &shop_schema::Context::default(), body.as_bytes()),
        }
    }
}

impl Case {
    fn is_test_schema(&self) -> bool {
        self.schema == "test"
    }

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

/// Answers a request with nothing to wait for.
fn answer<C: RequestContext>(engine: &dyn AnyEngine<C>, context: &C, body: &[u8]) -> Answer {
    let request = Request::parse(body).expect("the cases are requests");
    match engine.prepare(&request) {
        Err(refusal) => Answer::Refused { refused: refusal.errors.into_iter().map(refused).collect() },
        Ok(prepared) => {
            let reply = engine.execute(&prepared, context).now_or_never().expect("nothing here waits");
            let answer: Answer = serde_json::from_slice(&reply.body).expect("an answer is JSON");
            assert_eq!(answer.error_count(), reply.error_count);
            answer
        }
    }
}

#[test]
fn engine_answers_as_graphql_js_does() {
    let cases = cases();
    assert!(cases.len() >= 2_000, "only {} cases", cases.len());
    // From the request to why it may differ.
    let listed: BTreeMap<String, String> =
        serde_json::from_str(include_str!("differences.json")).expect("the list of differences is JSON");
    let engines = Engines::new();
    let (mut failures, mut met) = (String::new(), 0);
    for case in &cases {
        let body = case.body();
        let engine = engines.answer(case, &body);
        let key = format!("{} {body}", case.schema);
        match (engine.differs_from(&case.answer), listed.contains_key(&key)) {
            (None, false) => {}
            (Some(_), true) => met += 1,
            (None, true) => failures.push_str(&format!("no longer differs: {key}\n")),
            (Some(how), false) => failures.push_str(&format!("{key}\n  {how}\n")),
        }
    }
    assert!(failures.is_empty(), "{} cases, {met} listed differences\n{failures}", cases.len());
    assert_eq!(met, listed.len(), "differences.json lists requests that are no case");
}
