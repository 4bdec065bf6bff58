//! Puts deliveries in sequence after a subscription was paused, resumed, moved or deleted, and sends failed ones again for partners
//! that asked for it (decisions W3, W8).
//!
//! A change of a subscription is one row, and wakes the sequence worker. It walks along the unfinished deliveries in pages: it puts
//! in sequence the deliveries that wait for nothing or are due out of turn, and deletes the deliveries
//! of deleted subscriptions. It also walks every minute, for changes that another process made on SQLite and for events that were
//! committed during a change.

use std::sync::Arc;

use tokio::sync::Mutex;
use uuid::Uuid;

use super::{Step, Worker};
use crate::base::limits;
use crate::services::Services;
use crate::store::{Queue, StoreError};

/// Starts the sequence worker.
pub(super) fn start(services: &Arc<Services>) -> Worker {
    let (position, wake) = (Arc::<Mutex<Position>>::default(), services.store.signals().delivery_sequence.clone());
    Worker::start_with("delivery_sequence", services, wake, limits::SEQUENCE_CHECKED_EVERY, move |services| {
        let position = Arc::clone(&position);
        async move { step(&services, &mut *position.lock().await).await }
    })
}

/// The position of the next step.
#[derive(Debug, Default)]
pub struct Position {
    subscription_id: Uuid,
    /// The last card of the subscription that was checked.
    card_id: Option<Uuid>,
}

/// Checks up to [`limits::SEQUENCE_PAGES_AT_ONCE`] pages, at most once around. [`Step::More`]: the walk is not at its end.
pub async fn step(services: &Services, position: &mut Position) -> Result<Step, StoreError> {
    let store = &services.store;
    for _ in 0..limits::SEQUENCE_PAGES_AT_ONCE {
        let now = services.clock.now();
        if let Some(after) = position.card_id {
            position.card_id = store.sequence_page(position.subscription_id, after, now).await?;
            continue;
        }
        let Some((id, subscription)) = store.next_unfinished(position.subscription_id).await? else {
            *position = Position::default();
            return Ok(Step::Done);
        };
        position.subscription_id = id;
        match subscription {
            // Deliveries of a paused subscription neither wait nor are waited for.
            Some(paused) if paused.health.pause.is_some() => {}
            Some(_) => position.card_id = Some(Uuid::nil()),
            None => {
                let count = store.delete_unfinished(id, now).await?;
                tracing::debug!(subscription_id = %id, count, "deliveries to a deleted subscription were deleted");
            }
        }
    }
    Ok(Step::More)
}

/// Starts the worker that sends failed deliveries again, a batch in each [`limits::RECOVERY_PAUSE`].
pub(super) fn start_recovery(services: &Arc<Services>) -> Worker {
    Worker::start_with("recovery", services, Arc::default(), limits::RECOVERY_PAUSE, |services| async move {
        recover(&services).await
    })
}

/// Sends a batch of each recovering subscription again, [`limits::DELIVERIES_RECOVERED_AT_ONCE`] in all. Always [`Step::Done`]:
/// new notifications are sent before the next batch.
pub async fn recover(services: &Services) -> Result<Step, StoreError> {
    let recovering = services.store.recovering().await?;
    let count_max = limits::DELIVERIES_RECOVERED_AT_ONCE.div_ceil(recovering.len().max(1));
    for subscription_id in recovering {
        if services.store.recover_batch(subscription_id, count_max, services.clock.now()).await? {
            services.store.notify(Queue::Deliveries);
        }
    }
    Ok(Step::Done)
}
