//! Measures the service against hand-written servers that run the same SQL with the same durability, and prints a table with
//! the goal and the verdict of each row: `cargo bench --bench http`; options: `cargo bench --bench http -- --help`.
//! docs/performance.md says what the columns mean.
//!
//! Servers and databases run on the first core, the load generator and the receiver of notifications on the second.

#![allow(clippy::disallowed_methods)] // a bench has no settings registry, and the limits make their own ids and clients

mod comparison;
mod database;
mod delivery;
mod growth;
mod handwritten;
mod latency;
mod load;
mod pair;
mod pooler;
mod postgres;
mod process;
mod table;
mod workload;

use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::{ArgAction, Parser, Subcommand};

use database::{Database, Engine};
use pair::Pair;
use postgres::Postgres;
use table::{Figures, Row};
use workload::Workload;

/// Rows that compare requests, memory and deliveries; the last six take long.
const ROWS: [&str; 13] = [
    "read",
    "themes",
    "introspection",
    "create",
    "keyed-create",
    "memory",
    "deliveries",
    "first-attempt",
    "pending",
    "recovery",
    "latency",
    "growth",
    "pooler",
];

#[derive(Parser)]
pub(crate) struct Options {
    /// Rows to measure; `memory` is the peak after the other rows of its database
    #[arg(long, value_delimiter = ',', value_parser = PossibleValuesParser::new(ROWS), default_values = &ROWS[..7])]
    rows: Vec<String>,
    #[arg(long, value_delimiter = ',', default_values = ["sqlite", "postgres"])]
    database: Vec<Engine>,
    /// Cards that the database holds at first. With 100 it is as good as freshly migrated
    #[arg(long, value_delimiter = ',', default_values = ["100", "100000"])]
    cards: Vec<usize>,
    /// Whether PostgreSQL runs autovacuum. With `true` the seeded tables are vacuumed and analyzed as well
    #[arg(long, value_delimiter = ',', default_values = ["false", "true"], action = ArgAction::Append)]
    autovacuum: Vec<bool>,
    /// Rounds of each contender, turn by turn
    #[arg(long, default_value_t = 5)]
    rounds: usize,
    /// Length of a round
    #[arg(long, default_value_t = 2.0)]
    seconds: f64,
    #[arg(long, default_value_t = 32)]
    connections: usize,
    /// Deliveries in a round
    #[arg(long, default_value_t = 20_000)]
    deliveries: usize,
    /// Events that wait for a dead receiver in the row `pending`, or that failed in the row `recovery`
    #[arg(long, default_value_t = 1_000_000)]
    pending: usize,
    /// Cards of the larger database in the rows of `growth`, of which the smaller one has 100,000
    #[arg(long, default_value_t = 10_000_000)]
    grown: usize,
    /// The program of PgBouncer 1.21 or later, for the rows of `pooler`
    #[arg(long)]
    pgbouncer: Option<String>,
    /// Print a JSON object a line
    #[arg(long)]
    json: bool,
    /// What cargo adds
    #[arg(long, hide = true)]
    bench: bool,
    #[command(subcommand)]
    role: Option<Role>,
}

/// The other processes that this program runs as.
#[derive(Subcommand)]
enum Role {
    #[command(hide = true)]
    HandWritten { url: String, partner: uuid::Uuid, introspection: PathBuf },
    #[command(hide = true)]
    Receiver { counter: PathBuf },
    #[command(hide = true)]
    Deliveries(delivery::Arguments),
}

fn main() {
    let options = Options::parse();
    match &options.role {
        Some(Role::HandWritten { url, partner, introspection }) => {
            let introspection = std::fs::read(introspection).expect("the answer of the real server");
            handwritten::serve(url, *partner, introspection, |address| println!("listening on http://{address}"));
        }
        Some(Role::Receiver { counter }) => delivery::receive(counter),
        Some(Role::Deliveries(arguments)) => delivery::measure(arguments),
        None => {
            process::move_to_second_core();
            if !options.json {
                println!("{}", table::HEAD);
            }
            print_rows(&options);
            if !options.json {
                println!(
                    "The engine alone: bash benches/instructions.sh (goal: 10,000 instructions of a warm request)"
                );
            }
        }
    }
}

fn print_rows(options: &Options) {
    if options.database.contains(&Engine::Sqlite) {
        for &cards in &options.cards {
            measure(options, Engine::Sqlite, None, || Database::sqlite(cards));
        }
        delivery::print(options, None);
        growth::print(options, None);
    }
    if options.database.contains(&Engine::Postgres) {
        let postgres = Postgres::start();
        for &autovacuum in &options.autovacuum {
            postgres.set_autovacuum(autovacuum);
            for &cards in &options.cards {
                let server = Some((&postgres, autovacuum));
                measure(options, Engine::Postgres, server, || Database::postgres(&postgres.url, cards, autovacuum));
            }
        }
        postgres.set_autovacuum(true);
        delivery::print(options, Some(&postgres));
        growth::print(options, Some(&postgres));
        pooler::print(options, &postgres);
    }
}

/// Measures the workloads on two databases alike, and the memory at the end.
fn measure(
    options: &Options,
    engine: Engine,
    postgres: Option<(&Postgres, bool)>,
    database: impl FnOnce() -> Database,
) {
    let has = |name: &str| options.rows.iter().any(|row| row == name);
    let workloads: Vec<Workload> = Workload::ALL.into_iter().filter(|workload| has(workload.name())).collect();
    if workloads.is_empty() && !has("latency") {
        return;
    }
    let pair = Pair::start(database(), postgres.map(|(server, _)| server.id));
    let print = |row: &str, figures, goal| {
        let (row, cards, autovacuum) = (row.to_owned(), Some(pair.cards()), postgres.map(|(_, on)| on));
        Row { row, database: engine, cards, autovacuum, figures, goal }.print(options.json);
    };
    for workload in workloads {
        pair.require_equal_answers(workload);
        let comparison = pair.compare(workload, options);
        print(workload.name(), Figures::ProcessorTime(comparison), workload.goal(engine));
    }
    if has("latency") {
        pair.require_equal_answers(Workload::Read);
        let (figures, goal) = latency::measure(&pair, options);
        print("latency", figures, goal);
    }
    if has("memory") {
        let (ours, limit) = pair.peak_mb();
        let goal = if engine == Engine::Sqlite { 24.0 } else { 12.0 };
        print("memory", Figures::Amount { unit: "MB".to_owned(), ours, limit: Some(limit) }, goal);
    }
}
