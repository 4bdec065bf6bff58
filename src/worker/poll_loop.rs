//! The loop of every worker: around one public `step()`, which tests call by themselves.
//!
//! Started by `app` for housekeeping, webhooks, mail and the activation of cards.

use std::error::Error;
use std::time::Duration;

use tokio::task::JoinHandle;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::base::{ErrorChain, Wake};

/// A loop, running.
pub struct Worker {
    name: &'static str,
    shutdown: CancellationToken,
    rounds: JoinHandle<()>,
}

/// What one step found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// There may be more: the next step follows at once.
    More,
    /// Nothing is left that could be done now.
    Done,
}

impl Worker {
    /// Takes steps until it is stopped: as long as there is more, then when it is woken, and every `poll` for want of
    /// that. A step that fails is told once, here, and followed by another after `poll`.
    pub fn start<F, E>(
        name: &'static str,
        wake: Wake,
        poll: Duration,
        mut step: impl FnMut() -> F + Send + 'static,
    ) -> Self
    where
        F: Future<Output = Result<Step, E>> + Send,
        E: Error + Send,
    {
        let shutdown = CancellationToken::new();
        let cancelled = shutdown.clone();
        let rounds = tokio::spawn(async move {
            while !cancelled.is_cancelled() {
                // A step is never broken off: it comes to its end before the word to stop is heard.
                let words = match step().await {
                    Ok(Step::More) => continue,
                    Ok(Step::Done) => Some(&wake),
                    Err(error) => {
                        tracing::warn!(worker = name, error = %ErrorChain(&error), "a step of a worker failed; it goes on");
                        // Whatever is broken is not asked again at once, however often it is called for.
                        None
                    }
                };
                tokio::select! {
                    () = cancelled.cancelled() => {}
                    () = woken(words) => {}
                    () = tokio::time::sleep(poll) => {}
                }
            }
        });
        Self { name, shutdown, rounds }
    }

    /// Lets the step that runs come to its end; there is no other. One that has not ended at `end` is broken off.
    pub async fn stop(mut self, end: Instant) {
        self.shutdown.cancel();
        // An error of the task: a step has panicked, which the panic hook has told.
        if tokio::time::timeout_at(end, &mut self.rounds).await.is_err() {
            tracing::warn!(worker = self.name, "a step of a worker was broken off: the time for stopping was over");
            self.rounds.abort();
        }
    }
}

async fn woken(wake: Option<&Wake>) {
    match wake {
        Some(wake) => wake.woken().await,
        None => std::future::pending().await,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    const NEVER: Duration = Duration::from_secs(3_600);

    /// A worker that counts its steps, each of which ends as `outcome` says for its number, from 1.
    fn counting(wake: &Wake, poll: Duration, outcome: fn(usize) -> Result<Step, std::fmt::Error>) -> (Worker, Count) {
        let count = Count::default();
        let counted = count.clone();
        let worker = Worker::start("test", wake.clone(), poll, move || {
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
    async fn step_is_taken_again_while_there_is_more_and_when_woken() {
        let wake = Wake::default();
        let (worker, count) = counting(&wake, NEVER, |number| Ok(if number < 3 { Step::More } else { Step::Done }));
        count.reaches(3).await;
        tokio::time::sleep(Duration::from_millis(20)).await;
        assert_eq!(count.0.load(Ordering::SeqCst), 3, "nothing calls for a fourth step");
        wake.wake();
        count.reaches(4).await;
        worker.stop(Instant::now() + NEVER).await;
    }

    #[tokio::test]
    async fn step_is_taken_by_itself_when_nobody_wakes() {
        let (worker, count) = counting(&Wake::default(), Duration::from_millis(1), |_| Ok(Step::Done));
        count.reaches(5).await;
        worker.stop(Instant::now() + NEVER).await;
    }

    #[tokio::test]
    async fn step_that_failed_is_not_taken_again_at_once_however_often_it_is_woken() {
        let wake = Wake::default();
        let (worker, count) = counting(&wake, NEVER, |_| Err(std::fmt::Error));
        count.reaches(1).await;
        wake.wake();
        tokio::time::sleep(Duration::from_millis(20)).await;
        assert_eq!(count.0.load(Ordering::SeqCst), 1);
        worker.stop(Instant::now() + NEVER).await;
    }

    #[tokio::test]
    async fn stop_waits_for_the_step_that_runs() {
        let ended = Count::default();
        let counted = ended.clone();
        let (started, start) = tokio::sync::oneshot::channel();
        let mut started = Some(started);
        let worker = Worker::start("test", Wake::default(), NEVER, move || {
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
    async fn stop_breaks_off_a_step_that_does_not_end_in_time() {
        let (held, holds) = tokio::sync::oneshot::channel::<()>();
        let mut held = Some(held);
        let worker = Worker::start("test", Wake::default(), NEVER, move || {
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
        assert!(holds.await.is_err(), "what the step held is let go");
    }
}
