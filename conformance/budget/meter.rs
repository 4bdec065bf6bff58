//! Processor time and memory of a process, by the kernel's counters (proc(5)).

use std::fs;
use std::time::Duration;

/// Ticks a second in `/proc/<pid>/stat`: 100 on every Linux that this runs on.
const TICK: Duration = Duration::from_millis(10);

/// The id of a process to be measured.
#[derive(Clone, Copy)]
pub struct Meter(pub u32);

impl Meter {
    /// The processor time of the process, of its threads that have ended, and of its children that were waited for; in
    /// steps of 10 ms.
    pub fn processor_time(self) -> Duration {
        let stat = self.read("stat");
        let after_name = &stat[stat.rfind(')').expect("a name in brackets") + 2..];
        // utime, stime, cutime and cstime are the fields 14 to 17; the state, field 3, is the first one here.
        let ticks: u32 =
            after_name.split(' ').skip(11).take(4).map(|field| field.parse::<u32>().expect("a number")).sum();
        TICK * ticks
    }

    /// Resident memory in bytes: now (`VmRSS`), or its peak since the last [`Self::reset_peak`] (`VmHWM`).
    pub fn memory(self, name: &str) -> usize {
        let status = self.read("status");
        let line = status.lines().find(|line| line.starts_with(name)).expect("the kernel counts it");
        let kibibytes: usize = line.split_whitespace().nth(1).and_then(|number| number.parse().ok()).expect("a number");
        kibibytes * 1024
    }

    pub fn reset_peak(self) {
        fs::write(format!("/proc/{}/clear_refs", self.0), "5").expect("the peak of an own process can be reset");
    }

    fn read(self, name: &str) -> String {
        fs::read_to_string(format!("/proc/{}/{name}", self.0)).expect("the process runs")
    }
}
