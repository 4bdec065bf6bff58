//! The HTTP server: connections, routing, and the handlers of the API (specification, sections 4, 5, 7.3 and 9).
//!
//! Started by `app`. The only owner of hyper besides the demo receiver.
//!
//! - `server` accepts connections and serves each until its `idle_timer` ends it, `connection_table` decides which to close for a
//!   new one, and `tls` holds the certificate. `operator` has the servers for the operator.
//! - `router` routes a request to its handler, within its time. `partner_api` handles GraphQL requests, with `authentication`,
//!   `throttle`, `content` and `idempotency` as its steps; `version` knows the versions of the API.
//! - `api_error` makes the response of an error; `response_body` sends a response within the memory for all of them.

mod api_error;
mod authentication;
mod connection_table;
mod content;
mod finish_on_drop;
mod health;
mod idempotency;
mod idle_timer;
mod media;
mod operator;
mod partner_api;
mod response_body;
mod router;
mod server;
mod throttle;
mod tls;
mod version;

pub use health::Health;
pub use idempotency::{ClaimGuard, IdempotencyClaims, KeyState};
pub use operator::{AdminServer, MetricsServer};
pub use server::{HttpServer, ListenError};
pub use tls::{Look, Tls, TlsError, TlsFiles};
pub use version::{Versions, version_lives};
