//! Speed of notifications, against a bare client loop that signs and posts the same to the same receiver.
//!
//! `cargo bench --bench delivery` prints rates, ratios and what a million events for a dead receiver cost the others. The
//! receiver is a process of its own. `BENCH_ROUNDS` sets how often each is measured (5), `BENCH_DELIVERIES` how many each
//! round sends (20,000), `BENCH_WAITING` how many wait for the dead receiver (1,000,000); with `TEST_POSTGRES_URL` the rate
//! on PostgreSQL is measured too.

#![allow(clippy::disallowed_methods)] // a bench has no settings registry, and its rival makes its own client

mod pace;
mod rival;
mod sink;
mod stage;
mod turns;

use std::time::Duration;

use sink::Sink;
use stage::Stage;
use turns::Turns;

fn main() {
    card_service::outbound::install_tls_provider();
    if std::env::args().nth(1).as_deref() == Some("sink") {
        return sink::serve();
    }
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime starts");
    runtime.block_on(table());
}

fn setting(name: &str, default: usize) -> usize {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

async fn table() {
    let count = setting("BENCH_DELIVERIES", 20_000);
    let sink = Sink::start();

    let rounds = setting("BENCH_ROUNDS", 5);
    let stage = Stage::sqlite(sink.port).await;
    latency(&stage, &sink).await;
    let pace =
        Turns::take(rounds, async || stage.pace(&sink, count).await, async || rival::pace(&stage, &sink, count).await);
    println!("SQLite, against a bare loop: {} (wanted 0.6)", pace.await);

    let waiting = setting("BENCH_WAITING", 1_000_000);
    for (name, dead) in [("refuses", sink::refusing()), ("never answers", sink::silent())] {
        let crowded = Stage::sqlite(sink.port).await;
        crowded.pile_up(dead.port, waiting);
        crowded.pace(&sink, count).await; // fills what is kept of the database
        let memory = pace::resident_kib();
        let pace =
            Turns::take(rounds, async || crowded.pace(&sink, count).await, async || stage.pace(&sink, count).await);
        println!(
            "{waiting} events wait for a receiver that {name}: the others, against those of a service where none wait: \
             {} (wanted 0.9); resident memory {memory} KiB at first, {} KiB in the end",
            pace.await,
            pace::resident_kib()
        );
        crowded.close().await;
    }
    stage.close().await;

    if let Ok(url) = std::env::var("TEST_POSTGRES_URL") {
        let stage = Stage::postgres(&url, sink.port).await;
        let pace = Turns::take(
            rounds,
            async || stage.pace(&sink, count / 2).await,
            async || rival::pace(&stage, &sink, count).await,
        );
        println!("PostgreSQL, against a bare loop: {} (wanted 0.6)", pace.await);
        stage.close().await;
    }
}

/// From the return of the commit to the arrival, with nothing else to do.
async fn latency(stage: &Stage, sink: &Sink) {
    let running = stage.start();
    let mut times = Vec::new();
    for _ in 0..100 {
        tokio::time::sleep(Duration::from_millis(20)).await;
        let before = sink.count();
        stage.happen(1).await;
        let committed = std::time::Instant::now();
        while sink.count() == before {
            tokio::task::yield_now().await;
        }
        times.push(committed.elapsed());
    }
    running.stop(tokio::time::Instant::now() + card_service::base::limits::DRAIN).await;
    times.sort();
    println!("first attempt when idle: p50 {:?}, p99 {:?} after the commit (wanted under 50 ms)", times[50], times[98]);
}
