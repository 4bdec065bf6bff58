//! The least pace of a sender: when it has paused too long, or was too slow on average.

use std::time::Duration;

use tokio::time::Instant;

/// The time that a sender still has.
#[derive(Debug)]
pub struct Pace {
    stalled: Duration,
    bytes_per_second_min: u64,
    deadline: Instant,
}

impl Pace {
    /// Starts now. `stalled`: how long the sender may pause.
    pub fn new(stalled: Duration, bytes_per_second_min: u64) -> Self {
        Self { stalled, bytes_per_second_min, deadline: Instant::now() + stalled }
    }

    /// Returns when the sender is too slow, unless it sends more.
    pub fn deadline(&self) -> Instant {
        self.deadline
    }

    /// Extends the deadline by the time that the slowest accepted sender needs for these bytes, up to `stalled` from now.
    pub fn receive(&mut self, bytes: usize) {
        self.receive_at(Instant::now(), bytes);
    }

    fn receive_at(&mut self, now: Instant, bytes: usize) {
        let bytes = u64::try_from(bytes).unwrap_or(u64::MAX / 1_000);
        let gained = Duration::from_millis(bytes * 1_000 / self.bytes_per_second_min);
        self.deadline = (self.deadline + gained).min(now + self.stalled);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STALLED: Duration = Duration::from_secs(20);
    const RATE: u64 = 8 * 1024;

    /// The second at which a sender of this many bytes each second has failed, within ten minutes.
    fn failed_after(bytes_per_second: u64) -> Option<u64> {
        let started = Instant::now();
        let mut pace = Pace { stalled: STALLED, bytes_per_second_min: RATE, deadline: started + STALLED };
        (1..600).find(|second| {
            let now = started + Duration::from_secs(*second);
            let is_over = pace.deadline < now;
            pace.receive_at(now, usize::try_from(bytes_per_second).expect("a small number"));
            is_over
        })
    }

    #[test]
    fn sender_is_too_slow_below_the_rate_and_never_above_it() {
        let failed = [8 * RATE, RATE, RATE / 2, 0].map(failed_after);
        assert_eq!(failed, [None, None, Some(40), Some(STALLED.as_secs() + 1)]);
    }
}
