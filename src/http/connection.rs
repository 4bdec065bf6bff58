//! One connection: HTTP/1.1 or HTTP/2, over TLS or without, for as long as something happens on it.
//!
//! Called by the server for every connection it accepts.
//!
//! hyper limits heads and streams. Time is kept here, by one rule for everything a client may wait with (its first byte,
//! the rest of a head, the next request): a connection on which no request runs and nothing is written for a while is
//! closed. What a request itself may take is kept by the router and by the reading of its body.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::task::JoinHandle;
use tokio::time::Instant;

use super::front::Front;
use super::router;
use super::stop::Stop;
use crate::base::{Causes, limits};

/// How long a connection that is being closed may be still before it is dropped.
const FAREWELL: Duration = Duration::from_secs(1);

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
pub async fn serve<S>(stream: S, builder: Arc<Builder>, front: Arc<Front>, stop: Stop)
where
    S: AsyncRead + AsyncWrite + Send + Unpin + 'static,
{
    let activity = Arc::new(Activity::new());
    let io = TokioIo::new(Watched { stream, activity: Arc::clone(&activity) });
    let service = service_fn(|request| {
        let (front, running) = (Arc::clone(&front), Activity::begin(&activity));
        async move {
            let _running = running;
            router::serve(front, request).await
        }
    });
    let mut connection = std::pin::pin!(builder.serve_connection(io, service));
    let mut watch = Watch::over(&activity, stop);
    tokio::select! {
        biased;
        end = connection.as_mut() => return log(end),
        _ = &mut watch.0 => {}
    }
    connection.as_mut().graceful_shutdown();
    tokio::select! {
        biased;
        end = connection => log(end),
        () = activity.still_for(FAREWELL) => {}
    }
}

/// A client that leaves or speaks no HTTP is nothing to act on.
fn log(end: Result<(), Box<dyn std::error::Error + Send + Sync>>) {
    if let Err(error) = end {
        tracing::debug!(error = %Causes(&*error), "a connection ended early");
    }
}

/// Ends once a connection is to be closed: the server stops, or the connection fell still. A task of its own, because the
/// connection's would ask for both again with every request. Ended with the connection.
struct Watch(JoinHandle<()>);

impl Watch {
    fn over(activity: &Arc<Activity>, stop: Stop) -> Self {
        let activity = Arc::clone(activity);
        Self(tokio::spawn(async move {
            tokio::select! {
                () = stop.told() => {}
                () = activity.still_for(limits::CONNECTION_IDLE) => {}
            }
        }))
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// What happens on a connection.
struct Activity {
    opened: Instant,
    running: AtomicUsize,
    /// The last time that a request ended or that bytes were written, in milliseconds since it was opened; or [`ENDED`].
    last_ms: AtomicU64,
}

/// A request has ended since somebody last looked. When it was stands here as soon as bytes of its answer are written,
/// mostly at once: to look at the clock before that would be to look twice.
const ENDED: u64 = u64::MAX;

/// A request that runs.
struct RunningRequest(Arc<Activity>);

impl Activity {
    fn new() -> Self {
        Self { opened: Instant::now(), running: AtomicUsize::new(0), last_ms: AtomicU64::new(0) }
    }

    fn begin(this: &Arc<Self>) -> RunningRequest {
        this.running.fetch_add(1, Ordering::Relaxed);
        RunningRequest(Arc::clone(this))
    }

    fn touch(&self) {
        self.last_ms.store(millis(self.opened.elapsed()), Ordering::Relaxed);
    }

    /// Waits until nothing has happened for `time`. Looks when it may be so far: no request has to set a timer.
    async fn still_for(&self, time: Duration) {
        loop {
            let wait = self.wait_at(self.opened.elapsed(), time);
            if wait.is_zero() {
                return;
            }
            tokio::time::sleep(wait).await;
        }
    }

    /// How long it takes at the least until nothing has happened for `time`, seen `now` after the opening.
    fn wait_at(&self, now: Duration, time: Duration) -> Duration {
        if self.running.load(Ordering::Acquire) > 0 {
            return time;
        }
        let now = millis(now);
        match self.last_ms.compare_exchange(ENDED, now, Ordering::Relaxed, Ordering::Relaxed) {
            Ok(_ended) => time,
            Err(last) => time.saturating_sub(Duration::from_millis(now.saturating_sub(last))),
        }
    }
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

impl Drop for RunningRequest {
    fn drop(&mut self) {
        self.0.last_ms.store(ENDED, Ordering::Relaxed);
        self.0.running.fetch_sub(1, Ordering::Release);
    }
}

/// A stream that notes when it takes bytes: a large answer to a slow client is no stillness.
struct Watched<S> {
    stream: S,
    activity: Arc<Activity>,
}

impl<S> Watched<S> {
    fn noted(&self, written: Poll<io::Result<usize>>) -> Poll<io::Result<usize>> {
        if let Poll::Ready(Ok(1..)) = written {
            self.activity.touch();
        }
        written
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Watched<S> {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, buf)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Watched<S> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(cx, bytes);
        self.noted(written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(cx, slices);
        self.noted(written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connection_is_still_once_nothing_runs_and_nothing_is_written_for_the_time() {
        const TEN: Duration = Duration::from_secs(10);
        let activity =
            Arc::new(Activity { opened: Instant::now(), running: AtomicUsize::new(0), last_ms: 5_000.into() });
        let wait = |seconds| activity.wait_at(Duration::from_secs(seconds), TEN).as_secs();
        assert_eq!((wait(5), wait(8), wait(15), wait(99)), (10, 7, 0, 0));
        let request = Activity::begin(&activity);
        assert_eq!(wait(99), 10, "a request runs");
        drop(request);
        assert_eq!(activity.running.load(Ordering::Relaxed), 0);
        assert_eq!((wait(100), wait(104), wait(110)), (10, 6, 0), "it ended before it was looked at");
        let request = Activity::begin(&activity);
        drop(request);
        activity.touch();
        assert_eq!((wait(0), wait(110)), (10, 0), "its answer was written at the beginning");
    }
}
