//! Rates, and the processor time and memory of this process.

use std::fmt::{self, Display, Formatter};
use std::fs::read_to_string;
use std::time::Instant;

/// A measured rate.
#[derive(Clone, Copy)]
pub(crate) struct Pace {
    pub per_second: f64,
    /// Processor time of this process per notification, in microseconds. It varies less than the rate on a busy machine.
    pub processor_us: f64,
}

impl Display for Pace {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{:.0}/s ({:.0} us of processor time each)", self.per_second, self.processor_us)
    }
}

/// A running measurement.
pub(crate) struct Meter {
    began: Instant,
    processor_seconds: f64,
}

impl Meter {
    pub(crate) fn start() -> Self {
        Self { began: Instant::now(), processor_seconds: processor_seconds() }
    }

    /// Returns the rate of `count` notifications since the start.
    pub(crate) fn stop(self, count: usize) -> Pace {
        let processor_seconds = processor_seconds() - self.processor_seconds;
        Pace {
            per_second: count as f64 / self.began.elapsed().as_secs_f64(),
            processor_us: processor_seconds * 1e6 / count as f64,
        }
    }
}

/// Returns the user and system time of this process.
fn processor_seconds() -> f64 {
    const TICKS_PER_SECOND: f64 = 100.0; // proc_pid_stat(5): what Linux calls USER_HZ, on every platform of ours
    let stat = read_to_string("/proc/self/stat").expect("a process");
    // The name of the program, in brackets, may hold spaces.
    let after_name = stat.rsplit_once(')').expect("a name in brackets").1;
    let ticks = after_name.split_ascii_whitespace().skip(11).take(2);
    ticks.map(|field| field.parse::<f64>().expect("ticks")).sum::<f64>() / TICKS_PER_SECOND
}

/// Returns the resident memory of this process without file mappings (proc_pid_status(5)).
pub(crate) fn resident_kib() -> u64 {
    let status = read_to_string("/proc/self/status").expect("a process");
    let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:")).expect("resident memory");
    line.trim().trim_end_matches(" kB").parse().expect("a number")
}
