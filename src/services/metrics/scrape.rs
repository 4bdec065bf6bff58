//! The text of `/metrics`: the counters of the process, and the gauges that are read at each scrape.

use std::sync::atomic::AtomicU64;

use prometheus_client::encoding::{EncodeLabelSet, text};
use prometheus_client::metrics::counter::{ConstCounter, Counter};
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::{ConstGauge, Gauge};
use prometheus_client::metrics::info::Info;
use prometheus_client::registry::Registry;
use tokio::time::Instant;

use super::{Metrics, register};
use crate::base::{ProcessUse, Timestamp};
use crate::store::{MailBacklog, Outbox, PoolUse};

/// The gauges of one scrape. `None` is left out.
#[derive(Debug)]
pub struct Scrape {
    /// The time of the scrape.
    pub now: Timestamp,
    /// The results of the checks that could be made, by name.
    pub checks: Vec<(&'static str, bool)>,
    /// `None` while the database does not answer.
    pub outbox: Option<Outbox>,
    /// `None` while the database does not answer.
    pub mails: Option<MailBacklog>,
    /// `None` on SQLite.
    pub pool: Option<PoolUse>,
    /// When the certificate expires; `None` without TLS.
    pub certificate: Option<Timestamp>,
    /// The time of the last good drill of a backup; `Some(None)` if there was none.
    pub drilled: Option<Option<Timestamp>>,
    /// Free bytes on the disk of the data folder.
    pub disk_free: Option<u64>,
    /// The resources of the process.
    pub process: Option<ProcessUse>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct StateLabels {
    state: &'static str,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct NameLabels {
    name: &'static str,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct WorkerLabels {
    worker: &'static str,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct WorkerStepLabels {
    worker: &'static str,
    outcome: &'static str,
}

impl Metrics {
    /// Returns all metrics in the OpenMetrics text format.
    pub fn text(&self, scrape: &Scrape) -> String {
        let mut registry = Registry::default();
        let r = &mut registry;
        self.export_counters(r);
        self.export_workers(r, scrape.now);
        export_database(r, scrape);
        export_process(r, scrape.process);

        let checks = Family::<NameLabels, Gauge>::default();
        for (name, passes) in &scrape.checks {
            checks.get_or_create(&NameLabels { name }).set(i64::from(*passes));
        }
        register::CHECK.export(r, checks);
        if let Some(end) = scrape.certificate {
            register::CERTIFICATE_EXPIRES.export(r, ConstGauge::new(end.millis() as f64 / 1_000.0));
        }
        if let Some(drilled) = scrape.drilled {
            let at = drilled.map_or(0.0, |at| at.millis() as f64 / 1_000.0);
            register::BACKUP_DRILLED.export(r, ConstGauge::new(at));
        }
        if let Some(free) = scrape.disk_free {
            register::DISK_FREE.export(r, ConstGauge::new(free));
        }
        let database = if scrape.pool.is_some() { "postgres" } else { "sqlite" };
        register::BUILD.export(r, Info::new([("version", env!("CARGO_PKG_VERSION")), ("database", database)]));

        let mut written = String::new();
        text::encode(&mut written, &registry).expect("a string takes all");
        written
    }

    fn export_counters(&self, r: &mut Registry) {
        register::REQUESTS.export(r, self.requests.clone());
        register::REQUEST_SECONDS.export(r, self.request_seconds.clone());
        register::COST.export(r, self.cost.clone());
        register::REPLAYS.export(r, self.replays.clone());
        register::PAGE_REQUESTS.export(r, self.pages.clone());
        register::PAGE_SECONDS.export(r, self.page_seconds.clone());
        register::ATTEMPTS.export(r, self.attempts.clone());
        register::LAG_SECONDS.export(r, self.lag_seconds.clone());
        register::PHOTOS.export(r, self.photos.clone());
        register::OBJECT_STORE_REQUESTS.export(r, self.object_store.clone());
        register::OBJECT_STORE_SECONDS.export(r, self.object_store_seconds.clone());
        register::MAILS.export(r, self.mails.clone());
        register::MAIL_SECONDS.export(r, self.mail_seconds.clone());
    }

    fn export_workers(&self, r: &mut Registry, now: Timestamp) {
        let steps = Family::<WorkerStepLabels, Counter>::default();
        let last = Family::<WorkerLabels, Gauge<f64, AtomicU64>>::default();
        for (worker, record) in self.workers.workers() {
            for (outcome, count) in [("ok", record.completed), ("failed", record.failed)] {
                steps.get_or_create(&WorkerStepLabels { worker, outcome }).inc_by(count);
            }
            let age = Instant::now().saturating_duration_since(record.succeeded);
            last.get_or_create(&WorkerLabels { worker }).set(now.before(age).millis() as f64 / 1_000.0);
        }
        register::WORKER_STEPS.export(r, steps);
        register::WORKER_LAST_STEP.export(r, last);
    }
}

fn export_database(r: &mut Registry, scrape: &Scrape) {
    let age = |since: Option<Timestamp>| {
        since.map_or(0.0, |since| (scrape.now.millis() - since.millis()).max(0) as f64 / 1_000.0)
    };
    register::DATABASE_UP.export(r, ConstGauge::new(i64::from(scrape.outbox.is_some())));
    if let Some(Outbox { unfinished, due_since }) = scrape.outbox {
        register::OUTBOX.export(r, ConstGauge::new(unfinished));
        register::OUTBOX_OVERDUE.export(r, ConstGauge::new(age(due_since)));
    }
    if let Some(MailBacklog { queued, waiting_since }) = scrape.mails {
        register::MAILS_QUEUED.export(r, ConstGauge::new(queued));
        register::MAIL_WAITING.export(r, ConstGauge::new(age(waiting_since)));
    }
    if let Some(PoolUse { max, open, idle }) = scrape.pool {
        let connections = Family::<StateLabels, Gauge>::default();
        for (state, count) in [("max", max), ("open", open), ("idle", idle)] {
            let count = i64::try_from(count).unwrap_or(i64::MAX);
            connections.get_or_create(&StateLabels { state }).set(count);
        }
        register::CONNECTIONS.export(r, connections);
    }
}

fn export_process(r: &mut Registry, process: Option<ProcessUse>) {
    let Some(process) = process else { return };
    register::PROCESS_CPU.export(r, ConstCounter::new(process.cpu_seconds));
    register::PROCESS_MEMORY.export(r, ConstGauge::new(process.resident_bytes));
    register::PROCESS_FILES.export(r, ConstGauge::new(process.open_files));
    register::PROCESS_FILES_MAX.export(r, ConstGauge::new(process.open_files_max));
    register::PROCESS_START.export(r, ConstGauge::new(process.started_at_seconds));
}
