//! Metrics for Prometheus (`/metrics`).
//!
//! Counted by `http`, the operations and the workers; read by `http::MetricsServer`. Counters belong to this replica;
//! gauges of the database are queried for each scrape. No label identifies a partner or a card. `register.rs` lists every
//! metric. The only module that uses prometheus_client.

mod register;
mod scrape;

use std::sync::Arc;
use std::time::Duration;

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::histogram::Histogram;

pub use self::register::metrics_reference;
pub use self::scrape::Scrape;
use super::WorkerLog;
use crate::base::text_enum;
use crate::media::MediaObserver;
use crate::model::MailKind;

/// The metrics of the process.
#[derive(Debug)]
pub struct Metrics {
    requests: Family<RequestLabels, Counter>,
    request_seconds: Family<OperationLabels, Histogram, fn() -> Histogram>,
    cost: Histogram,
    replays: Counter,
    attempts: Family<OutcomeLabels, Counter>,
    lag_seconds: Histogram,
    photos: Family<OutcomeLabels, Counter>,
    mails: Family<MailLabels, Counter>,
    mail_seconds: Histogram,
    pages: Family<PageLabels, Counter>,
    page_seconds: Family<RouteLabels, Histogram, fn() -> Histogram>,
    object_store: Family<ObjectStoreLabels, Counter>,
    object_store_seconds: Family<OperationLabels, Histogram, fn() -> Histogram>,
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

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct MailLabels {
    kind: &'static str,
    outcome: &'static str,
}

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
struct OperationLabels {
    operation: &'static str,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct OutcomeLabels {
    outcome: &'static str,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct PageLabels {
    route: &'static str,
    status: u16,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct RouteLabels {
    route: &'static str,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct ObjectStoreLabels {
    operation: &'static str,
    outcome: &'static str,
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

/// Returns all counters of mails at 0: an alert on an increase needs a value before the first mail.
fn mails_at_zero() -> Family<MailLabels, Counter> {
    let mails = Family::<MailLabels, Counter>::default();
    for kind in MailKind::ALL {
        for outcome in MailOutcome::ALL {
            let _ = mails.get_or_create(&MailLabels { kind: kind.as_str(), outcome: outcome.as_str() });
        }
    }
    mails
}

impl Metrics {
    /// Counts a request to the partner API.
    pub fn request(&self, labels: RequestLabels, cost: Option<u32>, replayed: bool, took: Duration) {
        self.requests.get_or_create(&labels).inc();
        let operation = OperationLabels { operation: labels.operation };
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
        self.page_seconds.get_or_create(&RouteLabels { route }).observe(took.as_secs_f64());
    }

    /// Returns what counts the requests to the object store.
    pub fn media_observer(&self) -> MediaObserver {
        let (requests, seconds) = (self.object_store.clone(), self.object_store_seconds.clone());
        Arc::new(move |operation, is_ok, took| {
            let outcome = if is_ok { "ok" } else { "failed" };
            requests.get_or_create(&ObjectStoreLabels { operation, outcome }).inc();
            seconds.get_or_create(&OperationLabels { operation }).observe(took.as_secs_f64());
        })
    }

    /// Returns the log of the workers' steps.
    pub fn worker_log(&self) -> &Arc<WorkerLog> {
        &self.workers
    }

    /// Counts an attempt to deliver a notification.
    pub fn attempt(&self, outcome: &'static str) {
        self.attempts.get_or_create(&OutcomeLabels { outcome }).inc();
    }

    /// Records the time between an event and its delivery.
    pub fn delivered(&self, lag: Duration) {
        self.lag_seconds.observe(lag.as_secs_f64());
    }

    /// Counts a portrait that a partner supplied.
    pub fn photo(&self, outcome: &'static str) {
        self.photos.get_or_create(&OutcomeLabels { outcome }).inc();
    }

    /// Records the duration of a transfer to the mail server.
    pub fn mail_transfer(&self, took: Duration) {
        self.mail_seconds.observe(took.as_secs_f64());
    }

    /// Counts an attempt to send a mail.
    pub fn mail(&self, kind: MailKind, outcome: MailOutcome) {
        self.mails.get_or_create(&MailLabels { kind: kind.as_str(), outcome: outcome.as_str() }).inc();
    }
}
