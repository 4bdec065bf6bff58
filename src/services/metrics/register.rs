//! The register of all metrics. Only its entries can be exported; `docs/metrics.md` is written from it.

use std::fmt::Write as _;

use prometheus_client::registry::{Metric, Registry, Unit};

/// A metric that can be exported.
#[derive(Debug)]
pub(super) struct Definition {
    /// The name without its unit and the ending of its kind.
    name: &'static str,
    kind: Kind,
    in_seconds: bool,
    labels: &'static [&'static str],
    help: &'static str,
}

/// The kind of a metric.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Counter,
    Gauge,
    Histogram,
    Info,
}

impl Definition {
    /// Exports the values of this metric.
    pub(super) fn export(&'static self, registry: &mut Registry, metric: impl Metric) {
        match self.in_seconds {
            true => registry.register_with_unit(self.name, self.help, Unit::Seconds, metric),
            false => registry.register(self.name, self.help, metric),
        }
    }

    /// Returns the name in a query; of a histogram without its ending.
    fn exported_name(&self) -> String {
        let unit = if self.in_seconds { "_seconds" } else { "" };
        let ending = match self.kind {
            Kind::Counter => "_total",
            Kind::Info => "_info",
            Kind::Gauge | Kind::Histogram => "",
        };
        format!("{}{unit}{ending}", self.name)
    }
}

/// Defines each metric as a static of its name, and the list of all.
macro_rules! metrics {
    ($($group:literal { $($id:ident = $kind:ident $name:literal $($unit:ident)? [$($label:literal),*] $help:literal;)* })*) => {
        $($(pub(super) static $id: Definition = Definition {
            name: $name,
            kind: Kind::$kind,
            in_seconds: metrics!(@unit $($unit)?),
            labels: &[$($label),*],
            help: $help,
        };)*)*
        /// All metrics by group, in the order of the documentation.
        static GROUPS: &[(&str, &[&Definition])] = &[$(($group, &[$(&$id),*])),*];
    };
    (@unit) => { false };
    (@unit seconds) => { true };
}

