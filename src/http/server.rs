//! The listening server: accepts connections, limits their number, and comes to an orderly end.
//!
//! Called by `app`.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::{TcpListener, TcpStream};
use tokio::task::{JoinHandle, JoinSet};
use tokio_util::sync::CancellationToken;

use super::app_state::AppState;
use super::connection::{self, Builder};
use super::connection_table::{Client, ConnectionTable};
use super::health::Health;
use super::idle_timer::IdleTimer;
use super::tls::Tls;
use super::version::Versions;
use crate::base::limits;
use crate::operation::Services;

/// How long to wait after a connection could not be accepted, such as for want of file descriptors.
pub(super) const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// The server, accepting connections.
pub struct HttpServer {
    address: SocketAddr,
    shutdown: CancellationToken,
    health: Arc<Health>,
    accepting: JoinHandle<()>,
}

/// Why the server does not listen.
#[derive(Debug, thiserror::Error)]
#[error("{address} cannot be listened on")]
pub struct ListenError {
    pub(super) address: SocketAddr,
    pub(super) source: io::Error,
}

impl HttpServer {
    /// Listens on `address` and accepts connections from here on; over TLS alone where there is a certificate.
    pub async fn start(
        address: SocketAddr,
        tls: Option<Arc<Tls>>,
        services: Arc<Services>,
        versions: Arc<Versions>,
    ) -> Result<Self, ListenError> {
        let shutdown = CancellationToken::new();
        let state = Arc::new(AppState::new(services, versions, shutdown.clone()));
        let health = Arc::clone(&state.health);
        let refused = |source| ListenError { address, source };
        let listener = TcpListener::bind(address).await.map_err(refused)?;
        let address = listener.local_addr().map_err(refused)?;
        let accepting = tokio::spawn(accept(listener, tls, state, shutdown.clone()));
        Ok(Self { address, shutdown, health, accepting })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Its health checks.
    pub fn health(&self) -> Arc<Health> {
        Arc::clone(&self.health)
    }

    /// Accepts nothing more, lets what runs come to its end for a while, and breaks off the rest.
    pub async fn stop(self) {
        self.shutdown.cancel();
        // It ends by itself, within the time for draining.
        let _ = self.accepting.await;
    }
}

/// Accepts connections. Only while every open connection has something to do, further ones wait in the listener's queue.
async fn accept(listener: TcpListener, tls: Option<Arc<Tls>>, state: Arc<AppState>, shutdown: CancellationToken) {
    let builder = Arc::new(connection::builder());
    let limits = state.services.policy.front;
    let mut table = ConnectionTable::new(limits);
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            biased;
            () = shutdown.cancelled() => break,
            Some(ended) = connections.join_next_with_id() => match ended {
                Ok((id, ())) => table.remove(id),
                Err(error) => table.remove(error.id()),
            },
            accepted = listener.accept() => match accepted {
                Ok((stream, address)) => {
                    let client = Client::of(address.ip());
                    if !table.make_room_for(client) {
                        continue; // closed at once: the client has enough that have something to do
                    }
                    while !table.make_room() {
                        tokio::time::sleep(ACCEPT_PAUSE).await;
                        while let Some(ended) = connections.try_join_next_with_id() {
                            table.remove(ended.map_or_else(|error| error.id(), |(id, ())| id));
                        }
                        if shutdown.is_cancelled() {
                            break;
                        }
                    }
                    // Answers are written whole: holding them back for more would only delay them.
                    let _ = stream.set_nodelay(true);
                    let idle_timer = Arc::new(IdleTimer::new(limits).of(client));
                    let (builder, state) = (Arc::clone(&builder), Arc::clone(&state));
                    let (happening, shutdown) = (Arc::clone(&idle_timer), shutdown.clone());
                    let task = match tls.clone() {
                        None => connections.spawn(connection::serve(stream, happening, builder, state, shutdown)),
                        Some(tls) => connections.spawn(secured(tls, stream, happening, builder, state, shutdown)),
                    };
                    table.add(client, idle_timer, task);
                }
                Err(error) => {
                    tracing::warn!(%error, "a connection could not be accepted");
                    tokio::time::sleep(ACCEPT_PAUSE).await;
                }
            },
        }
    }
    drop(listener);
    drain(&state, connections).await;
}

/// A connection over TLS. Who does not come to the end of the greeting is nothing to act on.
async fn secured(
    tls: Arc<Tls>,
    stream: TcpStream,
    idle_timer: Arc<IdleTimer>,
    builder: Arc<Builder>,
    state: Arc<AppState>,
    shutdown: CancellationToken,
) {
    let greeted = tokio::select! {
        biased;
        () = shutdown.cancelled() => return,
        greeted = tokio::time::timeout(limits::TLS_HANDSHAKE, tls.accept(stream)) => greeted,
    };
    match greeted {
        Ok(Ok(stream)) => connection::serve(stream, idle_timer, builder, state, shutdown).await,
        Ok(Err(error)) => tracing::debug!(%error, "a client and the server did not agree on TLS"),
        Err(_) => tracing::debug!("a client did not come to the end of its TLS handshake in time"),
    }
}

async fn drain(state: &AppState, mut connections: JoinSet<()>) {
    let drained = async {
        while connections.join_next().await.is_some() {}
        state.tasks.close();
        state.tasks.wait().await;
    };
    if tokio::time::timeout(limits::DRAIN, drained).await.is_err() {
        let count = connections.len();
        tracing::warn!(connections = count, "the time for draining is over, and what still runs is broken off");
        connections.shutdown().await;
    }
}
