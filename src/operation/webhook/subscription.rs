//! A partner creates, changes and deletes a subscription (specification, section 6; decisions W3, W5).

use super::{callback, challenge};
use crate::base::{GlobalId, HttpUrl, Kind, Parsed, Patch, limits};
use crate::model::{
    KeyMode, SubscriptionHealth, Topic, UserError, UserErrorCode, WebhookSubscription, is_hidden, text,
};
use crate::operation::{Caller, OperationError};
use crate::services::Services;
use crate::store::{ChangeSubscriptionError, CreateSubscriptionError, Queue, SubscriptionChange};

/// The input of a new subscription.
#[derive(Clone, Debug)]
pub struct Subscribe {
    pub topic: Topic,
    pub callback_url: Parsed<HttpUrl>,
    pub name: Option<String>,
}

/// Creates the subscription. Its notifications are rendered in the version of the request.
///
/// Without an active signing secret it is refused, because its notifications would wait unseen (decisions W6).
pub async fn subscribe(
    services: &Services,
    caller: &Caller,
    input: Subscribe,
) -> Result<WebhookSubscription, OperationError> {
    let now = services.clock.now();
    if services.store.active_webhook_secrets(caller.partner_id, caller.mode, now).await?.is_empty() {
        return Err(OperationError::refused(callback::invalid(text::NO_SIGNING_SECRET)));
    }
    let callback_url = callback::accept(services, input.callback_url).await;
    let callback_url = with_errors_of(callback_url, name_error(input.name.as_deref()))?;
    challenge::pass(services, caller.partner_id, caller.mode, &callback_url).await?;
    let subscription = WebhookSubscription {
        id: services.entropy.uuid(now),
        partner_id: caller.partner_id,
        topic: input.topic,
        callback_url,
        api_version: caller.version.to_owned(),
        test: caller.mode == KeyMode::Test,
        created_at: now,
        updated_at: now,
        name: input.name,
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
pub struct UpdateSubscription {
    pub callback_url: Patch<Parsed<HttpUrl>>,
    pub name: Patch<String>,
}

/// Changes the subscription with the global id `id` (version 2027-01). A new URL gets the notifications that the old one did not accept.
pub async fn update(
    services: &Services,
    caller: &Caller,
    id: &str,
    input: UpdateSubscription,
) -> Result<WebhookSubscription, OperationError> {
    let id = GlobalId::uuid_of(id, Kind::WebhookSubscription).ok_or_else(not_found)?;
    let before = services.store.subscription(caller.scope(), id).await?.ok_or_else(not_found)?;
    let callback_url = match input.callback_url {
        Patch::Absent => Ok(None),
        Patch::Null => Err(vec![callback::blank()]),
        Patch::Value(sent) => callback::accept(services, sent).await.map(Some),
    };
    let callback_url = with_errors_of(callback_url, name_error(input.name.as_ref().value().map(String::as_str)))?;
    let now = services.clock.now();
    if let Some(address) = &callback_url
        && address.url() != before.callback_url.url()
    {
        challenge::pass(services, before.partner_id, before.mode(), address).await?;
    }
    let change = SubscriptionChange { callback_url, name: input.name };
    let changed = services.store.change_subscription(caller.scope(), id, change, now).await;
    let (subscription, moved) = changed.map_err(|error| match error {
        ChangeSubscriptionError::NotFound => not_found(),
        ChangeSubscriptionError::Taken(holder) => OperationError::refused(callback::taken(caller.mode, holder)),
        ChangeSubscriptionError::Store(error) => error.into(),
    })?;
    if moved {
        // After the address, or it would go to the old one. After a crash in between, they wait for their next attempt.
        services.store.resume_subscription(id, now).await?;
        services.store.notify(Queue::DeliveryOrder);
    }
    Ok(subscription)
}

/// The user error for a name that is blank, too long, or not a line of visible text.
fn name_error(name: Option<&str>) -> Option<UserError> {
    let name = name?;
    let (code, message) = if name.trim().is_empty() {
        (UserErrorCode::Blank, text::SUBSCRIPTION_NAME_BLANK.to_owned())
    } else if name.chars().count() > limits::SUBSCRIPTION_NAME_CHARS_MAX {
        (UserErrorCode::Invalid, text::text_too_long(limits::SUBSCRIPTION_NAME_CHARS_MAX))
    } else if name.chars().any(is_hidden) {
        (UserErrorCode::Invalid, text::NAME_CHARACTER.to_owned())
    } else {
        return None;
    };
    Some(UserError::new(code, &["webhookSubscription", "name"], message))
}

/// The checked value, or its errors together with that of another field.
fn with_errors_of<T>(checked: Result<T, Vec<UserError>>, other: Option<UserError>) -> Result<T, OperationError> {
    match (checked, other) {
        (Ok(value), None) => Ok(value),
        (checked, other) => Err(OperationError::Refused(checked.err().into_iter().flatten().chain(other).collect())),
    }
}

/// Deletes the subscription with the global id `id`, and returns the id.
pub async fn unsubscribe(services: &Services, caller: &Caller, id: &str) -> Result<GlobalId, OperationError> {
    let uuid = GlobalId::uuid_of(id, Kind::WebhookSubscription).ok_or_else(not_found)?;
    let deleted = services.store.delete_subscription(caller.scope(), uuid).await?;
    services.store.notify(Queue::DeliveryOrder);
    deleted.then(|| GlobalId::new(Kind::WebhookSubscription, uuid)).ok_or_else(not_found)
}

/// The user error for an unknown, foreign or malformed id.
pub(super) fn not_found() -> OperationError {
    OperationError::refused(UserError::new(UserErrorCode::NotFound, &["id"], text::SUBSCRIPTION_NOT_FOUND))
}
