//! The metrics server: `/metrics` for Prometheus and health checks with warnings, on an address of its own.
//!
//! Started by `app` if the operator names an address, which the internet must not reach. It has its own limits, so that it
//! and the HTTP server cannot starve each other.

use std::net::SocketAddr;
use std::sync::Arc;

use http::{Method, Request, StatusCode};
use hyper::body::Incoming;
use tokio_util::sync::CancellationToken;

use super::budget::Budget;
use super::connection::Handler;
use super::health::{self, Health};
use super::idle_timer::IdleTimer;
use super::response_body::ResponseBody;
use super::server::{ListenError, Listener};
use crate::base::{FrontLimits, limits};
use crate::operation::backup::BACKUP_DRILL;
use crate::services::Services;
use crate::web::response::{self, Response, ResponseExt as _};

/// The OpenMetrics format.
const FORMAT: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

pub struct MetricsServer(Listener);

struct Metrics {
    services: Arc<Services>,
    health: Arc<Health>,
    response_bytes: Arc<Budget>,
}

impl MetricsServer {
    /// Listens on `address` and starts to accept connections.
    pub async fn start(address: SocketAddr, services: Arc<Services>, health: Arc<Health>) -> Result<Self, ListenError> {
        let limits = FrontLimits {
            connections: limits::METRICS_CONNECTIONS_MAX,
            first_request: limits::METRICS_CONNECTION,
            connection_idle: limits::METRICS_CONNECTION,
            response_stalled: limits::METRICS_CONNECTION,
            ..FrontLimits::default()
        };
        let handler = Arc::new(Metrics { services, health, response_bytes: Budget::new(usize::MAX) });
        Listener::start(address, limits, None, handler, CancellationToken::new()).await.map(Self)
    }

    pub fn address(&self) -> SocketAddr {
        self.0.address()
    }
}

impl Handler for Metrics {
    async fn handle(&self, idle_timer: &Arc<IdleTimer>, request: Request<Incoming>) -> http::Response<ResponseBody> {
        let response = self.respond(request.method(), request.uri().path()).await.for_method(request.method());
        response.map(|content| ResponseBody::new(content, idle_timer, &self.response_bytes, None))
    }
}

impl Metrics {
    async fn respond(&self, method: &Method, path: &str) -> Response {
        if !matches!(*method, Method::GET | Method::HEAD) {
            return response::plain(StatusCode::METHOD_NOT_ALLOWED, "GET and HEAD only\n");
        }
        match path {
            "/metrics" => response::new(StatusCode::OK, FORMAT, self.text().await),
            "/health/live" => health::live(),
            "/health/ready" => self.health.ready_with_warnings().await,
            _ => response::plain(StatusCode::NOT_FOUND, "/metrics, /health/live, /health/ready\n"),
        }
    }

    /// The metrics as text. Those of the database are missing if it does not answer.
    async fn text(&self) -> String {
        let services = &self.services;
        let outbox = tokio::time::timeout(limits::READINESS_DATABASE, services.store.outbox()).await;
        let outbox = outbox.ok().and_then(Result::ok);
        let mails = tokio::time::timeout(limits::READINESS_DATABASE, services.store.mail_backlog()).await;
        let mails = mails.ok().and_then(Result::ok);
        let drilled = services.store.last_audited(BACKUP_DRILL);
        let drilled = tokio::time::timeout(limits::READINESS_DATABASE, drilled).await;
        let drilled = drilled.ok().and_then(Result::ok);
        let (pool, certificate) = (services.store.pool_use(), services.certificate.not_after());
        services.metrics.text(outbox, mails, pool, certificate, drilled, services.clock.now().millis())
    }
}
