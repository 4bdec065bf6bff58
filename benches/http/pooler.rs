//! Rows that compare the service behind PgBouncer, with `pool_mode = transaction`, with the service that connects to
//! PostgreSQL itself: the processor time without the pooler divided by that with it, of which PgBouncer is a part.

use std::cell::Cell;
use std::process::Stdio;
use std::time::Duration;

#[path = "../../conformance/postgres/pgbouncer.rs"]
mod pgbouncer;

use pgbouncer::{PgBouncer, missing_parameters};

use crate::Options;
use crate::comparison::{Comparison, Cost, Meter};
use crate::database::{Database, Engine, execute};
use crate::load;
use crate::postgres::Postgres;
use crate::process::{Process, on_first_core, processor_seconds};
use crate::table::{Figures, Row};
use crate::workload::Workload;

const CARDS: usize = 100_000;
const GOAL: f64 = 0.5;
const SETTINGS: &str = "default_pool_size = 16\nmax_prepared_statements = 200\n";

/// Measures both in turn, and prints a row for each workload. `program` is that of PgBouncer 1.21 or later.
pub(crate) fn print(options: &Options, postgres: &Postgres) {
    if !options.rows.iter().any(|row| row == "pooler") {
        return;
    }
    let program = options.pgbouncer.as_deref().expect("the row pooler needs --pgbouncer <program>");
    let direct = Database::postgres(&postgres.url, CARDS, true);
    let pooled = direct.copy();
    let folder = tempfile::TempDir::new().expect("a folder");
    let mut command = on_first_core(program);
    command.stderr(Stdio::null());
    let mut bouncer = PgBouncer::start(command, folder.path(), &pooled.url, SETTINGS);
    let variables = [("DATABASE_URL", bouncer.url.clone()), ("DATABASE_DIRECT_URL", pooled.url.clone())];
    execute(&pooled.url, &missing_parameters(&pooled.refusal(&variables)).concat());
    bouncer.restart(); // its connections have the settings of the role from here on
    let with =
        Contender { process: pooled.serve_with(&variables), next: Cell::new(0), pooler: Some(bouncer.child.id()) };
    let without = Contender { process: direct.serve(), next: Cell::new(0), pooler: None };
    let time = Duration::from_secs_f64(options.seconds);
    for workload in [Workload::Read, Workload::Themes, Workload::Create, Workload::KeyedCreate] {
        let requests = workload.requests(&direct.token, CARDS);
        let round = |contender: &Contender| {
            let (meter, before) = (Meter::start(contender.process.id(), Some(postgres.id)), contender.pooler_seconds());
            let (address, start) = (contender.process.address, workload.answer_start());
            let outcome = load::run(address, options.connections, time, start, &contender.next, &requests);
            let pooler = (contender.pooler_seconds() - before) * 1e6 / outcome.answers as f64;
            let cost = meter.stop(outcome.answers, outcome.rate, Some(outcome.p99_us));
            Cost { server_us: cost.server_us + pooler, ..cost }
        };
        round(&with);
        round(&without);
        let comparison = Comparison::measure(options.rounds, || round(&with), || round(&without));
        let (row, figures) = (format!("pooled-{}", workload.name()), Figures::ProcessorTime(comparison));
        Row { row, database: Engine::Postgres, cards: Some(CARDS), autovacuum: Some(true), figures, goal: GOAL }
            .print(options.json);
    }
}

/// A server, and the process of its pooler.
struct Contender {
    process: Process,
    next: Cell<usize>,
    pooler: Option<u32>,
}

impl Contender {
    fn pooler_seconds(&self) -> f64 {
        self.pooler.map_or(0.0, processor_seconds)
    }
}
