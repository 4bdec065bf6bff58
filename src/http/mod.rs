//! The front door: connections, routes, and the walk of a partner request (specification, sections 4, 5, 7.3 and 9).
//!
//! Called by `app`, which assembles the services and starts the server. The only place that names hyper.

mod accept;
mod activity;
mod answer;
mod answer_body;
mod arrival;
mod body;
mod budget;
mod connection;
mod connection_table;
mod front;
mod health;
mod idempotency;
mod media;
mod metrics;
mod page;
mod partner_api;
mod prepare;
mod problem;
mod route;
mod router;
mod server;
mod throttle;
mod timeout;
mod tls;
mod token;
mod version;

pub use health::Health;
pub use metrics::MetricsServer;
pub use server::{HttpServer, ListenError};
pub use tls::{Look, Tls, TlsError, TlsFiles};
pub use version::{Versions, released};
