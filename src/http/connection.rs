//! One connection: HTTP/1.1 or HTTP/2, over TLS or without, for as long as something happens on it.
//!
//! Called by the server for every connection it accepts.
//!
//! hyper limits heads and streams. Time is kept here, by one rule for everything a client may wait with (its first byte,
//! the rest of a head, the next request): a connection on which no request runs and no answer is being sent for a while is
//! closed, and so is one whose client does not take an answer. What a request itself may take is kept by the router and by
//! the reading of its body.

use std::sync::Arc;
use std::time::Duration;

use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use super::app_state::AppState;
use super::idle_timer::{IdleTimer, Over};
use super::router;
use crate::base::{ErrorChain, limits};

/// How long a connection that is being closed may be still before it is dropped.
const SHUTDOWN_GRACE: Duration = Duration::from_secs(1);

pub type Builder = auto::Builder<TokioExecutor>;

/// What hyper is told about every connection.
pub fn builder() -> Builder {
    let mut builder = auto::Builder::new(TokioExecutor::new());
    // A head that does not fit the buffer is 431, and so are more than hyper's 100 headers.
    builder.http1().max_buf_size(limits::HEADER_BYTES_MAX).header_read_timeout(None).timer(TokioTimer::new());
    builder
        .http2()
        .max_header_list_size(limits::HEADER_BYTES_MAX as u32)
        .max_concurrent_streams(limits::STREAMS_PER_CONNECTION_MAX)
        .timer(TokioTimer::new());
    builder
}

/// Serves a connection until the client leaves, it falls still, or the server stops.
pub async fn serve<S>(
    stream: S,
    idle_timer: Arc<IdleTimer>,
    builder: Arc<Builder>,
    state: Arc<AppState>,
    shutdown: CancellationToken,
) where
    S: AsyncRead + AsyncWrite + Send + Unpin + 'static,
{
    idle_timer.restart();
    let io = TokioIo::new(stream);
    let service = service_fn(|request| {
        let (state, running) = (Arc::clone(&state), IdleTimer::begin(&idle_timer));
        async move { router::serve(state, running.idle_timer(), request).await }
    });
    let mut connection = std::pin::pin!(builder.serve_connection(io, service));
    let mut watch = Watch::over(&idle_timer, shutdown);
    let over = tokio::select! {
        biased;
        end = connection.as_mut() => return log(end),
        over = &mut watch.0 => over.ok().flatten(),
    };
    connection.as_mut().graceful_shutdown();
    let farewell = async {
        match over {
            Some(Over::Stalled) => {
                tracing::debug!("a client does not take its answer, and its connection is closed");
                tokio::time::sleep(limits::STALLED_CONNECTION_CLOSED).await;
            }
            Some(Over::Idle) | None => idle_timer.quiet_for(SHUTDOWN_GRACE).await,
        }
    };
    tokio::select! {
        biased;
        end = connection => log(end),
        () = farewell => {}
    }
}

/// A client that leaves or speaks no HTTP is nothing to act on.
fn log(end: Result<(), Box<dyn std::error::Error + Send + Sync>>) {
    if let Err(error) = end {
        tracing::debug!(error = %ErrorChain(&*error), "a connection ended early");
    }
}

/// Ends once a connection is to be closed: the server stops (`None`), or the connection is over. A task of its own, because the
/// connection's would ask for both again with every request. Ended with the connection.
struct Watch(JoinHandle<Option<Over>>);

impl Watch {
    fn over(idle_timer: &Arc<IdleTimer>, shutdown: CancellationToken) -> Self {
        let idle_timer = Arc::clone(idle_timer);
        Self(tokio::spawn(async move {
            tokio::select! {
                () = shutdown.cancelled() => None,
                over = idle_timer.over() => Some(over),
            }
        }))
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.0.abort();
    }
}
