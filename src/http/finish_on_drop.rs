//! The future of a mutation, which runs to its end even if the request that awaits it is dropped.

use std::pin::Pin;
use std::task::{Context, Poll};

use futures_util::future::BoxFuture;
use tokio::runtime::Handle;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tokio_util::task::task_tracker::TaskTrackerToken;

use crate::base::request_id;

/// A future that runs where it is awaited. If it is dropped before it ends, the rest of it runs on a task. It counts as a task of
/// its tracker from its start to its end. To run all of it on a task costs more (docs/performance.md).
pub(super) struct FinishOnDrop<T: Send + 'static> {
    /// `None` after its end, and after a panic.
    future: Option<BoxFuture<'static, T>>,
    counted: TaskTrackerToken,
    /// Cancelled when it goes on without the client.
    abandoned: Option<CancellationToken>,
}

impl<T: Send> FinishOnDrop<T> {
    pub(super) fn new(
        future: impl Future<Output = T> + Send + 'static,
        tasks: &TaskTracker,
        abandoned: Option<CancellationToken>,
    ) -> Self {
        Self { future: Some(Box::pin(future)), counted: tasks.token(), abandoned }
    }
}

impl<T: Send> Future for FinishOnDrop<T> {
    type Output = T;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<T> {
        let mut future = self.future.take().expect("it has not ended");
        let polled = future.as_mut().poll(cx);
        if polled.is_pending() {
            self.future = Some(future);
        }
        polled
    }
}

impl<T: Send> Drop for FinishOnDrop<T> {
    fn drop(&mut self) {
        // Without a runtime the process ends.
        if let (Some(rest), Ok(runtime)) = (self.future.take(), Handle::try_current()) {
            if let Some(abandoned) = &self.abandoned {
                abandoned.cancel();
            }
            drop(self.counted.task_tracker().spawn_on(request_id::inherit(rest), &runtime));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::panic::AssertUnwindSafe;

    use futures_util::FutureExt as _;
    use tokio::sync::oneshot;

    use super::*;

    #[tokio::test]
    async fn rest_of_a_dropped_future_runs_on_a_task_of_the_same_request_and_is_counted_all_the_time() {
        let (tasks, abandoned) = (TaskTracker::new(), CancellationToken::new());
        let (go, gone) = oneshot::channel::<()>();
        let (done, ended) = oneshot::channel();
        let work = async {
            gone.await.expect("it is told to go on");
            let _ = done.send(request_id::current());
        };
        let begun = request_id::within("req_1".into(), async {
            let mut future = FinishOnDrop::new(work, &tasks, Some(abandoned.clone()));
            assert_eq!((&mut future).now_or_never(), None);
            assert_eq!(tasks.len(), 1);
            assert!(!abandoned.is_cancelled());
        });
        begun.await;
        assert!(abandoned.is_cancelled());
        assert_eq!(tasks.len(), 1);
        go.send(()).expect("the task waits");
        assert_eq!(ended.await.expect("it ends").as_deref(), Some("req_1"));
        tasks.close();
        tasks.wait().await;
    }

    #[tokio::test]
    async fn ended_future_leaves_no_task_and_neither_does_one_that_panicked() {
        let (tasks, abandoned) = (TaskTracker::new(), CancellationToken::new());
        assert_eq!(FinishOnDrop::new(async { 7 }, &tasks, Some(abandoned.clone())).await, 7);
        let panicking = FinishOnDrop::new(async { panic!("as a bug would") }, &tasks, Some(abandoned.clone()));
        assert!(AssertUnwindSafe(panicking).catch_unwind().await.is_err());
        assert!(tasks.is_empty() && !abandoned.is_cancelled());
    }
}
