//! Listeners: accept connections, limit their number, serve them over HTTP/1.1 or HTTP/2, with TLS or without, and drain them at
//! shutdown.
//!
//! Used by the HTTP server here and by the metrics server; started by `app`.

use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt as _;
use http::request::Parts;
use http::{HeaderValue, Request, Response};
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::{JoinHandle, JoinSet};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::authentication::Authenticator;
use super::connection_table::{Client, ConnectionTable};
use super::health::Health;
use super::idempotency::IdempotencyClaims;
use super::idle_timer::{IdleTimer, TimedOut};
use super::partner_api::Preparer;
use super::response_body::ResponseBody;
use super::tls::Tls;
use super::version::Versions;
use crate::base::{ByteBudget, ErrorChain, FrontLimits, limits};
use crate::services::Services;
use crate::web::{Graphiql, Site};

/// How long to wait after a connection could not be accepted, for example for lack of file descriptors.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// How long a connection that is being closed may be idle before it is dropped.
const SHUTDOWN_GRACE: Duration = Duration::from_secs(1);

/// The HTTP server.
pub struct HttpServer {
    listener: Listener,
    state: Arc<AppState>,
}

/// The server cannot listen.
#[derive(Debug, thiserror::Error)]
#[error("{address} cannot be listened on")]
pub struct ListenError {
    address: SocketAddr,
    source: io::Error,
}

impl HttpServer {
    /// Listens on `inherited`, or on `address` without one, and starts to accept connections; only over TLS if there is a
    /// certificate.
    pub async fn start(
        address: SocketAddr,
        inherited: Option<&std::net::TcpListener>,
        tls: Option<Arc<Tls>>,
        services: Arc<Services>,
        versions: Arc<Versions>,
    ) -> Result<Self, ListenError> {
        let (shutdown, limits) = (CancellationToken::new(), services.policy.front);
        let state = Arc::new(AppState::new(services, versions, tls.is_some()));
        let listener = Listener::start(address, inherited, limits, tls, Arc::clone(&state), shutdown).await?;
        Ok(Self { listener, state })
    }

    pub fn address(&self) -> SocketAddr {
        self.listener.address
    }

    pub fn health(&self) -> Arc<Health> {
        Arc::clone(&self.state.health)
    }

    /// Returns the function with which a demo has GraphiQL served.
    pub(crate) fn graphiql(&self) -> impl FnOnce(Graphiql) + Send + use<> {
        let state = Arc::clone(&self.state);
        move |graphiql| state.site.serve_graphiql(graphiql)
    }

    /// Reports that it is not ready, so that a balancer sends its requests elsewhere, and ends connections of HTTP/1.1 with
    /// their next response. Requests are served as before.
    pub fn drain(&self) {
        self.state.health.drain();
    }

    /// Stops accepting, and waits for running requests and tasks until `drained`. [`HttpServer::drain`] comes before.
    pub async fn stop(self, drained: Instant) {
        let ended = async {
            self.listener.stop().await;
            self.state.tasks.close();
            self.state.tasks.wait().await;
        };
        if tokio::time::timeout_at(drained, ended).await.is_err() {
            tracing::warn!("the server was stopped before all requests had ended");
        }
    }
}

/// Answers the requests of a listener.
pub(super) trait Handler: Send + Sync + 'static {
    fn handle(
        &self,
        idle_timer: &Arc<IdleTimer>,
        parts: &Parts,
        body: Incoming,
    ) -> impl Future<Output = Response<ResponseBody>> + Send;
}

/// A listening socket whose connections are served by a handler. Dropping it closes them.
pub(super) struct Listener {
    address: SocketAddr,
    shutdown: CancellationToken,
    accepting: AbortOnDrop,
}

impl Listener {
    /// Listens on `inherited`, or on `address` without one, and starts to accept connections.
    pub(super) async fn start(
        address: SocketAddr,
        inherited: Option<&std::net::TcpListener>,
        limits: FrontLimits,
        tls: Option<Arc<Tls>>,
        handler: Arc<impl Handler>,
        shutdown: CancellationToken,
    ) -> Result<Self, ListenError> {
        let refused = |source| ListenError { address, source };
        let is_inherited = inherited.is_some();
        let listener = match inherited {
            Some(inherited) => share(inherited).map_err(refused)?,
            None => TcpListener::bind(address).await.map_err(refused)?,
        };
        let address = listener.local_addr().map_err(refused)?;
        let connections = Connections { limits, tls, builder: builder(), handler, shutdown: shutdown.clone() };
        let accepting = AbortOnDrop(tokio::spawn(accept(listener, is_inherited, Arc::new(connections))));
        Ok(Self { address, shutdown, accepting })
    }

    pub(super) fn address(&self) -> SocketAddr {
        self.address
    }

    /// Stops accepting, and waits until all connections are closed.
    pub(super) async fn stop(mut self) {
        self.shutdown.cancel();
        let _ = (&mut self.accepting.0).await;
    }
}

