//! The metrics server: `/metrics` for Prometheus and readiness with all checks, on an address of its own.
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
use crate::base::{FrontLimits, ProcessUse, disk_free_bytes, limits};
use crate::model::BACKUP_DRILL;
use crate::response::{self, Response, ResponseExt as _};
use crate::services::{Outcome, Scrape, Services};

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
        Listener::start(address, None, limits, None, handler, CancellationToken::new()).await.map(Self)
    }

    pub fn address(&self) -> SocketAddr {
        self.0.address()
    }
}

impl Handler for Metrics {
    async fn handle(&self, idle_timer: &Arc<IdleTimer>, request: Request<Incoming>) -> http::Response<ResponseBody> {
        let response = self.respond(request.method(), request.uri().path()).await.for_method(request.method());
        response.map(|content| ResponseBody::new(content, idle_timer, &self.response_bytes, None, None))
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
            "/health/ready" => self.health.ready_with_checks().await,
            _ => response::plain(StatusCode::NOT_FOUND, "/metrics, /health/live, /health/ready\n"),
        }
    }

    /// The metrics as text. Those of the database are missing if it does not answer.
    async fn text(&self) -> String {
        let services = &self.services;
        let outbox = tokio::time::timeout(limits::READINESS_DATABASE, services.store.outbox());
        let mails = tokio::time::timeout(limits::READINESS_DATABASE, services.store.mail_backlog());
        let drilled = tokio::time::timeout(limits::READINESS_DATABASE, services.store.last_audited(BACKUP_DRILL));
        let (outbox, mails, drilled, checked) = tokio::join!(outbox, mails, drilled, self.health.checks().all());
        let checks = checked.into_iter().filter_map(|(check, outcome)| match outcome {
            Outcome::Ok => Some((check.name, true)),
            Outcome::Failed(_) => Some((check.name, false)),
            Outcome::NotAsked(_) => None,
        });
        services.metrics.text(&Scrape {
            now: services.clock.now(),
            checks: checks.collect(),
            outbox: outbox.ok().and_then(Result::ok),
            mails: mails.ok().and_then(Result::ok),
            pool: services.store.pool_use(),
            certificate: services.certificate.not_after(),
            drilled: drilled.ok().and_then(Result::ok).map(|newest| newest.map(|record| record.at)),
            disk_free: disk_free_bytes(&services.data_dir).ok(),
            process: ProcessUse::read(),
        })
    }
}
