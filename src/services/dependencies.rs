//! What every operation works with: the world outside, handed in, so that a test can hand in another one.

use std::path::PathBuf;

use super::usage::UsageCounts;
use super::{CertificateExpiry, Metrics};
use crate::base::{Clock, Entropy, Policy};
use crate::mail::Mailer;
use crate::media::{MediaStore, Renderer};
use crate::model::CardActivation;
use crate::outbound::Outbound;
use crate::store::Store;

/// The services of the process; one for all requests.
pub struct Services {
    pub store: Store,
    pub clock: Clock,
    pub entropy: Entropy,
    pub outbound: Outbound,
    pub media: MediaStore,
    pub renderer: Renderer,
    pub mailer: Mailer,
    /// Where the world reaches this service, such as `https://kaarten.example`; without a slash at the end.
    pub public_base: String,
    /// Who puts an ordered card online.
    pub activation: CardActivation,
    /// Where GraphiQL lies, if it is installed.
    pub graphiql: PathBuf,
    /// What partners used of the schema since it was last written.
    pub usage: UsageCounts,
    /// What is counted for Prometheus.
    pub figures: Metrics,
    /// Until when others trust the front door, where it speaks TLS.
    pub certificate: CertificateExpiry,
    /// What the operator chose where the decisions leave it open.
    pub policy: Policy,
}
