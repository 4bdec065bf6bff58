//! The cost of an answer, and the comparison of two contenders round by round, because the speed of a machine varies.

use serde::{Deserialize, Serialize};

use crate::process::{processor_seconds, tree_seconds};

/// What an answer (or a delivery) cost in one round.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct Cost {
    /// Microseconds of processor time of the server, user and system.
    pub server_us: f64,
    /// The same of all processes of PostgreSQL; 0 on SQLite, which runs in the server.
    pub database_us: f64,
    pub per_second: f64,
    pub p99_us: Option<u64>,
}

impl Cost {
    pub(crate) fn total_us(&self) -> f64 {
        self.server_us + self.database_us
    }
}

/// A running measurement of processor time.
pub(crate) struct Meter {
    server: u32,
    postmaster: Option<u32>,
    before: (f64, f64),
}

impl Meter {
    /// Measures a server process and, if there is one, its PostgreSQL.
    pub(crate) fn start(server: u32, postmaster: Option<u32>) -> Self {
        Self { server, postmaster, before: Self::now(server, postmaster) }
    }

    fn now(server: u32, postmaster: Option<u32>) -> (f64, f64) {
        (processor_seconds(server), postmaster.map_or(0.0, tree_seconds))
    }

    pub(crate) fn stop(self, answers: usize, per_second: f64, p99_us: Option<u64>) -> Cost {
        let now = Self::now(self.server, self.postmaster);
        let each = |now: f64, before: f64| (now - before) * 1e6 / answers as f64;
        let (server_us, database_us) = (each(now.0, self.before.0), each(now.1, self.before.1));
        Cost { server_us, database_us, per_second, p99_us }
    }
}

/// Our costs and those of the limit, by round.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Comparison {
    pub ours: Vec<Cost>,
    pub limit: Vec<Cost>,
}

impl Comparison {
    /// Measures so many rounds; the order changes with each round.
    pub(crate) fn measure(rounds: usize, mut ours: impl FnMut() -> Cost, mut limit: impl FnMut() -> Cost) -> Self {
        let mut taken = Self { ours: Vec::new(), limit: Vec::new() };
        for round in 0..rounds {
            if round.is_multiple_of(2) {
                taken.ours.push(ours());
                taken.limit.push(limit());
            } else {
                taken.limit.push(limit());
                taken.ours.push(ours());
            }
        }
        taken
    }

    /// Returns the ratio of each round, sorted: the processor time of the limit divided by ours or, `by_rate`, our rate
    /// divided by that of the limit.
    pub(crate) fn ratios(&self, by_rate: bool) -> Vec<f64> {
        let ratio = |(ours, limit): (&Cost, &Cost)| {
            if by_rate { ours.per_second / limit.per_second } else { limit.total_us() / ours.total_us() }
        };
        let mut ratios: Vec<f64> = self.ours.iter().zip(&self.limit).map(ratio).collect();
        ratios.sort_by(f64::total_cmp);
        ratios
    }
}

/// Returns the round in the middle, by processor time.
pub(crate) fn median(costs: &[Cost]) -> Cost {
    let mut costs = costs.to_vec();
    costs.sort_by(|a, b| a.total_us().total_cmp(&b.total_us()));
    costs[costs.len() / 2]
}
