//! A partner creates, changes and deletes a subscription (specification, section 6; decisions W3, W5).

use super::callback;
use crate::base::{GlobalId, HttpUrl, Kind, Parsed, Patch, limits};
use crate::model::{KeyMode, SubscriptionHealth, Topic, UserError, UserErrorCode, WebhookSubscription, text};
use crate::operation::{Caller, OperationError};
use crate::services::Services;
use crate::store::{ChangeCallbackError, CreateSubscriptionError};

/// The input of a new subscription.
#[derive(Clone, Debug)]
pub(crate) struct Subscribe {
    pub topic: Topic,
    pub callback_url: Parsed<HttpUrl>,
}

/// Creates the subscription. Its notifications are rendered in the version of the request.
///
/// Without an active signing secret it is refused, because its notifications would wait unseen (decisions W6).
pub(crate) async fn subscribe(
    services: &Services,
    caller: &Caller,
    input: Subscribe,
) -> Result<WebhookSubscription, OperationError> {
    let now = services.clock.now();
    if services.store.webhook_secrets(caller.partner_id, now).await?.is_empty() {
        return Err(OperationError::refused(callback::invalid(text::NO_SIGNING_SECRET)));
    }
    let callback_url = callback::accept(services, input.callback_url).await.map_err(OperationError::Refused)?;
    let subscription = WebhookSubscription {
        id: services.entropy.uuid(now),
        partner_id: caller.partner_id,
        topic: input.topic,
        callback_url,
        api_version: caller.version.to_owned(),
        test: caller.mode == KeyMode::Test,
        created_at: now,
        updated_at: now,
        health: SubscriptionHealth::default(),
    };
    let max = limits::SUBSCRIPTIONS_PER_TOPIC_MAX;
    match services.store.create_subscription(subscription.clone(), max).await {
        Ok(()) => Ok(subscription),
        Err(CreateSubscriptionError::Taken(holder)) => {
            Err(OperationError::refused(callback::taken(caller.mode, holder)))
        }
        Err(CreateSubscriptionError::TooMany) => {
            Err(OperationError::refused(callback::invalid(text::too_many_subscriptions(max))))
        }
        Err(CreateSubscriptionError::Store(error)) => Err(error.into()),
    }
}

/// The input of a change.
#[derive(Clone, Debug)]
pub(crate) struct UpdateSubscription {
    pub callback_url: Patch<Parsed<HttpUrl>>,
}

/// Changes the subscription with the global id `id` (version 2027-01). A new URL gets the notifications that the old one did not accept.
pub(crate) async fn update(
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
        ChangeCallbackError::Taken(holder) => OperationError::refused(callback::taken(caller.mode, holder)),
        ChangeCallbackError::Store(error) => error.into(),
    })?;
    if moved {
        // After the address, or it would go to the old one. After a crash in between, they wait for their next attempt.
        services.store.resume_subscription(id, now).await?;
    }
    Ok(subscription)
}

/// Deletes the subscription with the global id `id`, and returns the id.
pub(crate) async fn unsubscribe(services: &Services, caller: &Caller, id: &str) -> Result<GlobalId, OperationError> {
    let uuid = GlobalId::uuid_of(id, Kind::WebhookSubscription).ok_or_else(not_found)?;
    let deleted = services.store.delete_subscription(caller.scope(), uuid).await?;
    deleted.then(|| GlobalId::new(Kind::WebhookSubscription, uuid)).ok_or_else(not_found)
}

/// The user error for an unknown, foreign or malformed id.
fn not_found() -> OperationError {
    OperationError::refused(UserError::new(UserErrorCode::NotFound, &["id"], text::SUBSCRIPTION_NOT_FOUND))
}
