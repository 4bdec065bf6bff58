//! Speed of notifications, against a bare client loop that signs and posts the same to the same receiver.
//!
//! `cargo bench --bench delivery` prints rates, ratios and what a million events for a dead receiver cost the others. The
//! receiver is a process of its own. `BENCH_DELIVERIES` sets how many each round sends (20,000), `BENCH_WAITING` how many
//! wait for the dead receiver (1,000,000); with `TEST_POSTGRES_URL` the rate on PostgreSQL is measured too.

#![allow(clippy::disallowed_methods)] // a bench has no settings registry, and its rival makes its own client

mod pace;
mod rival;
mod sink;
mod stage;

use std::time::Duration;

use pace::Pace;
use sink::Sink;
use stage::Stage;

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

    let stage = Stage::sqlite(sink.port).await;
    latency(&stage, &sink).await;
    let (mut ratios, mut ours, mut bare) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..5 {
        bare.push(rival::pace(&stage, &sink, count).await);
        ours.push(stage.pace(&sink, count).await);
        ratios.push(ours[ours.len() - 1].per_second / bare[bare.len() - 1].per_second);
    }
    ratios.sort_by(f64::total_cmp);
    let (ours, bare) = (best(&ours), best(&bare));
    println!(
        "SQLite: {:.0} deliveries/s ({:.0} us of processor time each), bare loop {:.0}/s ({:.0} us), best against best \
         {:.2}; round by round {ratios:.2?}, in the middle {:.2} (wanted 0.6)",
        ours.per_second,
        ours.processor_us,
        bare.per_second,
        bare.processor_us,
        ours.per_second / bare.per_second,
        ratios[ratios.len() / 2]
    );

    let waiting = setting("BENCH_WAITING", 1_000_000);
    for (name, dead) in [("refuses", sink::refusing()), ("never answers", sink::silent())] {
        let before = best(&[stage.pace(&sink, count).await, stage.pace(&sink, count).await]).per_second;
        stage.pile_up(dead.port, waiting);
        let memory = pace::resident_kib();
        let with = best(&[stage.pace(&sink, count).await, stage.pace(&sink, count).await]).per_second;
        println!(
            "{waiting} events wait for a receiver that {name}: {with:.0}/s for the others, {before:.0}/s before, ratio \
             {:.2} (wanted 0.9); resident memory {memory} KiB before, {} KiB after",
            with / before,
            pace::resident_kib()
        );
        stage.clear();
    }
    stage.close().await;

    if let Ok(url) = std::env::var("TEST_POSTGRES_URL") {
        let stage = Stage::postgres(&url, sink.port).await;
        let bare = rival::pace(&stage, &sink, count).await.per_second;
        let ours = stage.pace(&sink, count / 2).await.per_second;
        println!("PostgreSQL: {ours:.0} deliveries/s, bare loop {bare:.0}/s, ratio {:.2} (wanted 0.6)", ours / bare);
        stage.close().await;
    }
}

/// The fastest of some rounds.
fn best(rounds: &[Pace]) -> Pace {
    *rounds.iter().max_by(|a, b| a.per_second.total_cmp(&b.per_second)).expect("a round")
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
    running.stop().await;
    times.sort();
    println!("first attempt when idle: p50 {:?}, p99 {:?} after the commit (wanted under 50 ms)", times[50], times[98]);
}
