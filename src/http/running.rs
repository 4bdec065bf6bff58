//! Work that must run to its end, whoever stops waiting for it, and that a stop of the server waits for.
//!
//! Called by the walk (mutations) and by the keeping of access tokens (their last use).

use std::sync::Arc;

use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::base::{request_id, trace};

/// Counts the work that runs; cheap to clone.
#[derive(Clone)]
pub struct Running(Arc<watch::Sender<usize>>);

/// One piece of work; not counted any more once it is dropped, be it by a panic.
struct Counted(Running);

impl Running {
    pub fn new() -> Self {
        Self(Arc::new(watch::Sender::new(0)))
    }

    /// Runs `work` on a task of its own: to its end, even if nobody awaits the handle any longer.
    pub fn spawn<F>(&self, work: F) -> JoinHandle<F::Output>
    where
        F: Future<Output: Send> + Send + 'static,
    {
        self.0.send_modify(|count| *count += 1);
        let counted = Counted(self.clone());
        let work = trace::carried(async move {
            let _counted = counted;
            work.await
        });
        match request_id::current() {
            Some(id) => tokio::spawn(request_id::within(id, work)),
            None => tokio::spawn(work),
        }
    }

    /// Waits until nothing runs.
    pub async fn ended(&self) {
        let mut count = self.0.subscribe();
        // The sender lives as long as `self`: the wait cannot fail.
        let _ = count.wait_for(|count| *count == 0).await;
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.0.send_modify(|count| *count -= 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn work_nobody_waits_for_is_waited_for_at_the_end() {
        let running = Running::new();
        let (send, receive) = tokio::sync::oneshot::channel();
        drop(running.spawn(async move {
            tokio::task::yield_now().await;
            send.send(1)
        }));
        drop(running.spawn(async { panic!("this work ends badly, and is counted out all the same") }));
        running.ended().await;
        assert_eq!(receive.await, Ok(1));
    }
}