metrics! {
    "The partner API" {
        REQUESTS = Counter "card_service_requests" ["version", "operation", "code"]
            "Requests to the partner API; the code is OK or the code of the error";
        REQUEST_SECONDS = Histogram "card_service_request_duration" seconds ["operation"]
            "Duration of requests to the partner API";
        COST = Histogram "card_service_query_cost_points" []
            "Cost of requests in points of the rate limit";
        REPLAYS = Counter "card_service_replays" []
            "Stored answers that were sent again for an Idempotency-Key";
    }
    "Pages" {
        PAGE_REQUESTS = Counter "card_service_page_requests" ["route", "status"]
            "Requests for pages, their assets and pictures, and for unknown paths";
        PAGE_SECONDS = Histogram "card_service_page_duration" seconds ["route"]
            "Duration of these requests until the head of the response";
    }
    "Webhooks" {
        ATTEMPTS = Counter "card_service_delivery_attempts" ["outcome"]
            "Attempts to deliver a notification";
        LAG_SECONDS = Histogram "card_service_delivery_lag" seconds []
            "Time from an event to the delivery of its notification";
        OUTBOX = Gauge "card_service_outbox_deliveries" []
            "Notifications that are not delivered yet; of the database, so the same at every replica";
        OUTBOX_OVERDUE = Gauge "card_service_outbox_overdue" seconds []
            "How long the longest due notification has waited for its attempt; of the database";
    }
    "Mail" {
        MAILS = Counter "card_service_mails" ["kind", "outcome"]
            "Attempts to send a mail";
        MAIL_SECONDS = Histogram "card_service_mail_duration" seconds []
            "Duration of one transfer to the mail server";
        MAILS_QUEUED = Gauge "card_service_mails_queued" []
            "Mails that are not sent yet; of the database";
        MAIL_WAITING = Gauge "card_service_mail_waiting" seconds []
            "How long the oldest mail has waited of which an attempt failed, or that is due; of the database";
    }
    "Pictures" {
        PHOTOS = Counter "card_service_photos" ["outcome"]
            "Portraits that partners supplied";
        OBJECT_STORE_REQUESTS = Counter "card_service_object_store_requests" ["operation", "outcome"]
            "Requests to the object store, also by its check; a missing object is ok";
        OBJECT_STORE_SECONDS = Histogram "card_service_object_store_duration" seconds ["operation"]
            "Duration of requests to the object store";
    }
    "Workers" {
        WORKER_STEPS = Counter "card_service_worker_steps" ["worker", "outcome"]
            "Steps of the background workers of this replica";
        WORKER_LAST_STEP = Gauge "card_service_worker_last_step_timestamp" seconds ["worker"]
            "When a worker last completed a step, or started, in Unix time";
    }
    "Health" {
        CHECK = Gauge "card_service_check" ["name"]
            "1 while a check passes and 0 while it fails; absent where it does not apply (docs/checks.md)";
        DATABASE_UP = Gauge "card_service_database_up" []
            "1 while the database answers";
        CONNECTIONS = Gauge "card_service_database_connections" ["state"]
            "Connections of the pool to PostgreSQL: max, open and idle; absent on SQLite";
        CERTIFICATE_EXPIRES = Gauge "card_service_tls_certificate_expires_timestamp" seconds []
            "When the TLS certificate of the server expires, in Unix time; absent without TLS";
        BACKUP_DRILLED = Gauge "card_service_backup_drilled_timestamp" seconds []
            "When a backup was last restored and read by a drill, in Unix time; 0 if never; of the database";
        DISK_FREE = Gauge "card_service_disk_free_bytes" []
            "Free bytes on the disk of DATA_DIR";
        BUILD = Info "card_service_build" ["version", "database"]
            "1; the labels name the release and the kind of the database";
    }
    "The process" {
        PROCESS_CPU = Counter "process_cpu" seconds []
            "Processor time since the start";
        PROCESS_MEMORY = Gauge "process_resident_memory_bytes" []
            "Physical memory in use";
        PROCESS_FILES = Gauge "process_open_fds" []
            "Open file descriptors";
        PROCESS_FILES_MAX = Gauge "process_max_fds" []
            "Limit of open file descriptors";
        PROCESS_START = Gauge "process_start_time" seconds []
            "Start of the process, in Unix time";
    }
}

const HEAD: &str = "# Metrics

Written from the register in `src/services/metrics/register.rs`; `UPDATE_DOCS=1 cargo test --workspace --all-features --test \
conformance documents` updates it, and a test fails when it is not current. A metric that is not in the register cannot be \
exported.

`/metrics` at METRICS_LISTEN answers in the OpenMetrics format. Counters and histograms count for the replica, from its start; a \
metric marked *of the database* is read at each scrape, so take its maximum over the replicas, not its sum. No label identifies a \
partner, a card or a person. A histogram has `_bucket`, `_sum` and `_count`; the histograms of requests have a bucket at 0.25 s, the \
limit of the service level.
";

/// Returns the text of `docs/metrics.md`.
pub fn metrics_reference() -> String {
    let mut text = String::from(HEAD);
    for (group, metrics) in GROUPS {
        let _ = write!(text, "\n## {group}\n\n| metric | kind | labels | meaning |\n|---|---|---|---|\n");
        for metric in *metrics {
            let kind = match metric.kind {
                Kind::Counter => "counter",
                Kind::Gauge => "gauge",
                Kind::Histogram => "histogram",
                Kind::Info => "info",
            };
            let labels = metric.labels.iter().map(|label| format!("`{label}`")).collect::<Vec<_>>().join(", ");
            let _ = writeln!(text, "| `{}` | {kind} | {labels} | {} |", metric.exported_name(), metric.help);
        }
    }
    text
}
