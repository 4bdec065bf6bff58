//! The front door: connections, routes, and the walk of a partner request (specification, sections 4, 5, 7.3 and 9).
//!
//! Called by `app`, which assembles the services and starts the server. The only place that names hyper.

mod accept;
mod answer;
mod answer_body;
mod api_error;
mod app_state;
mod authentication;
mod body;
mod budget;
mod connection;
mod connection_table;
mod health;
mod idempotency;
mod idle_timer;
mod media;
mod metrics;
mod page;
mod partner_api;
mod prepare;
mod request_head;
mod route;
mod router;
mod server;
mod throttle;
mod timeout;
mod tls;
mod version;

pub use health::Health;
pub use metrics::MetricsServer;
pub use server::{HttpServer, ListenError};
pub use tls::{Look, Tls, TlsError, TlsFiles};
pub use version::{Versions, released};
