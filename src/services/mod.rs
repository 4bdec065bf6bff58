//! What every operation works with: the store, the clock, the clients, and what this process counts.
//!
//! Made by `app`; a test passes a manual clock, seeded entropy and servers of its own.

#![warn(missing_docs)]

mod certificate;
mod dependencies;
mod health;
mod metrics;
mod usage_counts;

pub use certificate::CertificateExpiry;
pub use dependencies::Services;
pub use health::{HealthWarning, certificate_warning, health_warnings};
pub use metrics::{MailOutcome, Metrics, RequestLabels};
pub use usage_counts::{UsageCounts, UsageKey};
