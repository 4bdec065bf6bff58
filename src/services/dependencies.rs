//! The dependencies of an operation, passed in so that a test can replace them.

use std::path::PathBuf;

use super::{CertificateExpiry, Metrics, UsageCounts};
use crate::base::{Clock, Entropy, Policy};
use crate::mail::Mailer;
use crate::media::{MediaStore, Renderer};
use crate::model::CardActivation;
use crate::outbound::Outbound;
use crate::store::Store;

/// The services of the process, shared by all requests and workers.
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
    /// Uses of the schema that are not written to the database yet.
    pub usage: UsageCounts,
    /// What `/metrics` answers.
    pub metrics: Metrics,
    /// When the TLS certificate of the server expires.
    pub certificate: CertificateExpiry,
    /// The operator's choices.
    pub policy: Policy,
}
