//! Rows about the delivery of notifications: their cost against a bare loop that signs and posts the same requests, the time
//! of the first attempt, and the rate of the other receivers next to a dead one. Runs in a process of its own on the first
//! core, with the service in it; the receiver is another process, on the second.

use std::io::{BufRead as _, BufReader};
use std::process::Stdio;
use std::time::Duration;

use card_service::model::DeliveryState;
use clap::Args;
use tokio::runtime::Runtime;

use crate::Options;
use crate::comparison::Comparison;
use crate::database::Engine;
use crate::postgres::Postgres;
use crate::process::{kib, on_first_core};
use crate::table::{Figures, Row};

mod baseline;
mod receiver;
mod service;

use self::receiver::Receiver;
pub(super) use self::receiver::receive;
use self::service::Service;

const ROWS: [&str; 4] = ["deliveries", "first-attempt", "pending", "recovery"];

/// The rows that insert events into SQLite.
const SQLITE_ROWS: [&str; 2] = ["pending", "recovery"];

#[derive(Args)]
pub(crate) struct Arguments {
    #[arg(long)]
    rows: Vec<String>,
    #[arg(long)]
    rounds: usize,
    #[arg(long)]
    deliveries: usize,
    #[arg(long)]
    pending: usize,
    /// The address of PostgreSQL, and its postmaster; without them SQLite.
    #[arg(long, requires = "postmaster")]
    postgres: Option<String>,
    #[arg(long)]
    postmaster: Option<u32>,
}

/// Starts the process that measures, and prints its rows.
pub(crate) fn print(options: &Options, postgres: Option<&Postgres>) {
    let is_measured =
        |row: &&String| ROWS.contains(&row.as_str()) && (postgres.is_none() || !SQLITE_ROWS.contains(&row.as_str()));
    let rows: Vec<&String> = options.rows.iter().filter(is_measured).collect();
    if rows.is_empty() {
        return;
    }
    let own = std::env::current_exe().expect("this program has a path");
    let mut command = on_first_core(own.to_str().expect("a UTF-8 path"));
    command.arg("deliveries").args(rows.iter().flat_map(|row| ["--rows", row.as_str()]));
    for (name, value) in
        [("--rounds", options.rounds), ("--deliveries", options.deliveries), ("--pending", options.pending)]
    {
        command.arg(name).arg(value.to_string());
    }
    if let Some(server) = postgres {
        command.arg("--postgres").arg(&server.url).arg("--postmaster").arg(server.id.to_string());
    }
    let mut child = command.stdout(Stdio::piped()).spawn().expect("the process starts");
    for line in BufReader::new(child.stdout.take().expect("piped")).lines() {
        let row: Row = serde_json::from_str(&line.expect("text")).expect("a row");
        row.print(options.json);
    }
    assert!(child.wait().expect("it ran").success(), "the process measured");
}

/// Measures, in this process.
pub(crate) fn measure(arguments: &Arguments) {
    card_service::outbound::install_tls_provider();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime starts");
    let receiver = Receiver::start();
    let bench = Bench { arguments, runtime, receiver };
    let service = bench.service();
    for row in &arguments.rows {
        match row.as_str() {
            "deliveries" => {
                let comparison = Comparison::measure(
                    arguments.rounds,
                    || bench.cost(&service),
                    || bench.runtime.block_on(baseline::cost(&service, &bench.receiver, arguments.deliveries)),
                );
                let goal = if arguments.postgres.is_some() { 0.50 } else { 0.75 };
                bench.print("deliveries", Figures::ProcessorTime(comparison), goal);
            }
            "first-attempt" => {
                let ms = bench.runtime.block_on(first_attempt_ms(&service, &bench.receiver));
                bench.print("first-attempt", Figures::Amount { unit: "ms".to_owned(), ours: ms, limit: None }, 50.0);
            }
            "pending" => bench.pending(&service),
            _ => bench.recovery(&service),
        }
    }
    bench.runtime.block_on(service.close());
}

