//! Measures the service beside a hand-written server on a copy of its database, and prints a table of processor time, latency
//! and memory: `cargo bench --bench http --workspace --all-features`; `-- --help` lists the options. docs/performance.md
//! explains the columns.
//!
//! Servers and databases run on the first core, the load generator and the receiver of notifications on the second.

#![allow(clippy::disallowed_methods)] // a bench has no settings, and the hand-written server makes ids and a client

mod database;
mod drawing;
mod handwritten;
mod instructions;
mod load;
mod process;
mod workload;

use std::cell::{Cell, RefCell};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use clap::builder::PossibleValuesParser;
use clap::{Parser, Subcommand};
use tempfile::NamedTempFile;

use database::Database;
use drawing::Row;
use process::{Postgres, Process, on_first_core};
use workload::{CREATE, INTROSPECTION, KEYED_CREATE, READ, THEMES, Workload, write_deliver_request};

const WORKLOADS: [&Workload; 5] = [&READ, &THEMES, &INTROSPECTION, &CREATE, &KEYED_CREATE];
const READS_BESIDE_CREATES: &str = "reads-beside-creates";
const DELIVERIES: &str = "deliveries";
const ROWS: [&str; 7] =
    [READ.name, THEMES.name, INTROSPECTION.name, CREATE.name, KEYED_CREATE.name, READS_BESIDE_CREATES, DELIVERIES];

/// Connections that create beside the reads, and the pause of their thread before each request: at most 250 cards a second.
const CREATING: usize = 4;
const PAUSE: Duration = Duration::from_millis(4);

#[derive(Parser)]
struct Options {
    #[arg(long, value_delimiter = ',', value_parser = PossibleValuesParser::new(ROWS), default_values = ROWS)]
    rows: Vec<String>,
    #[arg(long, value_delimiter = ',', value_parser = ["sqlite", "postgres"], default_values = ["sqlite", "postgres"])]
    database: Vec<String>,
    /// The program of the service, such as the one that packaging/build makes
    #[arg(long, default_value = env!("CARGO_BIN_EXE_card-service"), conflicts_with = "accept_instructions")]
    server: String,
    /// Cards in the database
    #[arg(long, default_value_t = 100_000)]
    cards: usize,
    /// Rounds of each server, in turn; the table has the round in the middle
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
    /// Also draws the rows as SVG into this file, beside the rows of the run that the file holds
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Counts the instructions and cache misses of a request with callgrind instead, on SQLite, and compares them with the
    /// baseline
    #[arg(long)]
    instructions: bool,
    /// Counts them, and makes them the baseline
    #[arg(long)]
    accept_instructions: bool,
    /// Passed by cargo
    #[arg(long, hide = true)]
    bench: bool,
    #[command(subcommand)]
    role: Option<Role>,
}

/// The other process that this program runs as.
#[derive(Subcommand)]
enum Role {
    #[command(hide = true)]
    HandWritten { url: String, partner: uuid::Uuid, introspection: PathBuf },
}

fn main() {
    let options = Options::parse();
    if let Some(Role::HandWritten { url, partner, introspection }) = &options.role {
        let introspection = std::fs::read(introspection).expect("the answer of the real server");
        return handwritten::serve(url, *partner, introspection);
    }
    if options.instructions || options.accept_instructions {
        let rows: Vec<_> =
            WORKLOADS.into_iter().filter(|workload| options.rows.iter().any(|row| row == workload.name)).collect();
        let is_within = instructions::compare(&rows, &options.server, options.accept_instructions);
        assert!(is_within, "a row takes more instructions than the baseline allows");
        return;
    }
    process::move_to_second_core();
    println!("{:<21} {:<9} {:^47}   {:^47}", "", "", "the service", "hand-written");
    let columns = format!("{:>9} {:>12} {:>8} {:>8} {:>6}", "time us", "(PostgreSQL)", "p50 us", "p99 us", "MB");
    println!("{:<21} {:<9} {columns}   {columns}   ratio", "row", "database");
    let mut rows = Vec::new();
    for database in &options.database {
        let postgres = (database == "postgres").then(Postgres::start);
        let pair = Pair::start(&options.server, postgres.as_ref(), options.cards);
        pair.print_rows(&options);
        rows.extend(pair.rows.take());
    }
    if let Some(path) = &options.svg {
        drawing::write(path, &rows);
    }
}

