//! Writes what became of deliveries, many at a time: whatever comes in while one batch is written, and in the moments after,
//! is the next batch.

use std::sync::Arc;

use tokio::sync::mpsc::{self, UnboundedReceiver};
use tokio::time::Instant;

use super::room::Rooms;
use crate::base::{Clock, ErrorChain, limits};
use crate::store::{Finished, Store};

/// The way to the one who writes.
pub(super) struct Finisher(mpsc::UnboundedSender<Finished>);

impl Finisher {
    /// Starts the one who writes; it ends when nobody can send it anything any more.
    pub(super) fn start<T: Send + 'static>(store: Store, clock: Clock, rooms: Arc<Rooms<T>>) -> Self {
        // No more wait than there are deliveries under way, of which there is a limit.
        let (send, mut receive) = mpsc::unbounded_channel();
        tokio::spawn(async move {
            let mut batch: Vec<Finished> = Vec::new();
            while receive.recv_many(&mut batch, limits::DELIVERIES_FINISHED_AT_ONCE).await > 0 {
                gather(&mut receive, &mut batch, &rooms).await;
                match store.finish_deliveries(batch.clone(), clock.now()).await {
                    Ok(paused) => {
                        for paused in paused {
                            let (subscription_id, reason) = (paused.subscription_id, paused.reason.as_str());
                            tracing::warn!(%subscription_id, reason, "a subscription was paused; the operator resumes it");
                            rooms.close(subscription_id);
                        }
                    }
                    // Their leases end, and they go out again: to receivers these are repetitions.
                    Err(error) => tracing::warn!(
                        error = %ErrorChain(&error),
                        count = batch.len(),
                        "what became of notifications could not be written; they go out again"
                    ),
                }
                rooms.leave(batch.drain(..).map(|finished| finished.subscription_id));
                // There is room again, and it is the turn of what waited behind these.
                store.wakes().deliveries.wake();
            }
        });
        Self(send)
    }

    /// Has it written, in its turn. Once it is on the disk, it has left its room.
    pub(super) fn write(&self, finished: Finished) {
        let _ = self.0.send(finished); // an error: the writing panicked, which the panic hook has told
    }
}

/// Others are on their way: those that arrive in a moment share the transaction, and its flush. As long as they keep
/// coming, they are waited for a while: a row of a large batch costs half of what it costs in a small one.
async fn gather<T>(receive: &mut UnboundedReceiver<Finished>, batch: &mut Vec<Finished>, rooms: &Rooms<T>) {
    let end = Instant::now() + limits::DELIVERIES_GATHERED_MAX;
    while batch.len() < rooms.under_way().min(limits::DELIVERIES_FINISHED_AT_ONCE) && Instant::now() < end {
        let before = batch.len();
        tokio::time::sleep(limits::DELIVERIES_GATHERED).await;
        while batch.len() < limits::DELIVERIES_FINISHED_AT_ONCE
            && let Ok(arrived) = receive.try_recv()
        {
            batch.push(arrived);
        }
        if batch.len() == before {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use futures_util::FutureExt as _;
    use uuid::Uuid;

    use super::*;
    use crate::base::Timestamp;
    use crate::store::Verdict;

    fn finished() -> Finished {
        Finished {
            delivery_id: Uuid::nil(),
            subscription_id: Uuid::nil(),
            card_id: Uuid::nil(),
            lease: Uuid::nil(),
            attempt: None,
            verdict: Verdict::Delivered,
        }
    }

    fn under_way(count: usize) -> Arc<Rooms<()>> {
        let rooms = Arc::<Rooms<()>>::default();
        drop(rooms.enter((0..count).map(|_| (Uuid::nil(), ())), Timestamp::from_millis(0).expect("a moment")));
        rooms
    }

    #[tokio::test]
    async fn result_that_nothing_is_under_way_beside_is_not_kept_waiting() {
        let (_send, mut receive) = mpsc::unbounded_channel();
        let mut batch = vec![finished()];
        assert!(gather(&mut receive, &mut batch, &under_way(1)).now_or_never().is_some());
        assert_eq!(batch.len(), 1);
    }

    #[tokio::test]
    async fn results_that_come_in_a_moment_are_gathered_but_not_for_ever_and_not_too_many() {
        let (send, mut receive) = mpsc::unbounded_channel();
        let rooms = under_way(10 * limits::DELIVERIES_FINISHED_AT_ONCE);
        let mut batch = vec![finished()];
        (0..2 * limits::DELIVERIES_FINISHED_AT_ONCE).for_each(|_| send.send(finished()).expect("it is received"));
        gather(&mut receive, &mut batch, &rooms).await;
        assert_eq!(batch.len(), limits::DELIVERIES_FINISHED_AT_ONCE);

        batch.truncate(1);
        while receive.try_recv().is_ok() {}
        let dripping = tokio::spawn(async move {
            while send.send(finished()).is_ok() {
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
        });
        let gathered = tokio::time::timeout(Duration::from_secs(10), gather(&mut receive, &mut batch, &rooms)).await;
        assert!(gathered.is_ok(), "they never stop coming");
        assert!((2..limits::DELIVERIES_FINISHED_AT_ONCE).contains(&batch.len()), "{}: its time was over", batch.len());
        drop(receive);
        dripping.await.expect("it ends");
    }
}
