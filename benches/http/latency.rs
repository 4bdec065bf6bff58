//! The row `latency`: the 99th percentile of the time of a read while both servers create cards at the same
//! rate.

use std::cell::Cell;
use std::time::Duration;

use crate::Options;
use crate::load;
use crate::pair::{Contender, Pair};
use crate::table::Figures;
use crate::workload::Workload;

/// Connections that create, and the pause of their thread before each request: at most 250 cards a second.
const CREATING: usize = 4;
const PAUSE: Duration = Duration::from_millis(4);
/// Ours may take this much longer than the limit.
const RATIO_MAX: f64 = 1.2;

/// Measures both in turn. Returns the figures of the row and its goal, in microseconds.
pub(crate) fn measure(pair: &Pair, options: &Options) -> (Figures, f64) {
    let (mut ours, mut limit) = (Vec::new(), Vec::new());
    during_creates(&pair.ours, options);
    during_creates(&pair.limit, options);
    for _ in 0..options.rounds {
        ours.push(during_creates(&pair.ours, options));
        limit.push(during_creates(&pair.limit, options));
    }
    let middle = |mut times: Vec<u64>| {
        times.sort_unstable();
        times[times.len() / 2] as f64
    };
    let (ours, limit) = (middle(ours), middle(limit));
    (Figures::Amount { unit: "us".to_owned(), ours, limit: Some(limit) }, limit * RATIO_MAX)
}

/// Returns the 99th percentile of reads in one round.
fn during_creates(contender: &Contender, options: &Options) -> u64 {
    let time = Duration::from_secs_f64(options.seconds);
    let address = contender.process.address;
    let create = contender.request(Workload::Create);
    let first = contender.next.get();
    std::thread::scope(|scope| {
        let creating = scope.spawn(move || {
            let next = Cell::new(first);
            let start = Workload::Create.answer_start();
            let paused = |n| {
                std::thread::sleep(PAUSE);
                create(n)
            };
            load::run(address, CREATING, time, start, &next, paused);
            next.get()
        });
        let (read, start) = (contender.request(Workload::Read), Workload::Read.answer_start());
        let reads = load::run(address, options.connections, time, start, &Cell::new(0), read);
        contender.next.set(creating.join().expect("cards are created"));
        reads.p99_us
    })
}