/// One round of a row.
#[derive(Clone, Copy)]
struct Round {
    /// Microseconds of processor time of an answer: of the server, and of all processes of PostgreSQL.
    server_us: f64,
    postgres_us: f64,
    /// Latencies in microseconds, at the middle and at the 99th percentile; `None` for deliveries.
    latency_us: Option<(u64, u64)>,
    /// The peak of resident memory.
    peak_mb: f64,
}

impl Round {
    fn total_us(&self) -> f64 {
        self.server_us + self.postgres_us
    }

    fn columns(&self) -> String {
        let Self { postgres_us, latency_us, peak_mb, .. } = self;
        let latency = latency_us.map_or("-".to_owned(), |(p50, p99)| format!("{p50:>8} {p99:>8}"));
        format!("{:>9.1} {:>12} {latency:>17} {peak_mb:>6.1}", self.total_us(), format!("({postgres_us:.1})"))
    }
}

/// The service and the hand-written server, each on its own copy of a database.
struct Pair<'p> {
    ours: Server,
    limit: Server,
    postgres: Option<&'p Postgres>,
    /// The rows that were printed.
    rows: RefCell<Vec<Row>>,
    _introspection: NamedTempFile,
}

struct Server {
    // Dropped in this order.
    process: Process,
    database: Database,
    /// The number of the next request.
    next: Cell<usize>,
}

impl Server {
    fn requests(&self, workload: &Workload) -> impl Fn(usize) -> Vec<u8> + use<> {
        workload.requests(&self.database.token, self.database.cards)
    }

    /// Sends the n-th request; returns the body of the answer.
    fn answer(&self, workload: &Workload, n: usize) -> Vec<u8> {
        self.next.set(n + 1);
        load::once(self.process.address, &self.requests(workload)(n))
    }

    fn run(&self, workload: &Workload, connections: usize, time: Duration) -> Vec<u64> {
        let start = workload.answer_start;
        load::run(self.process.address, connections, time, start, &self.next, self.requests(workload))
    }

    /// Reads while a second thread creates cards.
    fn read_beside_creates(&self, connections: usize, time: Duration) -> Vec<u64> {
        let (address, first, create) = (self.process.address, self.next.get(), self.requests(&CREATE));
        std::thread::scope(|scope| {
            let creating = scope.spawn(move || {
                let next = Cell::new(first);
                let pause_and_create = |n| {
                    std::thread::sleep(PAUSE);
                    create(n)
                };
                load::run(address, CREATING, time, CREATE.answer_start, &next, pause_and_create);
                next.get()
            });
            let times = self.run(&READ, connections, time);
            self.next.set(creating.join().expect("cards are created"));
            times
        })
    }
}

impl<'p> Pair<'p> {
    fn start(program: &str, postgres: Option<&'p Postgres>, cards: usize) -> Self {
        let [database, copy] = [0, 1].map(|_| Database::new(program, postgres.map(|postgres| &*postgres.url), cards));
        let ours = Server { process: database.serve(), database, next: Cell::new(0) };
        let introspection = NamedTempFile::new().expect("a file");
        std::fs::write(introspection.path(), ours.answer(&INTROSPECTION, 0)).expect("it can be written");
        let own = std::env::current_exe().expect("this program has a path");
        let mut command = on_first_core(own.to_str().expect("a UTF-8 path"));
        command.args(["hand-written", &copy.url, &copy.partner]).arg(introspection.path());
        let limit = Server { process: Process::start(&mut command), database: copy, next: Cell::new(0) };
        Self { ours, limit, postgres, rows: RefCell::default(), _introspection: introspection }
    }

