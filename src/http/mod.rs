//! The HTTP server: connections, routing, and the handlers of the API (specification, sections 4, 5, 7.3 and 9).
//!
//! Started by `app`. The only owner of hyper besides the demo receiver.
//!
//! - `server` accepts connections, and `connection` serves one. `connection_table` and `idle_timer` decide which to close,
//!   `client` tells clients from proxies, and `tls` holds the certificate. `metrics` and
//!   `admin` are further servers, for the operator.
//! - `router` routes a request to its handler, within the time of `request_timer`. `partner_api` handles GraphQL requests, with `authentication`, `throttle`,
//!   `body`, `prepare` and `idempotency` as its steps; `version` knows the versions of the API.
//! - `api_error`, `accept` and `cost` make the response of the API; `response_body` sends it within the `budget`.

mod accept;
mod admin;
mod api_error;
mod app_state;
mod authentication;
mod body;
mod budget;
mod client;
mod connection;
mod connection_table;
mod cost;
mod health;
mod idempotency;
mod idle_timer;
mod media;
mod metrics;
mod partner_api;
mod prepare;
mod remembered;
mod request_timer;
mod response_body;
mod router;
mod server;
mod throttle;
mod tls;
mod version;

pub use admin::AdminServer;
pub use health::Health;
pub use idempotency::{IdempotencyLocks, KeyLock, KeyState};
pub use metrics::MetricsServer;
pub use server::{HttpServer, ListenError};
pub use tls::{Look, Tls, TlsError, TlsFiles};
pub use version::{Versions, released};
