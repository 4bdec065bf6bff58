//! A partner deletes a subscription (specification, section 6; decisions W5).

use crate::base::{GlobalId, Kind};
use crate::model::{UserError, UserErrorCode, text};
use crate::operation::{Caller, OperationError, Services};

/// Deletes the subscription with the global id `id`, and returns the id.
pub async fn unsubscribe(services: &Services, caller: &Caller, id: &str) -> Result<GlobalId, OperationError> {
    let uuid = GlobalId::uuid_of(id, Kind::WebhookSubscription).ok_or_else(not_found)?;
    let deleted = services.store.delete_subscription(caller.scope(), uuid).await?;
    deleted.then(|| GlobalId::new(Kind::WebhookSubscription, uuid)).ok_or_else(not_found)
}

/// The user error for an unknown, foreign or malformed id.
pub(super) fn not_found() -> OperationError {
    OperationError::refused(UserError::new(UserErrorCode::NotFound, &["id"], text::SUBSCRIPTION_NOT_FOUND))
}
