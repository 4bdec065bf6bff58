//! `/metrics` for Prometheus and the health checks for the operator, on an address of its own that the world does not
//! reach.
//!
//! Started by `app` where the operator names an address. One request on each connection, and few connections: whatever
//! happens here takes nothing from the front door, and the other way round.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;

use http::{Method, Request, Response, StatusCode};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::{AbortHandle, JoinHandle, JoinSet};

use super::answer::Answer;
use super::answer_body::AnswerBody;
use super::budget::Budget;
use super::health::{self, Health};
use super::idle_timer::IdleTimer;
use super::server::ListenError;
use crate::base::{FrontLimits, limits};
use crate::operation::Services;

/// The open metrics format, which Prometheus reads.
const FORMAT: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// The server of figures and health checks.
pub struct MetricsServer {
    address: SocketAddr,
    accepting: JoinHandle<()>,
}

impl MetricsServer {
    /// Listens on `address` from here on.
    pub async fn start(address: SocketAddr, services: Arc<Services>, health: Arc<Health>) -> Result<Self, ListenError> {
        let refused = |source| ListenError { address, source };
        let listener = TcpListener::bind(address).await.map_err(refused)?;
        let address = listener.local_addr().map_err(refused)?;
        let accepting = tokio::spawn(accept(listener, services, health));
        Ok(Self { address, accepting })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Ends at once: a scrape that is broken off is followed by another.
    pub async fn stop(self) {
        self.accepting.abort();
        let _ = self.accepting.await;
    }
}

/// Accepts connections, each for a short time; when there are too many, the oldest is closed.
async fn accept(listener: TcpListener, services: Arc<Services>, health: Arc<Health>) {
    let mut connections = JoinSet::new();
    let mut oldest: VecDeque<AbortHandle> = VecDeque::new();
    loop {
        let stream = tokio::select! {
            Some(_) = connections.join_next() => continue,
            accepted = listener.accept() => match accepted {
                Ok((stream, _)) => stream,
                Err(_) => {
                    // A connection that cannot be accepted is tried again by who scrapes.
                    tokio::time::sleep(super::server::ACCEPT_PAUSE).await;
                    continue;
                }
            },
        };
        oldest.retain(|connection| !connection.is_finished());
        if oldest.len() >= limits::METRICS_CONNECTIONS_MAX
            && let Some(connection) = oldest.pop_front()
        {
            connection.abort();
        }
        let serving = serve(stream, Arc::clone(&services), Arc::clone(&health));
        oldest.push_back(connections.spawn(async {
            let _ = tokio::time::timeout(limits::METRICS_CONNECTION, serving).await; // who is slow has nothing to be told
        }));
    }
}

async fn serve(stream: TcpStream, services: Arc<Services>, health: Arc<Health>) {
    let idle_timer = Arc::new(IdleTimer::new(FrontLimits::default()));
    // Not the budget of the front door: its answers must not take the place of these.
    let budget = Budget::new(usize::MAX);
    let answer = service_fn(|request: Request<Incoming>| {
        let (services, health) = (Arc::clone(&services), Arc::clone(&health));
        let (idle_timer, budget) = (Arc::clone(&idle_timer), Arc::clone(&budget));
        async move {
            let answer = answer(&services, &health, request.method(), request.uri().path()).await;
            let answer: Response<AnswerBody> =
                answer.headed(request.method()).into_response(&idle_timer, &budget, None);
            Ok::<_, Infallible>(answer)
        }
    });
    let mut builder = http1::Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(limits::METRICS_CONNECTION).keep_alive(false);
    let _ = builder.serve_connection(TokioIo::new(stream), answer).await; // who leaves early has nothing to be told
}

async fn answer(services: &Services, health: &Health, method: &Method, path: &str) -> Answer {
    if !matches!(*method, Method::GET | Method::HEAD) {
        return Answer::plain(StatusCode::METHOD_NOT_ALLOWED, "GET and HEAD only\n");
    }
    match path {
        "/metrics" => Answer::new(StatusCode::OK, FORMAT, metrics(services).await),
        "/health/live" => health::live(),
        "/health/ready" => health.ready_with_warnings().await,
        _ => Answer::plain(StatusCode::NOT_FOUND, "/metrics, /health/live, /health/ready\n"),
    }
}

async fn metrics(services: &Services) -> String {
    // A database that does not answer is a figure too.
    let outbox = tokio::time::timeout(limits::READINESS_DATABASE, services.store.outbox()).await;
    let outbox = outbox.ok().and_then(Result::ok);
    let mails = tokio::time::timeout(limits::READINESS_DATABASE, services.store.mail_backlog()).await;
    let mails = mails.ok().and_then(Result::ok);
    let (pool, certificate) = (services.store.pool_use(), services.certificate.not_after());
    services.metrics.text(outbox, mails, pool, certificate, services.clock.now().millis())
}
