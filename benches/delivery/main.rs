//! Measures the delivery of notifications against a baseline: a client loop that signs and posts the same requests.
//!
//! `cargo bench --bench delivery` prints rates, ratios, and the effect of a million pending events for a dead receiver on the
//! others. The receiver is a separate process. `BENCH_ROUNDS` is the number of measurements (5), `BENCH_DELIVERIES` the number
//! of deliveries in each (20,000), `BENCH_WAITING` the number of pending events (1,000,000). With `TEST_POSTGRES_URL` the rate
//! on PostgreSQL is measured too.

#![allow(clippy::disallowed_methods)] // a bench has no settings registry, and the baseline builds its own client

mod alternation;
mod baseline;
mod pace;
mod receiver;
mod service;

use std::time::Duration;

use alternation::Alternation;
use receiver::Receiver;
use service::Service;

fn main() {
    card_service::outbound::install_tls_provider();
    if std::env::args().nth(1).as_deref() == Some("receiver") {
        return receiver::serve();
    }
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime starts");
    runtime.block_on(table());
}

fn setting(name: &str, default: usize) -> usize {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

async fn table() {
    let count = setting("BENCH_DELIVERIES", 20_000);
    let receiver = Receiver::start();

    let rounds = setting("BENCH_ROUNDS", 5);
    let service = Service::sqlite(receiver.port).await;
    latency(&service, &receiver).await;
    let pace = Alternation::measure(
        rounds,
        async || service.pace(&receiver, count).await,
        async || baseline::pace(&service, &receiver, count).await,
    );
    println!("SQLite, against a bare loop: {} (wanted 0.6)", pace.await);

    let waiting = setting("BENCH_WAITING", 1_000_000);
    for (name, dead) in [("refuses", receiver::refusing()), ("never answers", receiver::silent())] {
        let crowded = Service::sqlite(receiver.port).await;
        crowded.insert_pending(dead.port, waiting);
        crowded.pace(&receiver, count).await; // fills the cache of the database
        let memory = pace::resident_kib();
        let pace = Alternation::measure(
            rounds,
            async || crowded.pace(&receiver, count).await,
            async || service.pace(&receiver, count).await,
        );
        println!(
            "{waiting} events wait for a receiver that {name}: the others, against those of a service where none wait: \
             {} (wanted 0.9); resident memory {memory} KiB at first, {} KiB in the end",
            pace.await,
            pace::resident_kib()
        );
        crowded.close().await;
    }
    service.close().await;

    if let Ok(url) = std::env::var("TEST_POSTGRES_URL") {
        let service = Service::postgres(&url, receiver.port).await;
        let pace = Alternation::measure(
            rounds,
            async || service.pace(&receiver, count / 2).await,
            async || baseline::pace(&service, &receiver, count).await,
        );
        println!("PostgreSQL, against a bare loop: {} (wanted 0.6)", pace.await);
        service.close().await;
    }
}

/// Measures the time from the commit to the arrival on an idle service.
async fn latency(service: &Service, receiver: &Receiver) {
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
    println!("first attempt when idle: p50 {:?}, p99 {:?} after the commit (wanted under 50 ms)", times[50], times[98]);
}
