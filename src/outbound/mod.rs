//! Outbound HTTP: one guarded client for every URL that a partner supplies.
//!
//! Called by the operations that fetch a portrait or register a webhook, and by the webhook worker; the only module that
//! calls addresses that others give (specification, section 2.11; decisions, sections 7 and 9).
//!
//! Addresses are checked three times: `client` checks each URL and redirect, `guard` checks each name and its addresses, and
//! `client` checks the address of the peer.

mod client;
mod connector;
mod guard;
mod policy;
mod post;
#[cfg(feature = "simulation")]
mod script;
#[cfg(test)]
mod tests;

pub use client::{FetchLimits, Outbound, install_tls_provider};
pub use guard::Names;
pub use policy::{EgressAllowError, EgressPolicy};
pub use post::{CheckError, FetchError, OutboundError, Receipt};
#[cfg(feature = "simulation")]
pub use script::{Answer, Script};
