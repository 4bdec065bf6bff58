//! What every operation works with: the store, the clock, the clients, and what this process counts.
//!
//! Made by `app`; a test passes a manual clock, seeded entropy and servers of its own.

#![warn(missing_docs)]

mod certificate;
mod check;
mod dependencies;
mod metrics;
mod usage_counts;
mod worker_log;

pub use certificate::CertificateExpiry;
pub use check::{
    Audience, CHECKS, Check, Checked, Checks, Outcome, Severity, certificate_problem, check_alerts, check_runbook,
};
pub use dependencies::Services;
pub use metrics::{MailOutcome, Metrics, RequestLabels, Scrape, metrics_reference};
pub use usage_counts::{UsageCounts, UsageKey};
pub use worker_log::{WorkerLog, WorkerSteps};
