//! How long something may take.

use std::future::poll_fn;
use std::pin::pin;
use std::task::Poll;
use std::time::Duration;

use tokio::time::error::Elapsed;

/// Like tokio's, for what is mostly ready when it is first asked: only what is not needs a timer, and a look at the clock.
pub async fn timeout<F: Future>(time: Duration, future: F) -> Result<F::Output, Elapsed> {
    let mut future = pin!(future);
    match poll_fn(|cx| Poll::Ready(future.as_mut().poll(cx))).await {
        Poll::Ready(out) => Ok(out),
        Poll::Pending => tokio::time::timeout(time, future).await,
    }
}
