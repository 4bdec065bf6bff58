//! The loop of every worker, around one `step()`.
//!
//! Started by each worker's `start`; stopped by `app`.

use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Notify;
use tokio::task::JoinHandle;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::base::ErrorChain;
use crate::services::{Services, WorkerLog};

/// A running worker.
pub struct Worker {
    name: &'static str,
    shutdown: CancellationToken,
    task: JoinHandle<()>,
}

/// The result of one step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// There may be more work: the next step follows immediately.
    More,
    /// There is no work left.
    Done,
}

impl Worker {
    /// Starts a worker that runs `step` until it is stopped: again immediately after [`Step::More`], otherwise when `wake` is
    /// notified or after `poll`. After a step that failed, which is logged here, the next one runs after `poll`. `log`
    /// records the end of each step.
    pub fn start<F, E>(
        name: &'static str,
        log: &Arc<WorkerLog>,
        wake: Arc<Notify>,
        poll: Duration,
        mut step: impl FnMut() -> F + Send + 'static,
    ) -> Self
    where
        F: Future<Output = Result<Step, E>> + Send,
        E: Error + Send,
    {
        let shutdown = CancellationToken::new();
        let (cancelled, log) = (shutdown.clone(), Arc::clone(log));
        log.start(name, poll, Instant::now());
        let task = tokio::spawn(async move {
            while !cancelled.is_cancelled() {
                // A step is not cancelled: the shutdown takes effect after it.
                let outcome = step().await;
                log.step(name, outcome.is_ok(), Instant::now());
                let wake = match outcome {
                    Ok(Step::More) => continue,
                    Ok(Step::Done) => Some(&*wake),
                    Err(error) => {
                        tracing::warn!(worker = name, error = %ErrorChain(&error), "a step of a worker failed; it will be repeated");
                        // No notification shortens the pause after a failure.
                        None
                    }
                };
                tokio::select! {
                    () = cancelled.cancelled() => {}
                    () = wait_for_wake(wake) => {}
                    () = tokio::time::sleep(poll) => {}
                }
            }
        });
        Self { name, shutdown, task }
    }

    /// Starts a worker as [`Worker::start`] does, whose step gets the services.
    pub(crate) fn start_with<F, E>(
        name: &'static str,
        services: &Arc<Services>,
        wake: Arc<Notify>,
        poll: Duration,
        mut step: impl FnMut(Arc<Services>) -> F + Send + 'static,
    ) -> Self
    where
        F: Future<Output = Result<Step, E>> + Send,
        E: Error + Send,
    {
        let services = Arc::clone(services);
        let log = Arc::clone(services.metrics.worker_log());
        Self::start(name, &log, wake, poll, move || step(Arc::clone(&services)))
    }

    /// Waits for the current step to end, and aborts it at `end`.
    pub async fn stop(mut self, end: Instant) {
        self.shutdown.cancel();
        // An error of the task: a step panicked, and the panic hook has logged it.
        if tokio::time::timeout_at(end, &mut self.task).await.is_err() {
            tracing::warn!(worker = self.name, "a step of a worker was aborted: the shutdown took too long");
            self.task.abort();
        }
    }
}

async fn wait_for_wake(wake: Option<&Notify>) {
    match wake {
        Some(wake) => wake.notified().await,
        None => std::future::pending().await,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    const NEVER: Duration = Duration::from_secs(3_600);

    /// Starts a worker that counts its steps; `outcome` maps the number of a step, from 1, to its result.
    fn counting(
        wake: &Arc<Notify>,
        poll: Duration,
        outcome: fn(usize) -> Result<Step, std::fmt::Error>,
    ) -> (Worker, Count) {
        let count = Count::default();
        let counted = count.clone();
        let worker = Worker::start("test", &Arc::default(), wake.clone(), poll, move || {
            let number = counted.0.fetch_add(1, Ordering::SeqCst) + 1;
            async move { outcome(number) }
        });
        (worker, count)
    }

    #[derive(Clone, Default)]
    struct Count(Arc<AtomicUsize>);

    impl Count {
        async fn reaches(&self, number: usize) {
            while self.0.load(Ordering::SeqCst) < number {
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
        }
    }

    #[tokio::test]
    async fn step_is_repeated_while_there_is_more_and_when_woken() {
        let wake = Arc::<Notify>::default();
        let (worker, count) = counting(&wake, NEVER, |number| Ok(if number < 3 { Step::More } else { Step::Done }));
        count.reaches(3).await;
        tokio::time::sleep(Duration::from_millis(20)).await;
        assert_eq!(count.0.load(Ordering::SeqCst), 3, "there is no reason for a fourth step");
        wake.notify_one();
        count.reaches(4).await;
        worker.stop(Instant::now() + NEVER).await;
    }

    #[tokio::test]
    async fn step_is_repeated_after_the_poll_interval() {
        let (worker, count) = counting(&Arc::default(), Duration::from_millis(1), |_| Ok(Step::Done));
        count.reaches(5).await;
        worker.stop(Instant::now() + NEVER).await;
    }

    #[tokio::test]
    async fn step_that_failed_is_not_repeated_when_woken() {
        let wake = Arc::<Notify>::default();
        let (worker, count) = counting(&wake, NEVER, |_| Err(std::fmt::Error));
        count.reaches(1).await;
        wake.notify_one();
        tokio::time::sleep(Duration::from_millis(20)).await;
        assert_eq!(count.0.load(Ordering::SeqCst), 1);
        worker.stop(Instant::now() + NEVER).await;
    }

    #[tokio::test]
    async fn stop_waits_for_the_current_step() {
        let ended = Count::default();
        let counted = ended.clone();
        let (started, start) = tokio::sync::oneshot::channel();
        let mut started = Some(started);
        let worker = Worker::start("test", &Arc::default(), Arc::default(), NEVER, move || {
            let (counted, started) = (counted.clone(), started.take());
            async move {
                let _ = started.expect("there is one step").send(());
                tokio::time::sleep(Duration::from_millis(30)).await;
                counted.0.fetch_add(1, Ordering::SeqCst);
                Ok::<_, std::fmt::Error>(Step::More)
            }
        });
        start.await.expect("the step starts");
        worker.stop(Instant::now() + NEVER).await;
        assert_eq!(ended.0.load(Ordering::SeqCst), 1);
    }

    #[tokio::test]
    async fn stop_aborts_a_step_that_does_not_end_in_time() {
        let (held, holds) = tokio::sync::oneshot::channel::<()>();
        let mut held = Some(held);
        let worker = Worker::start("test", &Arc::default(), Arc::default(), NEVER, move || {
            let held = held.take();
            async move {
                let _held = held;
                std::future::pending::<Result<Step, std::fmt::Error>>().await
            }
        });
        tokio::task::yield_now().await;
        let began = Instant::now();
        worker.stop(began + Duration::from_millis(100)).await;
        assert!(began.elapsed() >= Duration::from_millis(100));
        assert!(holds.await.is_err(), "the step is dropped");
    }
}
