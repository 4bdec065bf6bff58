//! The service's way out: one guarded HTTP client for every address that somebody else gave.
//!
//! Called by the operations that fetch a portrait or register a webhook, and by the webhook worker; the only place that names reqwest
//! (specification, section 2.11; decisions, sections 7 and 9).
//!
//! The guard stands at three doors: `client` checks each address and redirect, `guard` checks each name and what it
//! resolves to and hands on nothing else, and `client` checks once more whom it really spoke to.

mod address;
mod client;
mod collector;
mod failure;
mod guard;
mod host;
mod names;
mod policy;
mod post;
#[cfg(test)]
pub(crate) mod test_server;
#[cfg(test)]
mod tests;
mod tls;

pub use client::{FetchLimits, Outbound};
pub use collector::Collector;
pub use failure::{CheckError, FetchError, OutboundError};
pub use names::Names;
pub use policy::{EgressAllowError, EgressPolicy};
pub use post::Receipt;
pub use tls::install_tls_provider;
