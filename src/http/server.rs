//! The listening server: accepts connections as long as there is room for them, and comes to an orderly end.
//!
//! Called by `app`.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::task::{JoinHandle, JoinSet};

use super::connection;
use super::front::Front;
use super::stop::Stop;
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
    /// Listens on `address` and accepts connections from here on.
    pub async fn start(
        address: SocketAddr,
        services: Arc<Services>,
        versions: Arc<Versions>,
    ) -> Result<Self, ListenError> {
        let stop = Stop::default();
        let front = Arc::new(Front::new(services, versions, stop.clone()));
        let refused = |source| ListenError { address, source };
        let listener = TcpListener::bind(address).await.map_err(refused)?;
        let address = listener.local_addr().map_err(refused)?;
        let accepting = tokio::spawn(accept(listener, front, stop.clone()));
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
async fn accept(listener: TcpListener, front: Arc<Front>, stop: Stop) {
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
                    connections.spawn(connection::serve(stream, builder, front, stop.clone()));
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
