//! One server under mixed load for a while: its memory and its open files stay constant. `SOAK_SECONDS=600` runs it
//! for ten minutes.

use std::time::Duration;

use tokio::time::{Instant, interval};

use super::check::check_cards;
use super::crowd::Crowd;
use super::fleet::Fleet;
use crate::app::FreshDatabase;
use crate::webhook::follow::Followed;

/// The allowed growth of memory from the second fifth of the time to the last: a share, and an amount for caches.
const GROWTH_SHARE: f64 = 0.10;
const GROWTH_KIB: u64 = 24 * 1024;
const GROWTH_FILES: usize = 16;

#[derive(Clone, Copy, Debug)]
struct Sample {
    memory_kib: u64,
    files: usize,
}

impl Sample {
    fn read(pid: u32) -> Self {
        let status = std::fs::read_to_string(format!("/proc/{pid}/status")).expect("the server runs");
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("Linux tells it");
        let memory_kib = line.trim().trim_end_matches(" kB").parse().expect("a number");
        let files = std::fs::read_dir(format!("/proc/{pid}/fd")).expect("the server runs").count();
        Self { memory_kib, files }
    }
}

/// The middle of the memory, and the most files, of some samples.
fn summary(samples: &[Sample]) -> (u64, usize) {
    let mut memory: Vec<_> = samples.iter().map(|sample| sample.memory_kib).collect();
    memory.sort_unstable();
    (memory[memory.len() / 2], samples.iter().map(|sample| sample.files).max().expect("there are samples"))
}

/// How long it lasts: `SOAK_SECONDS`, or 20.
fn soak_seconds() -> u64 {
    match std::env::var("SOAK_SECONDS") {
        Ok(text) => text.parse().expect("SOAK_SECONDS is a number of seconds"),
        Err(_) => 20,
    }
}

on_both_databases! {
    async fn memory_and_files_of_a_server_stay_flat_under_mixed_load(database: FreshDatabase) {
        let followed = Followed::new(database).await;
        let fleet = Fleet::start(&followed.program, 1).await;
        let idle = Sample::read(fleet.pid(0));
        let crowd = Crowd::start(&fleet, &followed);
        let (end, mut samples) = (Instant::now() + Duration::from_secs(soak_seconds()), Vec::new());
        let mut tick = interval(Duration::from_millis(500));
        while Instant::now() < end {
            tick.tick().await;
            samples.push(Sample::read(fleet.pid(0)));
            crowd.ledger().assert_faultless();
        }
        let ledger = crowd.rest().await;
        let fifth = samples.len() / 5;
        let fifths: Vec<_> = samples.chunks(fifth.max(1)).take(5).map(summary).collect();
        println!("idle: {idle:?}; (memory KiB, files) of each fifth: {fifths:?}; {:#?}", ledger.counts());
        let ((memory, files), (memory_end, files_end)) = (fifths[1], fifths[4]);
        let most = memory + (memory as f64 * GROWTH_SHARE) as u64 + GROWTH_KIB;
        assert!(memory_end <= most, "memory grew from {memory} to {memory_end} KiB");
        assert!(files_end <= files + GROWTH_FILES, "open files grew from {files} to {files_end}");
        ledger.assert_faultless();
        check_cards(&fleet, &ledger, &followed).await;
        fleet.terminate();
    }
}
