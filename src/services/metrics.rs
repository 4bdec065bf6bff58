//! Metrics for Prometheus (`/metrics`).
//!
//! Counted by `http`, the operations and the workers; read by `http::MetricsServer`. Counters belong to this replica;
//! gauges of the database are queried for each scrape. No label identifies a partner or a card.
//! The only module that uses prometheus_client.

use std::time::Duration;

use prometheus_client::encoding::{EncodeLabelSet, text};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::ConstGauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::{Registry, Unit};

use crate::base::{Timestamp, text_enum};
use crate::model::MailKind;
use crate::store::{MailBacklog, Outbox, PoolUse};

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
struct StateLabels {
    state: &'static str,
}

const SECONDS: [f64; 12] = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1.0, 5.0, 30.0];
const LAG_SECONDS: [f64; 10] = [0.01, 0.05, 0.1, 0.5, 1.0, 5.0, 60.0, 600.0, 7_200.0, 86_400.0];
const POINTS: [f64; 9] = [1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 250.0, 1_000.0];

impl Default for Metrics {
    fn default() -> Self {
        Self {
            requests: Family::default(),
            request_seconds: Family::new_with_constructor(|| Histogram::new(SECONDS)),
            cost: Histogram::new(POINTS),
            replays: Counter::default(),
            attempts: Family::default(),
            lag_seconds: Histogram::new(LAG_SECONDS),
            photos: Family::default(),
            mails: mails_at_zero(),
        }
    }
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

    /// Counts an attempt to send a mail.
    pub fn mail(&self, kind: MailKind, outcome: MailOutcome) {
        self.mails.get_or_create(&MailLabels { kind: kind.as_str(), outcome: outcome.as_str() }).inc();
    }

    /// Returns all metrics in the OpenMetrics text format. `outbox` and `mails` are `None` while the database does not answer,
    /// `certificate` without TLS. `drilled` is the time of the last good drill of a backup; `Some(None)` if there was none.
    pub fn text(
        &self,
        outbox: Option<Outbox>,
        mails: Option<MailBacklog>,
        pool: Option<PoolUse>,
        certificate: Option<Timestamp>,
        drilled: Option<Option<Timestamp>>,
        now_ms: i64,
    ) -> String {
        let mut registry = Registry::with_prefix("card_service");
        let r = &mut registry;
        r.register("requests", "Requests to the partner API", self.requests.clone());
        let help = "How long they took";
        r.register_with_unit("request_duration", help, Unit::Seconds, self.request_seconds.clone());
        r.register("query_cost_points", "What they asked for, in points of the rate limit", self.cost.clone());
        r.register("replays", "Answers that were remembered and sent again", self.replays.clone());
        r.register("delivery_attempts", "Attempts to deliver a notification, by outcome", self.attempts.clone());
        let help = "How long after its cause a notification was delivered";
        r.register_with_unit("delivery_lag", help, Unit::Seconds, self.lag_seconds.clone());
        r.register("photos", "Portraits that partners supplied, by outcome", self.photos.clone());
        r.register("mails", "Attempts to send a mail, by kind and outcome", self.mails.clone());
        if let Some(MailBacklog { queued, waiting_since }) = mails {
            r.register("mails_queued", "Mails that are not sent yet", ConstGauge::new(queued));
            let age = waiting_since.map_or(0.0, |since| (now_ms - since.millis()).max(0) as f64 / 1_000.0);
            let help = "How long the oldest mail has waited of which an attempt failed, or that is due";
            r.register_with_unit("mail_waiting", help, Unit::Seconds, ConstGauge::new(age));
        }
        r.register("database_up", "Whether the database answers", ConstGauge::new(i64::from(outbox.is_some())));
        if let Some(Outbox { unfinished, due_since }) = outbox {
            r.register("outbox_deliveries", "Notifications that are not delivered yet", ConstGauge::new(unfinished));
            let age = due_since.map_or(0.0, |due| (now_ms - due.millis()).max(0) as f64 / 1_000.0);
            let help = "How long the longest due notification has waited for its attempt";
            r.register_with_unit("outbox_overdue", help, Unit::Seconds, ConstGauge::new(age));
        }
        if let Some(PoolUse { max, open, idle }) = pool {
            let connections = Family::<StateLabels, prometheus_client::metrics::gauge::Gauge>::default();
            for (state, count) in [("max", max), ("open", open), ("idle", idle)] {
                let count = i64::try_from(count).unwrap_or(i64::MAX);
                connections.get_or_create(&StateLabels { state }).set(count);
            }
            r.register("database_connections", "Connections to PostgreSQL", connections);
        }
        if let Some(end) = certificate {
            let end = ConstGauge::new(end.millis() as f64 / 1_000.0);
            let help = "When the certificate of the front door ends";
            r.register_with_unit("tls_certificate_expires_timestamp", help, Unit::Seconds, end);
        }
        if let Some(drilled) = drilled {
            let at = ConstGauge::new(drilled.map_or(0.0, |at| at.millis() as f64 / 1_000.0));
            let help = "When a backup was last restored and read by a drill; 0 if never";
            r.register_with_unit("backup_drilled_timestamp", help, Unit::Seconds, at);
        }
        let mut written = String::new();
        text::encode(&mut written, &registry).expect("a string takes all");
        written
    }
}
