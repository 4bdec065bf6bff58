//! Limits the time of a request: from its start, or from the last piece of its form, which may take long to arrive.
//!
//! Used by `router` and `admin`. The body of a form has a limit of its own on the client's pauses (`web/body.rs`).

use std::future::Future;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::time::{Instant, timeout_at};

/// The timer of one request.
pub(super) struct RequestTimer {
    total: Duration,
    started: Mutex<Instant>,
}

impl RequestTimer {
    pub(super) fn start(total: Duration) -> Self {
        Self { total, started: Mutex::new(Instant::now()) }
    }

    /// Starts the time again.
    pub(super) fn restart(&self) {
        *self.started.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
    }

    fn deadline(&self) -> Instant {
        *self.started.lock().unwrap_or_else(PoisonError::into_inner) + self.total
    }

    /// Returns the output of `handler`, or `None` if it takes too long.
    pub(super) async fn run<T>(&self, handler: impl Future<Output = T>) -> Option<T> {
        let mut handler = std::pin::pin!(handler);
        loop {
            let deadline = self.deadline();
            if let Ok(output) = timeout_at(deadline, &mut handler).await {
                return Some(output);
            }
            if self.deadline() <= deadline {
                return None;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOTAL: Duration = Duration::from_millis(200);

    #[tokio::test]
    async fn time_counts_from_the_last_restart() {
        let timer = RequestTimer::start(TOTAL);
        let sending = async {
            for _ in 0..6 {
                tokio::time::sleep(TOTAL / 2).await;
                timer.restart();
            }
        };
        assert_eq!(timer.run(sending).await, Some(()));
        assert_eq!(timer.run(std::future::pending::<()>()).await, None);
    }
}