    fn print_rows(&self, options: &Options) {
        let has = |name: &str| options.rows.iter().any(|row| row == name);
        let (connections, time) = (options.connections, Duration::from_secs_f64(options.seconds));
        for workload in WORKLOADS.into_iter().filter(|workload| has(workload.name)) {
            let n = self.ours.next.get().max(self.limit.next.get());
            let answer = |server: &Server| workload.mask(&server.answer(workload, n));
            assert_eq!(answer(&self.ours), answer(&self.limit), "{}", workload.name);
            let run = |server: &Server| summarize(server.run(workload, connections, time));
            self.print(workload.name, options.rounds, |_, _| (), run);
        }
        if has(READS_BESIDE_CREATES) {
            let read = |server: &Server| summarize(server.read_beside_creates(connections, time));
            self.print(READS_BESIDE_CREATES, options.rounds, |_, _| (), read);
        }
        if has(DELIVERIES) {
            let count = options.deliveries;
            let received = Arc::new(AtomicUsize::new(0));
            let receiving = Arc::clone(&received);
            let port = load::receive(move || {
                receiving.fetch_add(1, Ordering::Relaxed);
            });
            self.ours.database.insert_subscription(port);
            let insert = |server: &Server, round| {
                received.store(0, Ordering::Relaxed);
                if std::ptr::eq(server, &self.ours) {
                    server.database.insert_deliveries(count, round);
                    assert_eq!(received.load(Ordering::Relaxed), 0, "none is due before all are inserted");
                }
            };
            let deliver = |server: &Server| {
                if std::ptr::eq(server, &self.ours) {
                    // The database is asked only at the end: its time is measured.
                    while received.load(Ordering::Relaxed) < count || !server.database.is_delivered() {
                        std::thread::sleep(Duration::from_millis(50));
                    }
                } else {
                    load::once(server.process.address, &write_deliver_request(port, count));
                }
                assert_eq!(received.load(Ordering::Relaxed), count, "each arrives once");
                (count, None)
            };
            self.print(DELIVERIES, options.rounds, insert, deliver);
        }
    }

    /// Measures both servers in turn, after a round that is not counted, and prints the row. What `prepare` does is not measured.
    fn print(
        &self,
        name: &str,
        rounds: usize,
        prepare: impl Fn(&Server, usize),
        run: impl Fn(&Server) -> (usize, Option<(u64, u64)>),
    ) {
        let measure = |server: &Server, round: usize| {
            prepare(server, round);
            server.process.reset_peak();
            let database = || self.postgres.map_or(0.0, Postgres::seconds);
            let before = (server.process.seconds(), database());
            let (answers, latency_us) = run(server);
            let answers = answers as f64;
            Round {
                server_us: (server.process.seconds() - before.0) * 1e6 / answers,
                postgres_us: (database() - before.1) * 1e6 / answers,
                latency_us,
                peak_mb: server.process.peak_mb(),
            }
        };
        let (mut ours, mut limit) = (Vec::new(), Vec::new());
        for round in 0..=rounds {
            ours.push(measure(&self.ours, round));
            limit.push(measure(&self.limit, round));
        }
        let median = |rounds: &mut [Round]| {
            rounds.sort_by(|a, b| a.total_us().total_cmp(&b.total_us()));
            rounds[rounds.len() / 2]
        };
        let (ours, limit) = (median(&mut ours[1..]), median(&mut limit[1..]));
        let database = if self.postgres.is_some() { "postgres" } else { "sqlite" };
        let (ours_us, limit_us) = (ours.total_us(), limit.total_us());
        let row = Row { name: name.to_owned(), database: database.to_owned(), ours_us, limit_us };
        self.rows.borrow_mut().push(row);
        let ratio = limit_us / ours_us;
        println!("{name:<21} {database:<9} {}   {}   {ratio:.2}", ours.columns(), limit.columns());
    }
}

/// Returns the number of answers, and their latency at the middle and at the 99th percentile.
fn summarize(times: Vec<u64>) -> (usize, Option<(u64, u64)>) {
    (times.len(), Some((times[times.len() / 2], times[times.len() * 99 / 100])))
}
