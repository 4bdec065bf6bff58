//! Budgets: hostile input of n bytes costs the server at most k·n + c of processor time and of memory, in any shape, and a
//! form gets at most k·n + c bytes of answer.
//!
//! The server runs in a separate process, and the kernel's counters of that process are read ([`meter`]), so that other
//! work on the machine does not change the result. During each input a second client is answered.
//!
//! `cargo test` measures a build of the profile `dev`, which may take ten times as long. `BUDGET_BINARY=target/card-service`
//! measures the build that is shipped; `--nocapture` prints the maxima. Source: `docs/security.md`, "Budgets".

mod form;
mod input;
mod meter;
mod sum;

use std::collections::BTreeMap;
use std::env;
use std::path::PathBuf;
use std::time::Duration;

use serde_json::json;

use self::meter::Meter;
use crate::app::{Answer, FreshDatabase, MockServer, Program, Serving, http_client};

/// The budget of an empty input: processor time in ms, and memory in MiB.
fn budget(family: &str) -> (u32, usize) {
    match family {
        // A photo of few bytes may hold as many pixels as are allowed; decoding it is limited in time and memory.
        "photo" => (3_000, 64),
        _ => (40, 16),
    }
}

/// The budget that each byte adds: nanoseconds, and bytes of memory.
const PER_BYTE: (u32, usize) = (500, 64);

/// The bytes of an answer to a form: for each byte (`"` takes six in HTML, and a form of an earlier session is shown and
/// repeated), and in any case.
const FORM_ANSWER: (usize, usize) = (12, 128 * 1024);

/// The factor by which a debug build may exceed the budget of a release build.
const DEBUG_FACTOR: u32 = 10;

/// A request of an attacker.
struct Input {
    /// Budgets and maxima are kept for each family.
    family: &'static str,
    name: String,
    request: reqwest::RequestBuilder,
    /// The bytes that the attacker sends, a fetched photo included.
    bytes: usize,
}

/// The number of inputs of a family, and the maxima of processor time, memory and answer.
type Maxima = (usize, Duration, usize, usize);

/// The program under attack, without a rate limit.
fn program(database: &FreshDatabase) -> Program {
    let program = Program::new(database);
    match env::var_os("BUDGET_BINARY") {
        Some(binary) => program.binary(&PathBuf::from(binary).canonicalize().expect("BUDGET_BINARY is a file")),
        None => program,
    }
}

/// Whether the program is an optimised build.
fn is_release() -> bool {
    env::var_os("BUDGET_BINARY").is_some() || !cfg!(debug_assertions)
}

/// The server under attack, in a separate process.
struct Target {
    serving: Serving,
    mock_server: MockServer,
    token: String,
    maxima: BTreeMap<&'static str, Maxima>,
}

impl Target {
    async fn start(database: &FreshDatabase) -> Self {
        let mock_server = MockServer::start().await;
        // Nothing is refused for its number.
        let program = program(database).set("EGRESS_ALLOW", &mock_server.http.to_string()).set("RUST_LOG", "warn");
        program.import_themes();
        let serving = program.serve();
        let token = program.token("live");
        Self { serving, mock_server, token, maxima: BTreeMap::new() }
    }

    /// A request to the partner API.
    fn post(&self, body: String) -> reqwest::RequestBuilder {
        let request = http_client().post(format!("{}/partner/api/2026-10/graphql", self.serving.base));
        request.header("x-service-access-token", &self.token).header("content-type", "application/json").body(body)
    }

    /// Sends an input, and holds the server to its budget. Another client is answered meanwhile.
    async fn hold(&mut self, input: Input) -> Answer {
        let Input { family, name, request, bytes } = input;
        let meter = Meter(self.serving.pid());
        meter.reset_peak();
        let (processor, resident) = (meter.processor_time(), meter.memory("VmRSS"));
        let other = self.post(json!({ "query": "{ card(id: 1) { id } }" }).to_string());
        let (answer, other) = tokio::join!(request.send(), other.send());
        let answer = Answer::read(answer.unwrap_or_else(|error| panic!("{family}, {name}: {error}"))).await;
        assert_eq!(other.expect("another client is answered").status(), 200, "{family}, {name}");
        let processor = meter.processor_time() - processor;
        let memory = meter.memory("VmHWM").saturating_sub(resident);

        let (milliseconds, mebibytes) = budget(family);
        let factor = if is_release() { 1 } else { DEBUG_FACTOR };
        let time_max =
            Duration::from_nanos(u64::from(PER_BYTE.0) * bytes as u64) + Duration::from_millis(milliseconds.into());
        assert!(processor <= time_max * factor, "{family}, {name}: {processor:?} of processor time");
        assert!(memory <= PER_BYTE.1 * bytes + (mebibytes << 20), "{family}, {name}: {memory} bytes of memory");
        let length = answer.body.len();
        let is_short = length <= FORM_ANSWER.0 * bytes + FORM_ANSWER.1;
        assert!(is_short || family != "form", "{family}, {name}: {bytes} bytes get {length}");
        let (count, time, bytes, longest) = self.maxima.entry(family).or_default();
        *count += 1;
        (*time, *bytes, *longest) = ((*time).max(processor), (*bytes).max(memory), (*longest).max(length));
        answer
    }
}

on_sqlite! {
    async fn hostile_input_stays_within_its_budget(database: FreshDatabase) {
        let mut target = Target::start(&database).await;
        target.hold_requests().await;
        target.hold_photos().await;
        target.hold_forms().await;
        for (family, (count, processor, memory, answer)) in &target.maxima {
            println!("{family}: {count} inputs, {processor:?} of processor time, {memory} bytes of memory, answers of {answer}");
        }
    }
}
