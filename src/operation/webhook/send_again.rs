//! Subscriptions are paused by the operator, and notifications are sent again: by the partner, one delivery or all that failed (version 2027-01), or by the operator, one
//! delivery, those of a pause, or all since a time (decisions W3).
//!
//! Receivers ignore repeats by their id, so none of these does harm.

use uuid::Uuid;

use crate::base::{GlobalId, Kind, Parsed, Timestamp};
use crate::model::{Delivery, UserError, UserErrorCode, WebhookDelivery, text};
use crate::operation::{Caller, Failure, OperationError};
use crate::services::Services;
use crate::store::Queue;

/// Why nothing was sent again.
#[derive(Debug, thiserror::Error)]
pub enum SendAgainError {
    #[error("The subscription was cancelled meanwhile.")]
    Cancelled,
    #[error(
        "The delivery {0} cannot be sent now: an attempt runs, or an earlier one of its card comes first (see webhook \
         show)."
    )]
    NotNow(Uuid),
    #[error("There is nothing to send again from a time in the future.")]
    Future,
    #[error("Nothing could be sent again.")]
    Failed(#[source] Failure),
}

/// Pauses a subscription: its notifications wait, for [`DELIVERY_HELD`](crate::base::limits::DELIVERY_HELD) at the most.
pub async fn pause(services: &Services, subscription_id: Uuid) -> Result<(), SendAgainError> {
    let paused = services.store.pause_subscription(subscription_id, services.clock.now()).await.map_err(failed)?;
    services.store.notify(Queue::DeliveryOrder);
    if paused { Ok(()) } else { Err(SendAgainError::Cancelled) }
}

/// Ends the pause of a subscription. Returns the number of failed deliveries that are sent after all.
pub async fn resume(services: &Services, subscription_id: Uuid) -> Result<usize, SendAgainError> {
    let resumed = services.store.resume_subscription(subscription_id, services.clock.now()).await;
    resumed.map_err(failed)?.ok_or(SendAgainError::Cancelled)
}

/// Sends one delivery again, or makes its next attempt now.
pub async fn resend(services: &Services, delivery: &Delivery) -> Result<(), SendAgainError> {
    let resent = services.store.resend(delivery.id, services.clock.now()).await.map_err(failed)?;
    if resent { Ok(()) } else { Err(SendAgainError::NotNow(delivery.id)) }
}

/// Sends every delivered or failed notification of `since` or later again, and returns their number.
pub async fn replay(services: &Services, subscription_id: Uuid, since: Timestamp) -> Result<usize, SendAgainError> {
    let now = services.clock.now();
    if since > now {
        return Err(SendAgainError::Future);
    }
    let replayed = services.store.replay_deliveries(subscription_id, since, now).await;
    replayed.map_err(failed)?.ok_or(SendAgainError::Cancelled)
}

fn failed(error: impl Into<Failure>) -> SendAgainError {
    SendAgainError::Failed(error.into())
}

/// Sends the delivery with the global id `id` again for its partner, or makes its next attempt now. A delivery that is being sent, or waits
/// for an earlier one of its card, is unchanged, so a repeated request sends it once.
pub async fn redeliver(services: &Services, caller: &Caller, id: &str) -> Result<WebhookDelivery, OperationError> {
    let id = GlobalId::uuid_of(id, Kind::WebhookDelivery).ok_or_else(not_found)?;
    let (store, scope) = (&services.store, caller.scope());
    let found = store.webhook_delivery(scope, id).await?.ok_or_else(not_found)?;
    let subscription = store.subscription(scope, found.delivery.subscription_id).await?.ok_or_else(not_found)?;
    if subscription.health.pause.is_some() {
        return Err(refused(UserErrorCode::Unprocessable, text::SUBSCRIPTION_PAUSED));
    }
    store.resend(id, services.clock.now()).await?;
    store.webhook_delivery(scope, id).await?.ok_or_else(not_found)
}

/// Lets everything that failed since a time be sent again, of all subscriptions that the caller reaches, and counts it.
pub async fn recover(services: &Services, caller: &Caller, since: Parsed<Timestamp>) -> Result<i64, OperationError> {
    let invalid = |message| OperationError::refused(UserError::new(UserErrorCode::Invalid, &["since"], message));
    let since = since.ok().map_err(|_| invalid(text::TIME_INVALID))?;
    if since > services.clock.now() {
        return Err(invalid(text::TIME_IN_FUTURE));
    }
    Ok(services.store.recover_deliveries(caller.scope(), since).await?)
}

fn not_found() -> OperationError {
    refused(UserErrorCode::NotFound, text::DELIVERY_NOT_FOUND)
}

fn refused(code: UserErrorCode, message: &str) -> OperationError {
    OperationError::refused(UserError::new(code, &["id"], message))
}
