//! Keeps the order of deliveries after a subscription was paused, resumed, moved or deleted (decisions W3).
//!
//! Such a change is one row; the deliveries follow here. A step walks along the unfinished deliveries, a few pages at a time, puts those
//! in order that wait for nothing or are due out of turn, and deletes those of deleted subscriptions.

use uuid::Uuid;

use crate::base::limits;
use crate::services::Services;
use crate::store::StoreError;

/// Where the next step goes on.
#[derive(Debug, Default)]
pub struct Position {
    subscription_id: Uuid,
    /// The last card of the subscription that was checked.
    card_id: Option<Uuid>,
}

/// Checks up to [`limits::ORDER_PAGES_AT_ONCE`] pages, at most once around.
pub async fn step(services: &Services, position: &mut Position) -> Result<(), StoreError> {
    let store = &services.store;
    for _ in 0..limits::ORDER_PAGES_AT_ONCE {
        let now = services.clock.now();
        if let Some(after) = position.card_id {
            position.card_id = store.order_page(position.subscription_id, after, now).await?;
            continue;
        }
        let Some((id, subscription)) = store.next_unfinished(position.subscription_id).await? else {
            *position = Position::default();
            return Ok(());
        };
        position.subscription_id = id;
        match subscription {
            // Its deliveries wait for nobody, and nobody waits for them.
            Some(paused) if paused.health.pause.is_some() => {}
            Some(_) => position.card_id = Some(Uuid::nil()),
            None => {
                let cancelled = store.delete_unfinished(id, now).await?;
                tracing::debug!(subscription_id = %id, cancelled, "deliveries to a deleted subscription were deleted");
            }
        }
    }
    Ok(())
}
