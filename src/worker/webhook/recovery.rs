//! Sends failed notifications again, in batches, for partners that asked for it (decisions W8).
//!
//! A step sends a batch of each recovering subscription again, [`limits::DELIVERIES_RECOVERED_AT_ONCE`] in all, with a pause
//! after it. New notifications are sent meanwhile.

use crate::base::limits;
use crate::services::Services;
use crate::store::{Queue, StoreError};
use crate::worker::Step;

/// Makes a step, and a pause if there may be more to send.
pub(super) async fn step_and_pause(services: &Services) -> Result<Step, StoreError> {
    let step = step(services).await?;
    if step == Step::More {
        tokio::time::sleep(limits::RECOVERY_PAUSE).await;
    }
    Ok(step)
}

/// Sends the next batch of every recovering subscription.
pub async fn step(services: &Services) -> Result<Step, StoreError> {
    let recovering = services.store.recovering().await?;
    if recovering.is_empty() {
        return Ok(Step::Done);
    }
    let count_max = limits::DELIVERIES_RECOVERED_AT_ONCE.div_ceil(recovering.len());
    for subscription_id in recovering {
        if services.store.recover_batch(subscription_id, count_max, services.clock.now()).await? {
            services.store.notify(Queue::Deliveries);
        }
    }
    Ok(Step::More)
}
