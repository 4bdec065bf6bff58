//! A partner creates, changes and deletes a subscription (specification, section 6; decisions W3, W5).

use uuid::Uuid;

use crate::base::{GlobalId, HttpUrl, Kind, Parsed, Patch, Progress, is_blank, is_hidden, limits, trim_invisible};
use crate::model::{KeyMode, SubscriptionHealth, Topic, UserError, UserErrorCode, WebhookSubscription, messages};
use crate::operation::{Caller, OperationError};
use crate::outbound::{CheckError, FetchError};
use crate::services::Services;
use crate::store::{AddressHolder, ChangeSubscriptionError, CreateSubscriptionError, Queue, SubscriptionChange};
use crate::webhook::challenge_request;

/// The input of a new subscription.
#[derive(Clone, Debug)]
pub struct Subscribe {
    pub topic: Topic,
    pub callback_url: Parsed<HttpUrl>,
    pub name: Option<String>,
}

/// Creates the subscription. Its notifications are rendered in the version of the request.
///
/// Without an active signing secret it is refused, because its notifications would wait unseen.
pub async fn subscribe(
    services: &Services,
    caller: &Caller,
    input: Subscribe,
) -> Result<WebhookSubscription, OperationError> {
    let now = services.clock.now();
    if services.store.active_webhook_secrets(caller.partner_id, caller.mode, now).await?.is_empty() {
        return Err(OperationError::refuse(invalid(messages::NO_SIGNING_SECRET)));
    }
    let callback_url = accept(services, input.callback_url).await;
    let callback_url = with_errors_of(callback_url, name_error(input.name.as_deref()))?;
    pass(services, caller.partner_id, caller.mode, &callback_url).await?;
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
        Err(CreateSubscriptionError::Taken(holder)) => Err(OperationError::refuse(taken_error(caller.mode, holder))),
        Err(CreateSubscriptionError::TooMany) => {
            Err(OperationError::refuse(invalid(messages::too_many_subscriptions(max))))
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
        Patch::Null => Err(vec![blank()]),
        Patch::Value(sent) => accept(services, sent).await.map(Some),
    };
    let callback_url = with_errors_of(callback_url, name_error(input.name.as_ref().value().map(String::as_str)))?;
    let now = services.clock.now();
    if let Some(address) = &callback_url
        && address.url() != before.callback_url.url()
    {
        pass(services, before.partner_id, before.mode(), address).await?;
    }
    let change = SubscriptionChange { callback_url, name: input.name };
    let changed = services.store.change_subscription(caller.scope(), id, change, now).await;
    let (subscription, moved) = changed.map_err(|error| match error {
        ChangeSubscriptionError::NotFound => not_found(),
        ChangeSubscriptionError::Taken(holder) => OperationError::refuse(taken_error(caller.mode, holder)),
        ChangeSubscriptionError::Store(error) => error.into(),
    })?;
    if moved {
        // After the address, or it would go to the old one. After a crash in between, they wait for their next attempt.
        services.store.resume_subscription(id, now, &Progress::default()).await?;
        services.store.notify(Queue::DeliverySequence);
    }
    Ok(subscription)
}

/// The user error for a name that is blank, too long, or not a line of visible text.
fn name_error(name: Option<&str>) -> Option<UserError> {
    let name = name?;
    let (code, message) = if is_blank(name) {
        (UserErrorCode::Blank, messages::SUBSCRIPTION_NAME_BLANK.to_owned())
    } else if name.chars().count() > limits::SUBSCRIPTION_NAME_CHARS_MAX {
        (UserErrorCode::Invalid, messages::text_too_long(limits::SUBSCRIPTION_NAME_CHARS_MAX))
    } else if name.chars().any(is_hidden) {
        (UserErrorCode::Invalid, messages::NAME_CHARACTER.to_owned())
    } else {
        return None;
    };
    Some(UserError::new(code, &["webhookSubscription", "name"], message))
}

/// Returns the checked value, or its errors together with the error of another field.
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
    services.store.notify(Queue::DeliverySequence);
    deleted.then(|| GlobalId::new(Kind::WebhookSubscription, uuid)).ok_or_else(not_found)
}

/// The user error for an unknown, foreign or malformed id.
pub(super) fn not_found() -> OperationError {
    OperationError::refuse(UserError::new(UserErrorCode::NotFound, &["id"], messages::SUBSCRIPTION_NOT_FOUND))
}

const CALLBACK_URL: &[&str] = &["webhookSubscription", "callbackUrl"];

