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
    pub store: Store,
    pub clock: Clock,
    pub entropy: Entropy,
    pub outbound: Outbound,
    pub media: MediaStore,
    pub renderer: Renderer,
    pub mailer: Mailer,
    /// The address under which clients reach this service, such as `https://kaarten.example`; without a slash at the end.
    pub public_base: String,
    /// Who puts an ordered card online.
    pub activation: CardActivation,
    /// The folder of GraphiQL, which may not exist.
    pub graphiql: PathBuf,
    /// Uses of the schema that are not written to the database yet.
    pub usage: UsageCounts,
    pub metrics: Metrics,
    pub certificate: CertificateExpiry,
    /// The operator's choices.
    pub policy: Policy,
}
