//! The dependencies of operations: the store, the clock, the clients, and the counters of this process.
//!
//! Made by `app`; a test passes a manual clock, seeded entropy and its servers.

#![warn(missing_docs)]

mod check;
mod metrics;
mod usage_counts;
mod worker_log;

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use crate::base::{ByteBudget, Clock, Entropy, Policy, Timestamp};
use crate::mail::Mailer;
use crate::media::{MediaStore, Renderer};
use crate::model::{AuditEntry, AuditWords, CardActivation};
use crate::outbound::Outbound;
use crate::store::Store;

pub use check::{
    Audience, CHECKS, Check, Checked, Checks, Outcome, Severity, certificate_problem, check_alerts, check_runbook,
};
pub use metrics::{MailOutcome, Metrics, RequestLabels, Scrape, metrics_reference};
pub use usage_counts::{UsageCounts, UsageKey};
pub use worker_log::{WorkerLog, WorkerSteps};

/// The services of the process, shared by all requests and workers. A clone shares them too.
#[derive(Clone)]
pub struct Services {
    /// The database.
    pub store: Store,
    /// The only source of the current time.
    pub clock: Clock,
    /// The only source of ids, tokens and jitter.
    pub entropy: Entropy,
    /// The client for addresses that partners supply.
    pub outbound: Outbound,
    /// The object store of portraits and theme images.
    pub media: MediaStore,
    /// Decodes photos in other processes.
    pub renderer: Renderer,
    /// Sends mails, or writes them into the data folder.
    pub mailer: Mailer,
    /// The address under which clients reach this service, such as `https://kaarten.example`; without a slash at the end.
    pub public_base: String,
    /// Who puts an ordered card online.
    pub activation: CardActivation,
    /// The folder of the files of this machine; GraphiQL may be in it.
    pub data_dir: PathBuf,
    /// The memory of portraits on their way from the hosts of partners to the object store.
    pub photo_bytes: ByteBudget,
    /// Uses of the schema that are not written to the database yet.
    pub usage: Arc<UsageCounts>,
    /// The metrics of `/metrics`.
    pub metrics: Arc<Metrics>,
    /// When the TLS certificate of the server expires.
    pub certificate: Arc<CertificateExpiry>,
    /// The operator's choices.
    pub policy: Policy,
}

impl Services {
    /// Returns services whose writes add one record of a command of the operator: the first write adds it.
    pub fn with_audit(&self, actor: String, words: AuditWords, subject: String) -> Self {
        let AuditWords { command, fields } = words;
        let at = self.clock.now();
        let entry = AuditEntry { id: self.entropy.uuid(at), at, actor, command, subject, fields };
        Self { store: self.store.with_audit(entry), ..self.clone() }
    }
}

/// When the current certificate expires; `None` without TLS.
#[derive(Debug, Default)]
pub struct CertificateExpiry(Mutex<Option<Timestamp>>);

impl CertificateExpiry {
    /// Records the expiry of a certificate that was loaded.
    pub fn set(&self, not_after: Timestamp) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(not_after);
    }

    /// Returns the expiry of the current certificate; `None` without TLS.
    pub fn not_after(&self) -> Option<Timestamp> {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
