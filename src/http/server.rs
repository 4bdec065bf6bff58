//! The listening server: accepts connections as long as there is room for them, and comes to an orderly end.
//!
//! Called by `app`.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::{TcpListener, TcpStream};
use tokio::task::{JoinHandle, JoinSet};

use super::connection::{self, Builder};
use super::front::Front;
use super::stop::Stop;
use super::tls::Tls;
use super::version::Versions;
use crate::base::limits;
use crate::operation::Services;

/// How long to wait after a connection could not be accepted, such as for want of file descriptors.
pub(super) const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// The server, accepting connections.
pub struct HttpServer {
    address: SocketAddr,
    stop: Stop,
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
        let stop = Stop::default();
        let front = Arc::new(Front::new(services, versions, stop.clone()));
        let refused = |source| ListenError { address, source };
        let listener = TcpListener::bind(address).await.map_err(refused)?;
        let address = listener.local_addr().map_err(refused)?;
        let accepting = tokio::spawn(accept(listener, tls, front, stop.clone()));
        Ok(Self { address, stop, accepting })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Accepts nothing more, lets what runs come to its end for a while, and breaks off the rest.
    pub async fn stop(self) {
        self.stop.tell();
        // It ends by itself, within the time for draining.
        let _ = self.accepting.await;
    }
}

/// Accepts connections while there is room: the others wait in the listener's queue, where the client feels it.
async fn accept(listener: TcpListener, tls: Option<Arc<Tls>>, front: Arc<Front>, stop: Stop) {
    let builder = Arc::new(connection::builder());
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            biased;
            () = stop.told() => break,
            Some(_) = connections.join_next() => {}
            accepted = listener.accept(), if connections.len() < limits::CONNECTIONS_MAX => match accepted {
                Ok((stream, _)) => {
                    // Answers are written whole: holding them back for more would only delay them.
                    let _ = stream.set_nodelay(true);
                    let (builder, front) = (Arc::clone(&builder), Arc::clone(&front));
                    match tls.clone() {
                        None => connections.spawn(connection::serve(stream, builder, front, stop.clone())),
                        Some(tls) => connections.spawn(secured(tls, stream, builder, front, stop.clone())),
                    };
                }
                Err(error) => {
                    tracing::warn!(%error, "a connection could not be accepted");
                    tokio::time::sleep(ACCEPT_PAUSE).await;
                }
            },
        }
    }
    drop(listener);
    drain(&front, connections).await;
}

/// A connection over TLS. Who does not come to the end of the greeting is nothing to act on.
async fn secured(tls: Arc<Tls>, stream: TcpStream, builder: Arc<Builder>, front: Arc<Front>, stop: Stop) {
    let greeted = tokio::select! {
        biased;
        () = stop.told() => return,
        greeted = tokio::time::timeout(limits::TLS_HANDSHAKE, tls.accept(stream)) => greeted,
    };
    match greeted {
        Ok(Ok(stream)) => connection::serve(stream, builder, front, stop).await,
        Ok(Err(error)) => tracing::debug!(%error, "a client and the server did not agree on TLS"),
        Err(_) => tracing::debug!("a client did not come to the end of its TLS handshake in time"),
    }
}

async fn drain(front: &Front, mut connections: JoinSet<()>) {
    let drained = async {
        while connections.join_next().await.is_some() {}
        front.running.ended().await;
    };
    if tokio::time::timeout(limits::DRAIN, drained).await.is_err() {
        let count = connections.len();
        tracing::warn!(connections = count, "the time for draining is over, and what still runs is broken off");
        connections.shutdown().await;
    }
}
