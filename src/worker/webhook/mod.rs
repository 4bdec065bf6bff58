//! Notifications to the partners' subscriptions: at least once, in order per card, signed (decisions W2, W3).
//!
//! Started by `app`. `dispatcher.rs` is the walk: claim, sign, send, finish.

mod dispatcher;
mod finisher;
mod request;
mod room;
mod schedule;

use std::sync::Arc;

use tokio::time::Instant;

pub use self::dispatcher::Dispatcher;
use super::Worker;
use crate::base::limits;
use crate::operation::Services;

/// The worker that sends notifications, running.
pub struct Webhooks {
    worker: Worker,
    dispatcher: Arc<Dispatcher>,
}

impl Webhooks {
    /// Sends whatever is due, from now on.
    pub fn start(services: &Arc<Services>) -> Self {
        let dispatcher = Dispatcher::new(Arc::clone(services));
        let stepping = Arc::clone(&dispatcher);
        let wake = services.store.wakes().deliveries.clone();
        let worker = Worker::start("webhooks", wake, limits::WORKER_POLL, move || {
            let dispatcher = Arc::clone(&stepping);
            async move { dispatcher.step().await }
        });
        Self { worker, dispatcher }
    }

    /// Claims nothing more, hands back what was not begun, and lets what was begun come to its end, but no later than `end`.
    pub async fn stop(self, end: Instant) {
        self.worker.stop(end).await;
        self.dispatcher.stop(end).await;
    }
}
