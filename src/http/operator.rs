//! The operator's two servers, on separate addresses: the administration (decisions S11), and the metrics for Prometheus with
//! readiness and all checks, which the internet must not reach.
//!
//! Started by `app` if the operator names the address. Each has its own limits, so that none of the servers can starve another.

use std::net::SocketAddr;
use std::panic::AssertUnwindSafe;
use std::pin::pin;
use std::sync::Arc;
use std::time::Instant;

use futures_util::FutureExt as _;
use http::header::STRICT_TRANSPORT_SECURITY;
use http::request::Parts;
use http::{HeaderValue, Method, StatusCode};
use hyper::body::Incoming;
use tokio_util::sync::CancellationToken;

use super::connection_table::Client;
use super::health::{self, Health};
use super::idle_timer::IdleTimer;
use super::media;
use super::response_body::ResponseBody;
use super::router::{self, RequestTimer};
use super::server::{self, Handler, ListenError, Listener};
use super::tls::Tls;
use crate::base::{ByteBudget, FrontLimits, ProcessUse, disk_free_bytes, limits, request_id};
use crate::model::{ADMIN_PATH, BACKUP_DRILL, Route, messages};
use crate::request::RequestHead;
use crate::response::{self, Response, ResponseExt as _};
use crate::services::{Outcome, Scrape, Services};
use crate::web::AdminSite;

pub struct AdminServer(Listener);

struct Administration {
    services: Arc<Services>,
    site: AdminSite,
    /// Whether only this machine reaches it, over http.
    is_local: bool,
    response_bytes: ByteBudget,
    https_only: Option<HeaderValue>,
}

impl AdminServer {
    /// Listens on `address` and starts to accept connections: over http on the loopback, otherwise over TLS.
    pub async fn start(
        address: SocketAddr,
        tls: Option<Arc<Tls>>,
        services: Arc<Services>,
    ) -> Result<Self, ListenError> {
        let is_local = address.ip().is_loopback();
        let limits = FrontLimits { connections: limits::ADMIN_CONNECTIONS_MAX, ..FrontLimits::default() };
        let handler = Arc::new(Administration {
            site: AdminSite::new(Arc::clone(&services), !is_local),
            services,
            is_local,
            response_bytes: ByteBudget::new(usize::MAX, usize::MAX),
            https_only: (!is_local).then(server::https_only),
        });
        let tls = tls.filter(|_| !is_local);
        Listener::start(address, None, limits, tls, handler, CancellationToken::new()).await.map(Self)
    }

    pub fn address(&self) -> SocketAddr {
        self.0.address()
    }

    /// Stops accepting, and waits for running requests until `drained`.
    pub async fn stop(self, drained: tokio::time::Instant) {
        if tokio::time::timeout_at(drained, self.0.stop()).await.is_err() {
            tracing::warn!("the administration was stopped before all requests had ended");
        }
    }
}

impl Handler for Administration {
    async fn handle(&self, idle_timer: &Arc<IdleTimer>, parts: &Parts, body: Incoming) -> http::Response<ResponseBody> {
        let id = router::new_request_id(&self.services);
        let client = idle_timer.client().map(Client::address);
        let head = RequestHead { parts, route: Route::Admin, id: &id, client, started: Instant::now() };
        let timer = RequestTimer::start(limits::REQUEST_TOTAL);
        let handler = request_id::within(Arc::clone(&id), self.respond(&head, body, &timer));
        let response = match timer.run(pin!(AssertUnwindSafe(handler).catch_unwind())).await {
            Some(Ok(response)) => response,
            Some(Err(_panic)) => self.site.render_failure(StatusCode::INTERNAL_SERVER_ERROR),
            None => self.site.render_failure(StatusCode::SERVICE_UNAVAILABLE),
        };
        let mut response = response.for_method(&parts.method);
        if let Some(https_only) = &self.https_only {
            response.headers_mut().insert(STRICT_TRANSPORT_SECURITY, https_only.clone());
        }
        router::record(&self.services, &head, &response);
        response.map(|content| ResponseBody::new(content, idle_timer, self.response_bytes.reserve([None; 2]), None))
    }
}

impl Administration {
    async fn respond(&self, head: &RequestHead<'_>, body: Incoming, timer: &RequestTimer) -> Response {
        if !head.names_its_host() || (self.is_local && !head.is_for_loopback()) {
            return response::plain(StatusCode::BAD_REQUEST, messages::HOST_INVALID);
        }
        let key = head.parts.uri.path().strip_prefix(ADMIN_PATH).and_then(|path| path.strip_prefix("/media/"));
        match key {
            Some(key)
                if ["theme/", "partner/"].iter().any(|kind| key.starts_with(kind))
                    && matches!(*head.method(), Method::GET | Method::HEAD) =>
            {
                media::serve(&self.services.media, key, head).await
            }
            _ => Box::pin(self.site.serve(head, router::pieces(body, head, timer))).await,
        }
    }
}

/// The OpenMetrics format.
const FORMAT: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

pub struct MetricsServer(Listener);

struct Metrics {
    services: Arc<Services>,
    health: Arc<Health>,
    response_bytes: ByteBudget,
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
        let handler = Arc::new(Metrics { services, health, response_bytes: ByteBudget::new(usize::MAX, usize::MAX) });
        Listener::start(address, None, limits, None, handler, CancellationToken::new()).await.map(Self)
    }

    pub fn address(&self) -> SocketAddr {
        self.0.address()
    }
}

impl Handler for Metrics {
    async fn handle(&self, idle_timer: &Arc<IdleTimer>, parts: &Parts, _: Incoming) -> http::Response<ResponseBody> {
        let response = self.respond(&parts.method, parts.uri.path()).await.for_method(&parts.method);
        response.map(|content| ResponseBody::new(content, idle_timer, self.response_bytes.reserve([None; 2]), None))
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
        let (outbox, mails, drilled, checked) = tokio::join!(outbox, mails, drilled, self.health.checks().run_all());
        let checks = checked.into_iter().filter_map(|(check, outcome)| match outcome {
            Outcome::Ok => Some((check.name, true)),
            Outcome::Failed(_) | Outcome::Impaired(_) => Some((check.name, false)),
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
