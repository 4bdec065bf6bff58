//! Rows that compare the service behind PgBouncer, with `pool_mode = transaction`, with the service that connects to
//! PostgreSQL itself: the processor time without the pooler divided by that with it, of which PgBouncer is a part.

use std::cell::Cell;
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::Duration;

use url::Url;

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

/// Measures both in turn, and prints a row for each workload. `program` is that of PgBouncer 1.21 or later.
pub(crate) fn print(options: &Options, postgres: &Postgres) {
    if !options.rows.iter().any(|row| row == "pooler") {
        return;
    }
    let program = options.pgbouncer.as_deref().expect("the row pooler needs --pgbouncer <program>");
    let direct = Database::postgres(&postgres.url, CARDS, true);
    let pooled = direct.copy();
    let folder = tempfile::TempDir::new().expect("a folder");
    let mut bouncer = PgBouncer::start(program, folder.path(), &pooled.url);
    let variables = [("DATABASE_URL", bouncer.url.clone()), ("DATABASE_DIRECT_URL", pooled.url.clone())];
    execute(&pooled.url, &missing_parameters(&pooled.refusal(&variables)));
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

/// Returns the statements that set the parameters of the role, from the message of a server that lacks them.
fn missing_parameters(message: &str) -> String {
    let statements = message.split_inclusive(';').filter_map(|part| part.find("ALTER ROLE").map(|at| &part[at..]));
    statements.collect()
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

/// PgBouncer on the first core; stopped when dropped.
struct PgBouncer {
    child: Child,
    program: String,
    file: String,
    url: String,
}

impl PgBouncer {
    fn start(program: &str, folder: &Path, database: &str) -> Self {
        let postgres = Url::parse(database).expect("an address");
        let listener = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr());
        let own = listener.expect("a free port").port();
        let file = folder.join("pgbouncer.ini").display().to_string();
        let port = postgres.port().expect("a port");
        let settings = format!(
            "[databases]\n* = host=127.0.0.1 port={port} user=postgres\n[pgbouncer]\nlisten_addr = 127.0.0.1\n\
             listen_port = {own}\nauth_type = any\nuser = postgres\npool_mode = transaction\nmax_client_conn = 500\n\
             default_pool_size = 16\nmax_prepared_statements = 200\n"
        );
        std::fs::write(&file, settings).expect("it can be written");
        let url = format!("postgres://postgres@127.0.0.1:{own}{}", postgres.path());
        let child = Self::spawn(program, &file);
        let mut started = Self { child, program: program.to_owned(), file, url };
        started.wait(own);
        started
    }

    fn spawn(program: &str, file: &str) -> Child {
        let mut command = on_first_core(program);
        command.args(["--quiet", file]).stdin(Stdio::null()).stderr(Stdio::null()).spawn().expect("PgBouncer starts")
    }

    fn wait(&mut self, port: u16) {
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(self.child.try_wait().expect("ours").is_none(), "PgBouncer ended");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    fn restart(&mut self) {
        self.stop();
        self.child = Self::spawn(&self.program, &self.file);
        self.wait(Url::parse(&self.url).ok().and_then(|url| url.port()).expect("a port"));
    }

    fn stop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for PgBouncer {
    fn drop(&mut self) {
        self.stop();
    }
}
