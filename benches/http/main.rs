//! Measures speed over HTTP against limits of the same run, since machines are noisy.
//!
//! `cargo bench --bench http` starts the server and each limit in a process on one core, loads it from the other core, and
//! prints a table of rates and ratios. `BENCH_SECONDS` sets the length of a round (2), `BENCH_ROUNDS` the number of rounds of
//! each contender, alternating (5); the best round counts. `BENCH_SOAK` sets the number of requests
//! after which resident memory is read (1,000,000).

#![allow(clippy::disallowed_methods)] // a bench has no settings registry, and its rivals make their own ids

mod limit;
mod load;
mod server;

use std::time::Duration;

use load::{Outcome, post};
use server::{Process, Seeded};

const PATH: &str = "/partner/api/2026-10/graphql";
const CARDS: usize = 1_000;
const READ: &str = "query Card($id: ID!) { card(id: $id) { id externalDossierId externalFuneralDirectorId deceased { firstName \
    lastName dateOfBirth dateOfDeath } livestreamUrl familyContact { name email } status cardUrl test createdAt updatedAt } }";
const CREATE: &str = "mutation Create($input: CardCreateInput!) { cardCreate(input: $input) { card { id externalDossierId \
    status test createdAt } userErrors { field code message } } }";

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    match arguments.get(1).map(String::as_str) {
        Some("limit-constant") => limit::constant(arguments[2].parse().expect("a size")),
        Some("limit-read") => limit::read_card(arguments[2].as_ref(), arguments[3].parse().expect("a uuid")),
        Some("limit-create") => limit::create_card(arguments[2].as_ref(), arguments[3].parse().expect("a uuid")),
        _ => table(),
    }
}

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// Runs two contenders in alternating rounds, so that noise affects both. Reports rates, and processor time per request in
/// the program and in the kernel, which noise on the other core does not affect.
fn compare(
    name: &str,
    (server, ours): (&Process, impl Fn() -> Outcome),
    (rival, limit): (&Process, impl Fn() -> Outcome),
    wanted: f64,
) -> (Outcome, Outcome) {
    let (mut best, mut bound) = (Best::of(server), Best::of(rival));
    for _ in 0..setting("BENCH_ROUNDS", 5) {
        best.take(ours());
        bound.take(limit());
    }
    println!("{name:<34} {} | limit {} | ratio {:.2} (wanted {wanted})", best, bound, best.rate() / bound.rate());
    (best.outcome.expect("a round"), bound.outcome.expect("a round"))
}

/// The best round of a contender, and the cost of all rounds.
struct Best<'a> {
    process: &'a Process,
    before: (f64, f64),
    answers: usize,
    outcome: Option<Outcome>,
}

impl<'a> Best<'a> {
    fn of(process: &'a Process) -> Self {
        Self { process, before: process.processor_time(), answers: 0, outcome: None }
    }

    fn take(&mut self, outcome: Outcome) {
        self.answers += outcome.answers;
        if outcome.rate > self.rate() {
            self.outcome = Some(outcome);
        }
    }

    fn rate(&self) -> f64 {
        self.outcome.as_ref().map_or(0.0, |outcome| outcome.rate)
    }
}

impl std::fmt::Display for Best<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (program, kernel) = self.process.processor_time();
        let each = |after: f64, before: f64| (after - before) * 1e6 / self.answers as f64;
        let (program, kernel) = (each(program, self.before.0), each(kernel, self.before.1));
        let Some(Outcome { rate, p50, p99, .. }) = &self.outcome else { return f.write_str("no answer") };
        write!(f, "{rate:>6.0}/s p50 {p50:>5} p99 {p99:>6} us, cpu {program:.1} + {kernel:.1} us")
    }
}

fn table() {
    let time = Duration::from_secs(setting("BENCH_SECONDS", 2));
    let seeded = Seeded::new(CARDS);
    let server = seeded.serve();
    let read = |n: usize| {
        let body = serde_json::json!({ "query": READ, "variables": { "id": seeded.cards[n % CARDS] } });
        post(PATH, &seeded.token, &body.to_string())
    };
    let by_hand = Process::limit(&["limit-read", &seeded.database(), &seeded.partner]);
    let (ours, limit) = compare(
        "read card, 16 connections",
        (&server, || load::run(server.address, 16, time, "externalDossierId", read)),
        (&by_hand, || load::run(by_hand.address, 16, time, "externalDossierId", read)),
        0.8,
    );
    let text = |o: &Outcome| {
        serde_json::from_slice::<serde_json::Value>(&o.body).expect("JSON")["data"]["card"]["status"].clone()
    };
    assert_eq!(text(&ours), text(&limit), "both read the same rows");
    drop(by_hand);

    let constant = Process::limit(&["limit-constant", &ours.body.len().to_string()]);
    compare(
        "read card against a constant",
        (&server, || load::run(server.address, 16, time, "externalDossierId", read)),
        (&constant, || load::run(constant.address, 16, time, "data", read)),
        0.0,
    );
    drop(constant);

    let introspection = serde_json::json!({ "query": include_str!("introspection.graphql") }).to_string();
    let introspect = |_| post(PATH, &seeded.token, &introspection);
    let size = load::run(server.address, 1, Duration::from_millis(50), "__schema", introspect).body.len();
    let constant = Process::limit(&["limit-constant", &size.to_string()]);
    compare(
        &format!("introspection, {size} bytes"),
        (&server, || load::run(server.address, 16, time, "__schema", introspect)),
        (&constant, || load::run(constant.address, 16, time, "data", introspect)),
        0.5,
    );
    drop(constant);
    server::soak(&server, setting("BENCH_SOAK", 1_000_000), |t| {
        load::run(server.address, 16, t, "externalDossierId", read)
    });
    drop(server);

    let (a, b) = (Seeded::new(0), Seeded::new(0));
    let (server, by_hand) = (a.serve(), Process::limit(&["limit-create", &b.database(), &b.partner]));
    let start = std::process::id();
    let rounds = std::cell::Cell::new(0);
    let create = |token: &str, round: usize, n: usize| {
        let input = serde_json::json!({ "externalDossierId": format!("{start}-{round}-{n}"),
            "deceased": { "firstName": "Johanna", "lastName": "van den Berg", "dateOfBirth": "1941-03-09" } });
        post(PATH, token, &serde_json::json!({ "query": CREATE, "variables": { "input": input } }).to_string())
    };
    let next = || {
        rounds.set(rounds.get() + 1);
        rounds.get()
    };
    for connections in [16, 64] {
        compare(
            &format!("create card, FULL, {connections} connections"),
            (&server, || {
                let round = next();
                load::run(server.address, connections, time, "\"DRAFT\"", |n| create(&a.token, round, n))
            }),
            (&by_hand, || {
                let round = next();
                load::run(by_hand.address, connections, time, "\"DRAFT\"", |n| create(&b.token, round, n))
            }),
            0.8,
        );
    }
}
