//! Metrics for Prometheus (`/metrics`).
//!
//! Counted by `http`, the operations and the workers; read by `http::MetricsServer`. Counters belong to this replica;
//! gauges of the database are queried for each scrape. No label identifies a partner or a card. `register.rs` lists every
//! metric. The only module that uses prometheus_client.

mod register;

use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

use prometheus_client::encoding::{EncodeLabelSet, text};
use prometheus_client::metrics::counter::{ConstCounter, Counter};
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::{ConstGauge, Gauge};
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::metrics::info::Info;
use prometheus_client::registry::Registry;
use tokio::time::Instant;

use super::WorkerLog;
use crate::base::{ProcessUse, Timestamp, text_enum};
use crate::media::MediaObserver;
use crate::model::MailKind;
use crate::store::{MailBacklog, Outbox, PoolUse};

pub use self::register::metrics_reference;

/// The metrics of the process.
#[derive(Debug)]
pub struct Metrics {
    requests: Family<RequestLabels, Counter>,
    request_seconds: Family<Labels<1>, Histogram, fn() -> Histogram>,
    cost: Histogram,
    replays: Counter,
    attempts: Family<Labels<1>, Counter>,
    lag_seconds: Histogram,
    photos: Family<Labels<1>, Counter>,
    mails: Family<Labels<2>, Counter>,
    mail_seconds: Histogram,
    pages: Family<PageLabels, Counter>,
    page_seconds: Family<Labels<1>, Histogram, fn() -> Histogram>,
    object_store: Family<Labels<2>, Counter>,
    object_store_seconds: Family<Labels<1>, Histogram, fn() -> Histogram>,
    workers: Arc<WorkerLog>,
}

/// The result of an attempt to send a mail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MailOutcome {
    /// The mail server accepted it.
    Sent,
    /// Written into the data folder, because no mail server is configured.
    Written,
    /// It failed and is tried again later.
    Retried,
    /// The mail server refused it for good.
    Refused,
    /// Its last attempt failed.
    GivenUp,
}

text_enum!(MailOutcome {
    Sent => "sent",
    Written => "written",
    Retried => "retried",
    Refused => "refused",
    GivenUp => "given_up",
});

/// Names and values of labels.
type Labels<const N: usize> = [(&'static str, &'static str); N];

/// The labels of a request to the partner API.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
pub struct RequestLabels {
    /// The version of the API, as in the path.
    pub version: &'static str,
    /// `query`, `mutation`, or `none` for a request that was refused before it was parsed.
    pub operation: &'static str,
    /// The error code, or `OK`.
    pub code: &'static str,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct PageLabels {
    route: &'static str,
    status: u16,
}

/// The limit of the service level, 0.25 s, is one of them, so that the share of slow requests can be counted.
const SECONDS: [f64; 12] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0];
const LAG_SECONDS: [f64; 10] = [0.01, 0.05, 0.1, 0.5, 1.0, 5.0, 60.0, 600.0, 7_200.0, 86_400.0];
const POINTS: [f64; 9] = [1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 250.0, 1_000.0];

impl Default for Metrics {
    fn default() -> Self {
        Self {
            requests: Family::default(),
            request_seconds: Family::new_with_constructor(seconds),
            cost: Histogram::new(POINTS),
            replays: Counter::default(),
            attempts: Family::default(),
            lag_seconds: Histogram::new(LAG_SECONDS),
            photos: Family::default(),
            mails: mails_at_zero(),
            mail_seconds: seconds(),
            pages: Family::default(),
            page_seconds: Family::new_with_constructor(seconds),
            object_store: Family::default(),
            object_store_seconds: Family::new_with_constructor(seconds),
            workers: Arc::default(),
        }
    }
}

fn seconds() -> Histogram {
    Histogram::new(SECONDS)
}

fn mail_labels(kind: MailKind, outcome: MailOutcome) -> Labels<2> {
    [("kind", kind.as_str()), ("outcome", outcome.as_str())]
}

/// Returns all counters of mails at 0: an alert on an increase needs a value before the first mail.
fn mails_at_zero() -> Family<Labels<2>, Counter> {
    let mails = Family::<Labels<2>, Counter>::default();
    for kind in MailKind::ALL {
        for outcome in MailOutcome::ALL {
            let _ = mails.get_or_create(&mail_labels(kind, outcome));
        }
    }
    mails
}