/// Returns another handle of a listening socket.
fn share(listener: &std::net::TcpListener) -> io::Result<TcpListener> {
    let listener = listener.try_clone()?;
    listener.set_nonblocking(true)?;
    TcpListener::from_std(listener)
}

/// Aborts a task when it is dropped.
struct AbortOnDrop(JoinHandle<()>);

impl Drop for AbortOnDrop {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// How the connections of a listener are served.
struct Connections<H> {
    limits: FrontLimits,
    tls: Option<Arc<Tls>>,
    builder: Builder,
    handler: Arc<H>,
    shutdown: CancellationToken,
}

/// Accepts connections until the shutdown, then waits for the open ones. A full table closes a silent
/// connection for a new one; if there is none, new connections wait in the backlog of the socket.
///
/// At the shutdown, the connections in the backlog are accepted and get a moment for a request, because the kernel resets them
/// when the socket is closed. Of an inherited socket they are left to the next process.
async fn accept(listener: TcpListener, is_inherited: bool, served: Arc<Connections<impl Handler>>) {
    let mut table = ConnectionTable::new(served.limits);
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            biased;
            () = served.shutdown.cancelled() => break,
            Some(ended) = connections.join_next_with_id() => match ended {
                Ok((id, ())) => table.remove(id),
                Err(error) => table.remove(error.id()),
            },
            accepted = listener.accept() => match accepted {
                Ok((stream, address)) => {
                    let client = Client::from_address(address.ip());
                    if !table.admits_client(client) {
                        continue; // closes the connection: the client has too many busy ones
                    }
                    while !table.admits_any() {
                        tokio::time::sleep(ACCEPT_PAUSE).await;
                        while let Some(ended) = connections.try_join_next_with_id() {
                            table.remove(ended.map_or_else(|error| error.id(), |(id, ())| id));
                        }
                        if served.shutdown.is_cancelled() {
                            break;
                        }
                    }
                    let idle_timer = Arc::new(IdleTimer::new(served.limits).with_client(client));
                    let shutdown = served.shutdown.clone();
                    let connection = serve_connection(Arc::clone(&served), stream, Arc::clone(&idle_timer), shutdown);
                    table.add(client, idle_timer, connections.spawn(connection));
                }
                Err(error) => {
                    tracing::warn!(%error, "a connection could not be accepted");
                    tokio::time::sleep(ACCEPT_PAUSE).await;
                }
            },
        }
    }
    if !is_inherited {
        let shutdown = CancellationToken::new();
        for (stream, address) in waiting(listener) {
            let client = Client::from_address(address.ip());
            if table.admits_client(client) {
                let idle_timer = Arc::new(IdleTimer::new(served.limits).with_client(client));
                let connection =
                    serve_connection(Arc::clone(&served), stream, Arc::clone(&idle_timer), shutdown.clone());
                table.add(client, idle_timer, connections.spawn(connection));
            }
        }
        tokio::spawn(async move {
            tokio::time::sleep(limits::LAST_REQUEST).await;
            shutdown.cancel();
        });
    }
    while connections.join_next().await.is_some() {}
}

/// Returns the connections in the backlog of a socket, and closes the socket.
fn waiting(listener: TcpListener) -> Vec<(TcpStream, SocketAddr)> {
    // The listener of tokio accepts only what its reactor knows.
    let Ok(listener) = listener.into_std() else { return Vec::new() };
    let accepted = std::iter::from_fn(|| listener.accept().ok()).take(limits::CONNECTIONS_MAX);
    let stream = |stream: std::net::TcpStream| {
        stream.set_nonblocking(true)?;
        TcpStream::from_std(stream)
    };
    accepted.filter_map(|(accepted, address)| Some((stream(accepted).ok()?, address))).collect()
}

/// Serves one connection, after the TLS handshake if there is a certificate.
async fn serve_connection(
    served: Arc<Connections<impl Handler>>,
    stream: TcpStream,
    idle_timer: Arc<IdleTimer>,
    shutdown: CancellationToken,
) {
    // Responses are written whole: Nagle's algorithm would only delay them.
    let _ = stream.set_nodelay(true);
    let Connections { tls, builder, handler, .. } = &*served;
    let Some(tls) = tls else { return serve(stream, &idle_timer, builder, handler, &shutdown).await };
    let handshake = tokio::select! {
        biased;
        () = shutdown.cancelled() => return,
        handshake = tokio::time::timeout(limits::TLS_HANDSHAKE, tls.accept(stream)) => handshake,
    };
    match handshake {
        Ok(Ok(stream)) => serve(stream, &idle_timer, builder, handler, &shutdown).await,
        Ok(Err(error)) => tracing::debug!(%error, "a TLS handshake failed"),
        Err(_) => tracing::debug!("a TLS handshake timed out"),
    }
}

type Builder = auto::Builder<TokioExecutor>;

