//! The two contenders: the real server and the hand-written one, each on its own database of the same content.

use std::cell::Cell;
use std::time::Duration;

use tempfile::NamedTempFile;

use crate::Options;
use crate::comparison::{Comparison, Cost, Meter};
use crate::database::Database;
use crate::load;
use crate::process::{Process, on_first_core};
use crate::workload::{Workload, masked};

pub(crate) struct Pair {
    pub ours: Contender,
    pub limit: Contender,
    postmaster: Option<u32>,
    _introspection: NamedTempFile,
}

pub(crate) struct Contender {
    // Dropped in this order.
    pub process: Process,
    database: Database,
    /// The number of the next request.
    pub next: Cell<usize>,
}

impl Contender {
    fn new(process: Process, database: Database) -> Self {
        Self { process, database, next: Cell::new(0) }
    }

    pub(crate) fn request(&self, workload: Workload) -> impl Fn(usize) -> Vec<u8> + use<> {
        workload.requests(&self.database.token, self.database.cards)
    }

    /// Sends the n-th request; returns the body of the answer.
    fn once(&self, workload: Workload, n: usize) -> Vec<u8> {
        self.next.set(n + 1);
        load::once(self.process.address, &self.request(workload)(n))
    }

    fn round(&self, workload: Workload, connections: usize, time: Duration, postmaster: Option<u32>) -> Cost {
        let request = self.request(workload);
        let meter = Meter::start(self.process.id(), postmaster);
        let start = workload.answer_start();
        let outcome = load::run(self.process.address, connections, time, start, &self.next, request);
        meter.stop(outcome.answers, outcome.rate, Some(outcome.p99_us))
    }
}

impl Pair {
    /// Starts the real server on the database, and the hand-written one on a copy.
    pub(crate) fn start(database: Database, postmaster: Option<u32>) -> Self {
        let copy = database.copy();
        let ours = Contender::new(database.serve(), database);
        let introspection = NamedTempFile::new().expect("a file");
        std::fs::write(introspection.path(), ours.once(Workload::Introspection, 0)).expect("it can be written");
        let own = std::env::current_exe().expect("this program has a path");
        let mut command = on_first_core(own.to_str().expect("a UTF-8 path"));
        command.args(["hand-written", &copy.url, &copy.partner]).arg(introspection.path());
        let limit = Contender::new(Process::start(&mut command), copy);
        Self { ours, limit, postmaster, _introspection: introspection }
    }

    pub(crate) fn cards(&self) -> usize {
        self.ours.database.cards
    }

    /// Asserts that both answer the same bytes, except for the ids and times of new cards.
    pub(crate) fn require_equal_answers(&self, workload: Workload) {
        let n = self.ours.next.get().max(self.limit.next.get());
        let (ours, limit) = (self.ours.once(workload, n), self.limit.once(workload, n));
        assert_eq!(masked(workload, &ours), masked(workload, &limit), "{}", workload.name());
    }

    /// Measures both in turn, after a shorter round that is not counted.
    pub(crate) fn compare(&self, workload: Workload, options: &Options) -> Comparison {
        let time = Duration::from_secs_f64(options.seconds);
        let round = |contender: &Contender, time| contender.round(workload, options.connections, time, self.postmaster);
        round(&self.ours, time / 2);
        round(&self.limit, time / 2);
        Comparison::measure(options.rounds, || round(&self.ours, time), || round(&self.limit, time))
    }

    /// Returns the peaks of resident memory so far, ours and the limit's.
    pub(crate) fn peak_mb(&self) -> (f64, f64) {
        (self.ours.process.peak_mb(), self.limit.process.peak_mb())
    }
}