impl Metrics {
    /// Counts a request to the partner API.
    pub fn request(&self, labels: RequestLabels, cost: Option<u32>, replayed: bool, took: Duration) {
        self.requests.get_or_create(&labels).inc();
        let operation = [("operation", labels.operation)];
        self.request_seconds.get_or_create(&operation).observe(took.as_secs_f64());
        if let Some(points) = cost {
            self.cost.observe(points.into());
        }
        if replayed {
            self.replays.inc();
        }
    }

    /// Counts a request for a page, an asset or a picture.
    pub fn page(&self, route: &'static str, status: u16, took: Duration) {
        self.pages.get_or_create(&PageLabels { route, status }).inc();
        self.page_seconds.get_or_create(&[("route", route)]).observe(took.as_secs_f64());
    }

    /// Returns what counts the requests to the object store.
    pub fn media_observer(&self) -> MediaObserver {
        let (requests, seconds) = (self.object_store.clone(), self.object_store_seconds.clone());
        Arc::new(move |operation, is_ok, took| {
            let outcome = if is_ok { "ok" } else { "failed" };
            requests.get_or_create(&[("operation", operation), ("outcome", outcome)]).inc();
            seconds.get_or_create(&[("operation", operation)]).observe(took.as_secs_f64());
        })
    }

    /// Returns the log of the workers' steps.
    pub fn worker_log(&self) -> &Arc<WorkerLog> {
        &self.workers
    }

    /// Counts an attempt to deliver a notification.
    pub fn attempt(&self, outcome: &'static str) {
        self.attempts.get_or_create(&[("outcome", outcome)]).inc();
    }

    /// Records the time between an event and its delivery.
    pub fn count_delivery(&self, lag: Duration) {
        self.lag_seconds.observe(lag.as_secs_f64());
    }

    /// Counts a portrait that a partner supplied.
    pub fn photo(&self, outcome: &'static str) {
        self.photos.get_or_create(&[("outcome", outcome)]).inc();
    }

    /// Records the duration of a transfer to the mail server.
    pub fn mail_transfer(&self, took: Duration) {
        self.mail_seconds.observe(took.as_secs_f64());
    }

    /// Counts an attempt to send a mail.
    pub fn mail(&self, kind: MailKind, outcome: MailOutcome) {
        self.mails.get_or_create(&mail_labels(kind, outcome)).inc();
    }
}

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

impl Metrics {
    /// Returns all metrics in the OpenMetrics text format.
    pub fn text(&self, scrape: &Scrape) -> String {
        let mut registry = Registry::default();
        let r = &mut registry;
        self.export_counters(r);
        self.export_workers(r, scrape.now);
        export_database(r, scrape);
        export_process(r, scrape.process);

        let checks = Family::<Labels<1>, Gauge>::default();
        for (name, passes) in &scrape.checks {
            checks.get_or_create(&[("name", *name)]).set(i64::from(*passes));
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
        let steps = Family::<Labels<2>, Counter>::default();
        let last = Family::<Labels<1>, Gauge<f64, AtomicU64>>::default();
        for (worker, record) in self.workers.workers() {
            for (outcome, count) in [("ok", record.completed), ("failed", record.failed)] {
                steps.get_or_create(&[("worker", worker), ("outcome", outcome)]).inc_by(count);
            }
            let age = Instant::now().saturating_duration_since(record.succeeded);
            last.get_or_create(&[("worker", worker)]).set(now.before(age).millis() as f64 / 1_000.0);
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
    if let Some(backlog) = scrape.mails {
        register::MAILS_QUEUED.export(r, ConstGauge::new(backlog.queued));
        register::MAIL_WAITING.export(r, ConstGauge::new(age(backlog.waiting_since())));
    }
    if let Some(PoolUse { max, open, idle }) = scrape.pool {
        let connections = Family::<Labels<1>, Gauge>::default();
        for (state, count) in [("max", max), ("open", open), ("idle", idle)] {
            let count = i64::try_from(count).unwrap_or(i64::MAX);
            connections.get_or_create(&[("state", state)]).set(count);
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