struct Bench<'a> {
    arguments: &'a Arguments,
    runtime: Runtime,
    receiver: Receiver,
}

impl Bench<'_> {
    fn service(&self) -> Service {
        let port = self.receiver.port;
        self.runtime.block_on(async {
            match &self.arguments.postgres {
                None => Service::sqlite(port).await,
                Some(url) => Service::postgres(url, port).await,
            }
        })
    }

    fn cost(&self, service: &Service) -> crate::comparison::Cost {
        let Arguments { deliveries, postmaster, .. } = self.arguments;
        self.runtime.block_on(service.cost(&self.receiver, *deliveries, *postmaster))
    }

    /// The rate of a service where many events wait for a dead receiver, against that of a service where none wait; and the
    /// memory of both.
    fn pending(&self, service: &Service) {
        for (row, dead) in [("dead-refuses", receiver::refusing()), ("dead-silent", receiver::silent())] {
            let crowded = self.service();
            crowded.insert_events(dead.port, self.arguments.pending, DeliveryState::Due);
            self.cost(&crowded); // fills the cache of the database
            let memory = || kib(std::process::id(), "RssAnon:") / 1024.0;
            let before = memory();
            let comparison = Comparison::measure(self.arguments.rounds, || self.cost(&crowded), || self.cost(service));
            self.print(row, Figures::Rate(comparison), 0.90);
            let growth = Figures::Amount { unit: "MB".to_owned(), ours: memory() - before, limit: None };
            self.print(&format!("{row} +MB"), growth, 8.0);
            self.runtime.block_on(crowded.close());
        }
    }

    /// The rate of a service where everything that failed is sent again, against that of a service with nothing to send
    /// again. Each must arrive once, in the order of its card.
    fn recovery(&self, service: &Service) {
        let (crowded, recovering, count) = (self.service(), Receiver::start(), self.arguments.pending);
        let subscription_id = crowded.insert_events(recovering.port, count, DeliveryState::Failed);
        self.cost(&crowded); // fills the cache of the database
        self.runtime.block_on(crowded.recover());
        let comparison = Comparison::measure(self.arguments.rounds, || self.cost(&crowded), || self.cost(service));
        self.print("recovery", Figures::Rate(comparison), 0.90);
        assert!(self.runtime.block_on(crowded.left(subscription_id)).0 > 0, "it went on to the end of the measurement");
        self.runtime.block_on(crowded.run_until_sent(subscription_id));
        assert_eq!(recovering.count(), count as u64, "each arrived once");
        assert_eq!(crowded.out_of_order(subscription_id), 0, "each card keeps its order");
        self.runtime.block_on(crowded.close());
    }

    /// Prints a row for the process that started this one.
    fn print(&self, row: &str, figures: Figures, goal: f64) {
        let (database, autovacuum) = match self.arguments.postgres {
            None => (Engine::Sqlite, None),
            Some(_) => (Engine::Postgres, Some(true)),
        };
        let row = Row { row: row.to_owned(), database, cards: None, autovacuum, figures, goal };
        println!("{}", serde_json::to_string(&row).expect("JSON"));
    }
}

/// Returns the median time from the commit to the arrival on an idle service.
async fn first_attempt_ms(service: &Service, receiver: &Receiver) -> f64 {
    let running = service.start();
    let mut times = Vec::new();
    for _ in 0..100 {
        tokio::time::sleep(Duration::from_millis(20)).await;
        let before = receiver.count();
        service.create_events(1).await;
        let committed = std::time::Instant::now();
        while receiver.count() == before {
            tokio::task::yield_now().await;
        }
        times.push(committed.elapsed());
    }
    running.stop(tokio::time::Instant::now() + card_service::base::limits::DRAIN).await;
    times.sort();
    times[50].as_secs_f64() * 1e3
}
