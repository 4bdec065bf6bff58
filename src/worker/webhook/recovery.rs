//! Sends failed notifications again, in batches, for partners that asked for it (decisions W8).
//!
//! A step sends a batch of each recovering subscription again, [`limits::DELIVERIES_RECOVERED_AT_ONCE`] in all. Its worker
//! pauses after it for [`limits::RECOVERY_PAUSE`]. New notifications are sent meanwhile.

use crate::base::limits;
use crate::services::Services;
use crate::store::{Queue, StoreError};
use crate::worker::Step;

/// Sends the next batch of every recovering subscription. Always [`Step::Done`], also if there is more: the rest waits for
/// the next step.
pub async fn step(services: &Services) -> Result<Step, StoreError> {
    let recovering = services.store.recovering().await?;
    let count_max = limits::DELIVERIES_RECOVERED_AT_ONCE.div_ceil(recovering.len().max(1));
    for subscription_id in recovering {
        if services.store.recover_batch(subscription_id, count_max, services.clock.now()).await? {
            services.store.notify(Queue::Deliveries);
        }
    }
    Ok(Step::Done)
}
