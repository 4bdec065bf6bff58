//! A future that runs to its end even if nobody waits for it any more.

use std::pin::Pin;
use std::task::{Context, Poll};

use tokio::runtime::Handle;
use tokio_util::task::TaskTracker;

use crate::base::request_id;

/// Runs where it is awaited. If it is dropped before it ends, the rest runs on a task, which `tasks` count. To run all of it on a
/// task costs each request an allocation and two wakes.
pub(super) struct FinishOnDrop<F>
where
    F: Future<Output: Send> + Send + 'static,
{
    /// `None` after its end, and after a panic.
    future: Option<Pin<Box<F>>>,
    tasks: TaskTracker,
}

impl<F> FinishOnDrop<F>
where
    F: Future<Output: Send> + Send + 'static,
{
    pub(super) fn new(future: F, tasks: &TaskTracker) -> Self {
        Self { future: Some(Box::pin(future)), tasks: tasks.clone() }
    }
}

impl<F> Future for FinishOnDrop<F>
where
    F: Future<Output: Send> + Send + 'static,
{
    type Output = F::Output;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<F::Output> {
        let mut future = self.future.take().expect("it has not ended");
        let polled = future.as_mut().poll(cx);
        if polled.is_pending() {
            self.future = Some(future);
        }
        polled
    }
}

impl<F> Drop for FinishOnDrop<F>
where
    F: Future<Output: Send> + Send + 'static,
{
    fn drop(&mut self) {
        // Without a runtime the process ends.
        if let (Some(rest), Ok(runtime)) = (self.future.take(), Handle::try_current()) {
            drop(self.tasks.spawn_on(request_id::inherit(rest), &runtime));
        }
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt as _;
    use tokio::sync::oneshot;

    use super::*;

    #[tokio::test]
    async fn rest_of_a_dropped_future_runs_on_a_task_that_is_counted() {
        let tasks = TaskTracker::new();
        let (go, gone) = oneshot::channel::<()>();
        let (done, ended) = oneshot::channel();
        let mut future = FinishOnDrop::new(async { done.send(gone.await) }, &tasks);
        assert_eq!((&mut future).now_or_never(), None);
        assert!(tasks.is_empty(), "it runs where it is awaited");
        drop(future);
        assert_eq!(tasks.len(), 1);
        go.send(()).expect("the task waits");
        assert_eq!(ended.await, Ok(Ok(())));
        tasks.close();
        tasks.wait().await;
    }

    #[tokio::test]
    async fn ended_future_leaves_no_task_and_neither_does_one_that_panicked() {
        let tasks = TaskTracker::new();
        assert_eq!(FinishOnDrop::new(async { 7 }, &tasks).await, 7);
        let panicking = FinishOnDrop::new(async { panic!("as a bug would") }, &tasks);
        assert!(std::panic::AssertUnwindSafe(panicking).catch_unwind().await.is_err());
        assert!(tasks.is_empty());
    }
}
