//! `/metrics` for Prometheus, on an address of its own that the world does not reach.
//!
//! Started by `app` where the operator names an address. One request at a time on each connection, nothing else there.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;

use http::header::CONTENT_TYPE;
use http::{HeaderValue, Request, Response, StatusCode};
use http_body_util::Full;
use hyper::body::{Bytes, Incoming};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

use super::server::ListenError;
use crate::base::limits;
use crate::operation::Services;

/// The open metrics format, which Prometheus reads.
const FORMAT: HeaderValue = HeaderValue::from_static("application/openmetrics-text; version=1.0.0; charset=utf-8");

/// The server of figures.
pub struct MetricsServer {
    address: SocketAddr,
    accepting: JoinHandle<()>,
}

impl MetricsServer {
    /// Listens on `address` from here on.
    pub async fn start(address: SocketAddr, services: Arc<Services>) -> Result<Self, ListenError> {
        let refused = |source| ListenError { address, source };
        let listener = TcpListener::bind(address).await.map_err(refused)?;
        let address = listener.local_addr().map_err(refused)?;
        let accepting = tokio::spawn(async move {
            loop {
                // A connection that cannot be accepted is tried again by who scrapes.
                let Ok((stream, _)) = listener.accept().await else {
                    tokio::time::sleep(super::server::ACCEPT_PAUSE).await;
                    continue;
                };
                tokio::spawn(serve(stream, Arc::clone(&services)));
            }
        });
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

async fn serve(stream: TcpStream, services: Arc<Services>) {
    let answer = service_fn(|request: Request<Incoming>| {
        let services = Arc::clone(&services);
        async move { Ok::<_, Infallible>(answer(&services, request.uri().path()).await) }
    });
    let mut builder = http1::Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(limits::CONNECTION_IDLE).keep_alive(false);
    let _ = builder.serve_connection(TokioIo::new(stream), answer).await; // who leaves early has nothing to be told
}

async fn answer(services: &Services, path: &str) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::default());
    if path != "/metrics" {
        *response.status_mut() = StatusCode::NOT_FOUND;
        return response;
    }
    // A database that does not answer is a figure too.
    let outbox = services.store.outbox().await.ok();
    let (pool, certificate) = (services.store.pool_use(), services.certificate.moment());
    let text = services.figures.text(outbox, pool, certificate, services.clock.now().millis());
    *response.body_mut() = Full::from(text);
    response.headers_mut().insert(CONTENT_TYPE, FORMAT);
    response
}
