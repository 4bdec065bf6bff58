//! Writes what became of deliveries, many at a time: whatever comes in while one batch is written, and in the moment after,
//! is the next batch.

use std::sync::Arc;

use tokio::sync::mpsc;

use super::room::Rooms;
use crate::base::{Causes, Clock, limits};
use crate::store::{Finished, Store};

/// The way to the one who writes.
pub(super) struct Finisher(mpsc::UnboundedSender<Finished>);

impl Finisher {
    /// Starts the one who writes; it ends when nobody can send it anything any more.
    pub(super) fn start(store: Store, clock: Clock, rooms: Arc<Rooms>) -> Self {
        // No more wait than there are deliveries under way, of which there is a limit.
        let (send, mut receive) = mpsc::unbounded_channel();
        tokio::spawn(async move {
            let mut batch: Vec<Finished> = Vec::new();
            while receive.recv_many(&mut batch, limits::DELIVERIES_FINISHED_AT_ONCE).await > 0 {
                if rooms.under_way() > batch.len() {
                    // Others are on their way: those that arrive in a moment share the transaction, and its flush.
                    tokio::time::sleep(limits::DELIVERIES_GATHERED).await;
                    while batch.len() < limits::DELIVERIES_FINISHED_AT_ONCE
                        && let Ok(arrived) = receive.try_recv()
                    {
                        batch.push(arrived);
                    }
                }
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
                        error = %Causes(&error),
                        count = batch.len(),
                        "what became of notifications could not be written; they go out again"
                    ),
                }
                batch.drain(..).for_each(|finished| rooms.leave(&finished));
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