/// Configures hyper for every connection.
fn builder() -> Builder {
    let mut builder = auto::Builder::new(TokioExecutor::new());
    // 431 for a head that does not fit the buffer, and for more than hyper's 100 headers.
    builder.http1().max_buf_size(limits::HEADER_BYTES_MAX).header_read_timeout(None).timer(TokioTimer::new());
    builder
        .http2()
        .max_header_list_size(limits::HEADER_BYTES_MAX as u32)
        .max_concurrent_streams(limits::STREAMS_PER_CONNECTION_MAX)
        .initial_stream_window_size(limits::RECEIVE_WINDOW_BYTES)
        .initial_connection_window_size(limits::RECEIVE_WINDOW_BYTES)
        .timer(TokioTimer::new());
    builder
}

/// Serves a connection until the client disconnects, the idle timer ends it, or the server shuts down.
async fn serve<S>(
    stream: S,
    idle_timer: &Arc<IdleTimer>,
    builder: &Builder,
    handler: &Arc<impl Handler>,
    shutdown: &CancellationToken,
) where
    S: AsyncRead + AsyncWrite + Send + Unpin + 'static,
{
    idle_timer.restart();
    let service = service_fn(|request: Request<Incoming>| {
        let (handler, running) = (Arc::clone(handler), IdleTimer::begin(idle_timer));
        let (parts, body) = request.into_parts();
        // Boxed: hyper moves it, and its type would be in the types of all of hyper's own futures, which the compiler proves again.
        let response = async move { Ok::<_, Infallible>(handler.handle(running.idle_timer(), &parts, body).await) };
        response.boxed()
    });
    let mut connection = std::pin::pin!(builder.serve_connection(TokioIo::new(stream), service));
    let timed_out = tokio::select! {
        biased;
        end = connection.as_mut() => return log_end(end),
        () = shutdown.cancelled() => None,
        timed_out = idle_timer.wait_for_timeout() => Some(timed_out),
    };
    connection.as_mut().graceful_shutdown();
    let grace = async {
        match timed_out {
            Some(TimedOut::Stalled) => {
                tracing::debug!("a connection is closed: its client does not take a response");
                tokio::time::sleep(limits::STALLED_CONNECTION_CLOSED).await;
            }
            Some(TimedOut::Idle) | None => idle_timer.wait_until_idle_for(SHUTDOWN_GRACE).await,
        }
    };
    tokio::select! {
        biased;
        end = connection => log_end(end),
        () = grace => {}
    }
}

/// Clients that disconnect or speak no HTTP are normal.
fn log_end(end: Result<(), Box<dyn std::error::Error + Send + Sync>>) {
    if let Err(error) = end {
        tracing::debug!(error = %ErrorChain(&*error), "a connection ended early");
    }
}

/// The state of the HTTP server. Nothing in it has to survive the process or to be shared between replicas.
pub(super) struct AppState {
    pub services: Arc<Services>,
    pub versions: Arc<Versions>,
    pub authenticator: Authenticator,
    pub preparer: Preparer,
    pub site: Site,
    pub idempotency: IdempotencyClaims,
    /// Tasks that outlive their request.
    pub tasks: TaskTracker,
    /// The memory of requests of the API, from their bodies to their answers.
    pub request_bytes: ByteBudget,
    /// The memory of responses that clients have not taken yet.
    pub response_bytes: ByteBudget,
    pub health: Arc<Health>,
    /// The value of `Strict-Transport-Security` (RFC 6797); `None` where clients do not use https.
    pub https_only: Option<HeaderValue>,
}

impl AppState {
    /// `has_tls`: whether the server itself has a certificate; otherwise a proxy may have one.
    pub(super) fn new(services: Arc<Services>, versions: Arc<Versions>, has_tls: bool) -> Self {
        let tasks = TaskTracker::new();
        let is_https = has_tls || services.public_base.starts_with("https://");
        Self {
            site: Site::new(Arc::clone(&services), versions.sdls()),
            versions,
            request_bytes: ByteBudget::new(limits::REQUEST_BYTES_HELD_MAX, limits::REQUEST_BYTES_HELD_EACH_MAX),
            response_bytes: ByteBudget::new(
                services.policy.front.response_bytes,
                limits::RESPONSE_BYTES_UNSENT_EACH_MAX,
            ),
            health: Arc::new(Health::new(Arc::clone(&services))),
            preparer: Preparer::new(),
            authenticator: Authenticator::new(Arc::clone(&services), tasks.clone()),
            idempotency: IdempotencyClaims::new(Arc::clone(&services), tasks.clone()),
            https_only: is_https.then(https_only),
            services,
            tasks,
        }
    }
}

/// The value of `Strict-Transport-Security` where clients use https.
pub(super) fn https_only() -> HeaderValue {
    let value = format!("max-age={}", limits::HTTPS_ONLY.as_secs());
    HeaderValue::try_from(value).expect("a number is visible ASCII")
}
