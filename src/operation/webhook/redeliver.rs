//! A partner asks for a notification again (version 2027-01; decisions W3).

use crate::base::{GlobalId, Kind};
use crate::model::{UserError, UserErrorCode, WebhookDelivery, text};
use crate::operation::{Caller, OperationError, Services};

/// Sends the delivery with the global id `id` again, or makes its next attempt now. A delivery that is being sent, or waits
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

fn not_found() -> OperationError {
    refused(UserErrorCode::NotFound, text::DELIVERY_NOT_FOUND)
}

fn refused(code: UserErrorCode, message: &str) -> OperationError {
    OperationError::refused(UserError::new(code, &["id"], message))
}
