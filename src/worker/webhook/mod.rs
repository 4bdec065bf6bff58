//! The webhook worker: sends signed notifications, at least once, in order for each address and card (decisions W2, W3).
//!
//! Started by `app`. Read `dispatcher.rs` first: claim, sign, send, finish.

mod dispatcher;
mod in_flight;
pub mod order;
pub mod recovery;
mod results;
mod retry;

use std::sync::Arc;

use tokio::sync::Mutex;
use tokio::time::Instant;

pub use self::dispatcher::Dispatcher;
use super::{Step, Worker};
use crate::base::limits;
use crate::services::Services;

/// The running webhook worker.
pub struct Webhooks {
    worker: Worker,
    recovery: Worker,
    order: Worker,
    dispatcher: Arc<Dispatcher>,
}

impl Webhooks {
    /// Starts the worker.
    pub fn start(services: &Arc<Services>) -> Self {
        let dispatcher = Dispatcher::new(Arc::clone(services));
        let stepping = Arc::clone(&dispatcher);
        let wake = services.store.signals().deliveries.clone();
        let log = services.metrics.worker_log();
        let worker = Worker::start("webhooks", log, wake, limits::WORKER_POLL, move || {
            let dispatcher = Arc::clone(&stepping);
            async move { dispatcher.step().await }
        });
        let recovering = Arc::clone(services);
        let recovery = Worker::start("recovery", log, Arc::default(), limits::RECOVERY_PAUSE, move || {
            let services = Arc::clone(&recovering);
            async move { recovery::step(&services).await }
        });
        let (checking, position) = (Arc::clone(services), Arc::<Mutex<order::Position>>::default());
        let order = Worker::start("delivery_order", log, Arc::default(), limits::ORDER_CHECK_PAUSE, move || {
            let (services, position) = (Arc::clone(&checking), Arc::clone(&position));
            async move { order::step(&services, &mut *position.lock().await).await.map(|()| Step::Done) }
        });
        Self { worker, recovery, order, dispatcher }
    }

    /// Stops claiming, releases the deliveries that were not started, and waits for the others until `end`.
    pub async fn stop(self, end: Instant) {
        tokio::join!(self.worker.stop(end), self.recovery.stop(end), self.order.stop(end));
        self.dispatcher.stop(end).await;
    }
}