/// Checks a callback URL and that notifications can be sent to it.
pub(super) async fn accept(services: &Services, sent: Parsed<HttpUrl>) -> Result<HttpUrl, Vec<UserError>> {
    let address = check(sent)?;
    // The DNS query comes last.
    let reachable = services.outbound.check(&address.url()).await;
    reachable.map_err(|error| vec![not_reachable(&error)])?;
    Ok(address)
}

/// Checks the text of a callback URL.
fn check(sent: Parsed<HttpUrl>) -> Result<HttpUrl, Vec<UserError>> {
    let address = match sent {
        Parsed::Value(address) => address,
        Parsed::Invalid(text) if is_blank(&text) => {
            return Err(vec![blank()]);
        }
        Parsed::Invalid(text) if is_too_long(trim_invisible(&text)) => return Err(vec![invalid(too_long())]),
        Parsed::Invalid(_) => return Err(vec![invalid(messages::CALLBACK_NOT_HTTPS)]),
    };
    let url = address.url();
    let broken: Vec<_> = [
        is_too_long(address.as_str()).then(|| invalid(too_long())),
        (url.scheme() != "https").then(|| invalid(messages::CALLBACK_NOT_HTTPS)),
        address.has_credentials().then(|| invalid(messages::CALLBACK_CREDENTIALS)),
        url.fragment().is_some().then(|| invalid(messages::CALLBACK_FRAGMENT)),
    ]
    .into_iter()
    .flatten()
    .collect();
    if broken.is_empty() { Ok(address) } else { Err(broken) }
}

/// The user error for an address that the egress policy refuses.
fn not_reachable(error: &CheckError) -> UserError {
    invalid(match error {
        CheckError::NotPublic => messages::CALLBACK_NOT_PUBLIC,
        CheckError::Unresolved => messages::CALLBACK_UNRESOLVED,
    })
}

pub(super) fn blank() -> UserError {
    UserError::new(UserErrorCode::Blank, CALLBACK_URL, messages::CALLBACK_BLANK)
}

/// The user error for an address that another subscription of the account has. It says whether that one is paused (decisions
/// W7). A test key learns nothing else about a live subscription.
pub(super) fn taken_error(mode: KeyMode, holder: AddressHolder) -> UserError {
    let (message, pause) = match (mode, holder.test) {
        (KeyMode::Test, false) => (messages::CALLBACK_TAKEN_LIVE, None),
        (KeyMode::Live, true) => (messages::CALLBACK_TAKEN_TEST, holder.pause),
        (KeyMode::Live, false) | (KeyMode::Test, true) => (messages::CALLBACK_TAKEN, holder.pause),
    };
    let message = pause.map_or(message.to_owned(), |pause| messages::taken_and_paused(message, pause));
    UserError::new(UserErrorCode::Taken, CALLBACK_URL, message)
}

pub(super) fn invalid(message: impl Into<String>) -> UserError {
    UserError::new(UserErrorCode::Invalid, CALLBACK_URL, message)
}

fn is_too_long(text: &str) -> bool {
    text.chars().count() > limits::URL_CHARS_MAX
}

fn too_long() -> String {
    messages::text_too_long(limits::URL_CHARS_MAX)
}

/// Asks the address to repeat an unguessable text, if the operator wants that. The request is signed, so that a receiver
/// that checks signatures answers no other partner's challenge.
pub(super) async fn pass(
    services: &Services,
    partner_id: Uuid,
    mode: KeyMode,
    address: &HttpUrl,
) -> Result<(), OperationError> {
    if !services.policy.webhook_challenge {
        return Ok(());
    }
    let now = services.clock.now();
    let secrets = services.store.active_webhook_secrets(partner_id, mode, now).await?;
    if secrets.is_empty() {
        return Err(OperationError::refuse(invalid(messages::NO_SIGNING_SECRET)));
    }
    let challenge = services.entropy.unguessable();
    let request = challenge_request(services.entropy.uuid(now), &challenge, &secrets, now);
    let bytes_max = limits::CHALLENGE_ANSWER_BYTES_MAX;
    let cause = match services.outbound.ask(&address.url(), request.headers, request.body, bytes_max).await {
        Ok(answer) if answer.trim_ascii() == challenge.as_bytes() => return Ok(()),
        Ok(_) | Err(FetchError::TooLarge) => messages::CHALLENGE_OTHER_ANSWER.to_owned(),
        Err(FetchError::Status(status)) => messages::status(status),
        Err(FetchError::NoAnswer(cause)) if cause.is_time_out() => messages::TIME_OUT.to_owned(),
        // As for a portrait: the message reveals nothing about the internal network.
        Err(FetchError::NoAnswer(_) | FetchError::Refused | FetchError::Redirects) => {
            messages::NO_CONNECTION.to_owned()
        }
    };
    Err(OperationError::refuse(invalid(messages::challenge_failed(&cause))))
}
