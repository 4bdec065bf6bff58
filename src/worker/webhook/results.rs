//! Writes the results of deliveries in batches: results that arrive while a batch is written form the next one.

use std::sync::Arc;

use tokio::sync::mpsc::{self, UnboundedReceiver};
use tokio::time::Instant;

use super::in_flight::InFlight;
use crate::base::{Clock, ErrorChain, limits};
use crate::store::{Finished, Store};

/// A handle of the task that writes results.
pub(super) struct ResultWriter(mpsc::UnboundedSender<Finished>);

impl ResultWriter {
    /// Starts the task, which ends when the handle is dropped.
    pub(super) fn start<T: Send + 'static>(store: Store, clock: Clock, in_flight: Arc<InFlight<T>>) -> Self {
        // Unbounded, because the number of deliveries in flight is bounded.
        let (send, mut receive) = mpsc::unbounded_channel();
        tokio::spawn(async move {
            let mut batch: Vec<Finished> = Vec::new();
            while receive.recv_many(&mut batch, limits::DELIVERIES_FINISHED_AT_ONCE).await > 0 {
                batch_window(&mut receive, &mut batch, &in_flight).await;
                write(&store, &clock, &in_flight, &batch).await;
                in_flight.finish(batch.drain(..).map(|finished| finished.subscription_id));
                // There is capacity again, and the next deliveries of these cards are due.
                store.signals().deliveries.notify_one();
            }
        });
        Self(send)
    }

    /// Queues a result. After it is written, the delivery is not in flight.
    pub(super) fn write(&self, finished: Finished) {
        let _ = self.0.send(finished); // an error: the task panicked, and the panic hook has logged it
    }
}

/// Writes a batch in one transaction. If that fails, the leases expire and the deliveries are sent again.
async fn write<T>(store: &Store, clock: &Clock, in_flight: &InFlight<T>, batch: &[Finished]) {
    match store.finish_deliveries(batch.to_vec(), clock.now()).await {
        Ok(paused) => {
            for paused in paused {
                let (subscription_id, reason) = (paused.subscription_id, paused.reason.as_str());
                tracing::warn!(%subscription_id, reason, "a subscription was paused; the operator resumes it");
                in_flight.pause(subscription_id);
            }
        }
        Err(error) => tracing::warn!(
            error = %ErrorChain(&error),
            count = batch.len(),
            "what became of notifications could not be written; they go out again"
        ),
    }
}

/// Collects further results, so that they share one transaction and its flush to disk. Ends when the batch is full or holds
/// every delivery in flight, when no result arrives within [`limits::RESULTS_BATCH_WINDOW`], or after
/// [`limits::RESULTS_BATCH_WINDOW_MAX`].
async fn batch_window<T>(
    receive: &mut UnboundedReceiver<Finished>,
    batch: &mut Vec<Finished>,
    in_flight: &InFlight<T>,
) {
    let end = Instant::now() + limits::RESULTS_BATCH_WINDOW_MAX;
    while batch.len() < in_flight.count().min(limits::DELIVERIES_FINISHED_AT_ONCE) && Instant::now() < end {
        let before = batch.len();
        tokio::time::sleep(limits::RESULTS_BATCH_WINDOW).await;
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

    fn in_flight(count: usize) -> Arc<InFlight<()>> {
        let in_flight = Arc::<InFlight<()>>::default();
        let now = Timestamp::from_millis(0).expect("a timestamp");
        drop(in_flight.enqueue((0..count).map(|_| (Uuid::nil(), ())), now));
        in_flight
    }

    #[tokio::test]
    async fn result_of_the_only_delivery_in_flight_is_written_at_once() {
        let (_send, mut receive) = mpsc::unbounded_channel();
        let mut batch = vec![finished()];
        assert!(batch_window(&mut receive, &mut batch, &in_flight(1)).now_or_never().is_some());
        assert_eq!(batch.len(), 1);
    }

    #[tokio::test]
    async fn batch_window_is_limited_in_time_and_size() {
        let (send, mut receive) = mpsc::unbounded_channel();
        let in_flight = in_flight(10 * limits::DELIVERIES_FINISHED_AT_ONCE);
        let mut batch = vec![finished()];
        (0..2 * limits::DELIVERIES_FINISHED_AT_ONCE).for_each(|_| send.send(finished()).expect("it is received"));
        batch_window(&mut receive, &mut batch, &in_flight).await;
        assert_eq!(batch.len(), limits::DELIVERIES_FINISHED_AT_ONCE);

        batch.truncate(1);
        while receive.try_recv().is_ok() {}
        let dripping = tokio::spawn(async move {
            while send.send(finished()).is_ok() {
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
        });
        let window = batch_window(&mut receive, &mut batch, &in_flight);
        let ended = tokio::time::timeout(Duration::from_secs(10), window).await;
        assert!(ended.is_ok(), "results never stop arriving");
        assert!((2..limits::DELIVERIES_FINISHED_AT_ONCE).contains(&batch.len()), "{}: its time was over", batch.len());
        drop(receive);
        dripping.await.expect("it ends");
    }
}
