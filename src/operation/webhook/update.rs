//! A partner changes the callback URL of a subscription (version 2027-01; decisions W3, W5).

use super::callback;
use super::unsubscribe::not_found;
use crate::base::{GlobalId, HttpUrl, Kind, Parsed, Patch};
use crate::model::WebhookSubscription;
use crate::operation::{Caller, OperationError, Services};
use crate::store::ChangeCallbackError;

/// The input of a change.
#[derive(Clone, Debug)]
pub struct UpdateSubscription {
    pub callback_url: Patch<Parsed<HttpUrl>>,
}

/// Changes the subscription with the global id `id`. A new URL gets the notifications that the old one did not accept.
pub async fn update(
    services: &Services,
    caller: &Caller,
    id: &str,
    input: UpdateSubscription,
) -> Result<WebhookSubscription, OperationError> {
    let id = GlobalId::uuid_of(id, Kind::WebhookSubscription).ok_or_else(not_found)?;
    let stored = services.store.subscription(caller.scope(), id).await?.ok_or_else(not_found)?;
    let callback_url = match input.callback_url {
        Patch::Absent => return Ok(stored),
        Patch::Null => return Err(OperationError::refused(callback::blank())),
        Patch::Value(sent) => callback::accept(services, sent).await.map_err(OperationError::Refused)?,
    };
    if callback_url == stored.callback_url {
        return Ok(stored);
    }
    let now = services.clock.now();
    let changed = services.store.change_callback(caller.scope(), id, callback_url, now).await;
    let (subscription, moved) = changed.map_err(|error| match error {
        ChangeCallbackError::NotFound => not_found(),
        ChangeCallbackError::Taken { by_test } => OperationError::refused(callback::taken(caller.mode, by_test)),
        ChangeCallbackError::Store(error) => error.into(),
    })?;
    if moved {
        // After the address, or it would go to the old one. After a crash in between, they wait for their next attempt.
        services.store.resume_subscription(id, now).await?;
    }
    Ok(subscription)
}
