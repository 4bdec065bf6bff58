//! Serves one connection: HTTP/1.1 or HTTP/2, over TLS or without.
//!
//! Called by the listener for every connection that it accepts.
//!
//! hyper limits heads and streams. Time is limited here, by one rule for all that a client may delay (its first byte, the
//! rest of a head, the next request): a connection without a running request or unsent response is closed after a while,
//! and so is one whose client does not take a response. The router and the reading of the body limit the time of a request.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use http::{Request, Response};
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio_util::sync::CancellationToken;

use super::idle_timer::{IdleTimer, Over};
use super::response_body::ResponseBody;
use crate::base::{ErrorChain, limits};

/// How long a connection that is being closed may be idle before it is dropped.
const SHUTDOWN_GRACE: Duration = Duration::from_secs(1);

/// Answers the requests of a listener.
pub(super) trait Handler: Send + Sync + 'static {
    fn handle(
        &self,
        idle_timer: &Arc<IdleTimer>,
        request: Request<Incoming>,
    ) -> impl Future<Output = Response<ResponseBody>> + Send;
}

pub(super) type Builder = auto::Builder<TokioExecutor>;

/// Configures hyper for every connection.
pub(super) fn builder() -> Builder {
    let mut builder = auto::Builder::new(TokioExecutor::new());
    // 431 for a head that does not fit the buffer, and for more than hyper's 100 headers.
    builder.http1().max_buf_size(limits::HEADER_BYTES_MAX).header_read_timeout(None).timer(TokioTimer::new());
    builder
        .http2()
        .max_header_list_size(limits::HEADER_BYTES_MAX as u32)
        .max_concurrent_streams(limits::STREAMS_PER_CONNECTION_MAX)
        .timer(TokioTimer::new());
    builder
}

/// Serves a connection until the client disconnects, the idle timer ends it, or the server shuts down.
pub(super) async fn serve<S>(
    stream: S,
    idle_timer: &Arc<IdleTimer>,
    builder: &Builder,
    handler: &Arc<impl Handler>,
    shutdown: &CancellationToken,
) where
    S: AsyncRead + AsyncWrite + Send + Unpin + 'static,
{
    idle_timer.restart();
    let service = service_fn(|request| {
        let (handler, running) = (Arc::clone(handler), IdleTimer::begin(idle_timer));
        async move { Ok::<_, Infallible>(handler.handle(running.idle_timer(), request).await) }
    });
    let mut connection = std::pin::pin!(builder.serve_connection(TokioIo::new(stream), service));
    let over = tokio::select! {
        biased;
        end = connection.as_mut() => return log(end),
        () = shutdown.cancelled() => None,
        over = idle_timer.over() => Some(over),
    };
    connection.as_mut().graceful_shutdown();
    let grace = async {
        match over {
            Some(Over::Stalled) => {
                tracing::debug!("a connection is closed: its client does not take a response");
                tokio::time::sleep(limits::STALLED_CONNECTION_CLOSED).await;
            }
            Some(Over::Idle) | None => idle_timer.quiet_for(SHUTDOWN_GRACE).await,
        }
    };
    tokio::select! {
        biased;
        end = connection => log(end),
        () = grace => {}
    }
}

/// Clients that disconnect or speak no HTTP are normal.
fn log(end: Result<(), Box<dyn std::error::Error + Send + Sync>>) {
    if let Err(error) = end {
        tracing::debug!(error = %ErrorChain(&*error), "a connection ended early");
    }
}
