//! Deliveries and attempts: lists for the operator; redelivery, recovery and test notifications for partners too (decisions W3).

use uuid::Uuid;

use super::subscription;
use crate::base::limits::DELIVERIES_SHOWN_MAX;
use crate::base::{GlobalId, Kind, Parsed, Progress, Timestamp};
use crate::model::{
    Actor, Attempt, Card, CardStatus, Delivery, DeliveryState, Event, PageRequest, PageStart, Partner, Scope, Topic,
    UserError, UserErrorCode, WebhookDelivery, WebhookSubscription, delivery_id, event_id, messages, render,
};
use crate::operation::{Caller, Failure, OperationError};
use crate::services::Services;
use crate::store::Queue;
use crate::webhook;

/// A subscription with its partner and its counts.
#[derive(Clone, Debug)]
pub(crate) struct SubscriptionSummary {
    pub partner: Partner,
    pub subscription: WebhookSubscription,
    /// The number of pending notifications.
    pub pending: i64,
    /// The number of failed notifications, which can be sent again.
    pub failed: i64,
}

/// Why a subscription or delivery was not found.
#[derive(Debug, thiserror::Error)]
pub(crate) enum InspectError {
    #[error("\"{0}\" is not the id of a subscription, which has the form gid://service/WebhookSubscription/<uuid>.")]
    NoSubscriptionId(String),
    #[error("There is no subscription {0}.")]
    NoSubscription(String),
    #[error("\"{0}\" is neither the id of a delivery, as `webhook show` prints it, nor the id of an event, evt_….")]
    NoDeliveryId(String),
    #[error("There is no delivery {0}. Deliveries are deleted 30 days after their event, or with their subscription.")]
    NoDelivery(String),
    #[error("The event {event} went to {} subscriptions. Name one of its deliveries: {}.", .ids.len(), join_ids(.ids))]
    SeveralDeliveries { event: String, ids: Vec<Uuid> },
    #[error("The notifications could not be looked up.")]
    Failed(#[source] Failure),
}

impl<F: Into<Failure>> From<F> for InspectError {
    fn from(failure: F) -> Self {
        InspectError::Failed(failure.into())
    }
}

fn join_ids(ids: &[Uuid]) -> String {
    ids.iter().map(Uuid::to_string).collect::<Vec<_>>().join(", ")
}

/// The subscriptions of one partner or of all, newest first.
pub(crate) async fn subscriptions(
    services: &Services,
    partner: Option<&Partner>,
) -> Result<Vec<SubscriptionSummary>, Failure> {
    let partners = match partner {
        Some(partner) => vec![partner.clone()],
        None => services.store.partners().await?,
    };
    let mut all = Vec::new();
    for partner in partners {
        for subscription in subscriptions_of(services, partner.id).await? {
            // Deleted since the page was read.
            if let Some(subscription) = services.store.any_subscription(subscription.id).await? {
                all.push(summary_of(services, partner.clone(), subscription).await?);
            }
        }
    }
    Ok(all)
}

/// One subscription, by its global id or its bare uuid.
pub(crate) async fn subscription(services: &Services, which: &str) -> Result<SubscriptionSummary, InspectError> {
    let which = which.trim();
    let id = GlobalId::uuid_of(which, Kind::WebhookSubscription).or_else(|| Uuid::try_parse(which).ok());
    let id = id.ok_or_else(|| InspectError::NoSubscriptionId(which.to_owned()))?;
    let found = services.store.any_subscription(id).await?;
    let subscription = found.ok_or_else(|| InspectError::NoSubscription(which.to_owned()))?;
    let partner = services.store.partner(subscription.partner_id).await?;
    let partner = partner.ok_or_else(|| InspectError::NoSubscription(which.to_owned()))?;
    Ok(summary_of(services, partner, subscription).await?)
}

/// The newest deliveries of a subscription in each state: pending first, then failed, then delivered.
pub(crate) async fn deliveries(services: &Services, subscription_id: Uuid) -> Result<Vec<Delivery>, Failure> {
    let mut all = Vec::new();
    for state in [DeliveryState::Due, DeliveryState::Waiting, DeliveryState::Failed, DeliveryState::Delivered] {
        all.extend(services.store.deliveries_in_state(subscription_id, state, DELIVERIES_SHOWN_MAX).await?);
    }
    Ok(all)
}

/// One delivery, by its id, or by the id of its event if that has one delivery.
pub(crate) async fn delivery(services: &Services, which: &str) -> Result<Delivery, InspectError> {
    let which = which.trim();
    if let Ok(id) = Uuid::try_parse(which) {
        let found = services.store.delivery(id).await?;
        return found.ok_or_else(|| InspectError::NoDelivery(which.to_owned()));
    }
    let event = event_id(which).ok_or_else(|| InspectError::NoDeliveryId(which.to_owned()))?;
    let mut found = Vec::new();
    for partner in services.store.partners().await? {
        for subscription in subscriptions_of(services, partner.id).await? {
            found.extend(services.store.delivery(delivery_id(event, subscription.id)).await?);
        }
    }
    match found.len() {
        0 => Err(InspectError::NoDelivery(which.to_owned())),
        1 => Ok(found.remove(0)),
        _ => {
            let ids = found.iter().map(|delivery| delivery.id).collect();
            Err(InspectError::SeveralDeliveries { event: which.to_owned(), ids })
        }
    }
}

/// The attempts of a delivery, oldest first.
pub(crate) async fn attempts(services: &Services, delivery: &Delivery) -> Result<Vec<Attempt>, Failure> {
    Ok(services.store.attempts_of(delivery.id).await?)
}

/// Every subscription of a partner, newest first.
pub(crate) async fn subscriptions_of(
    services: &Services,
    partner_id: Uuid,
) -> Result<Vec<WebhookSubscription>, Failure> {
    // A partner has some dozens at most.
    let all = PageRequest { start: PageStart::First, size: usize::from(u16::MAX), after: None, before: None };
    Ok(services.store.subscriptions_page(Scope::account(partner_id), &[], &all).await?.items)
}

async fn summary_of(
    services: &Services,
    partner: Partner,
    subscription: WebhookSubscription,
) -> Result<SubscriptionSummary, Failure> {
    let (store, id) = (&services.store, subscription.id);
    let pending =
        store.delivery_count(id, DeliveryState::Due).await? + store.delivery_count(id, DeliveryState::Waiting).await?;
    let failed = store.delivery_count(id, DeliveryState::Failed).await?;
    Ok(SubscriptionSummary { partner, subscription, pending, failed })
}

/// Why a notification was not sent again.
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
    let paused = services.store.pause_subscription(subscription_id, services.clock.now()).await.map_err(fail)?;
    services.store.notify(Queue::DeliverySequence);
    if paused { Ok(()) } else { Err(SendAgainError::Cancelled) }
}

/// Ends the pause of a subscription. Returns the number of failed deliveries that are sent after all.
pub async fn resume(services: &Services, subscription_id: Uuid, progress: &Progress) -> Result<usize, SendAgainError> {
    let resumed = services.store.resume_subscription(subscription_id, services.clock.now(), progress).await;
    resumed.map_err(fail)?.ok_or(SendAgainError::Cancelled)
}

/// Sends one delivery again, or makes its next attempt now.
pub async fn resend(services: &Services, delivery: &Delivery) -> Result<(), SendAgainError> {
    let resent = services.store.resend(delivery.id, services.clock.now()).await.map_err(fail)?;
    if resent { Ok(()) } else { Err(SendAgainError::NotNow(delivery.id)) }
}

/// Sends every delivered or failed notification of `since` or later again, and returns their number.
pub async fn replay(
    services: &Services,
    subscription_id: Uuid,
    since: Timestamp,
    progress: &Progress,
) -> Result<usize, SendAgainError> {
    let now = services.clock.now();
    if since > now {
        return Err(SendAgainError::Future);
    }
    let replayed = services.store.replay_deliveries(subscription_id, since, now, progress).await;
    replayed.map_err(fail)?.ok_or(SendAgainError::Cancelled)
}

fn fail(error: impl Into<Failure>) -> SendAgainError {
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
        return Err(refuse(UserErrorCode::Unprocessable, messages::SUBSCRIPTION_PAUSED));
    }
    store.resend(id, services.clock.now()).await?;
    store.webhook_delivery(scope, id).await?.ok_or_else(not_found)
}

/// Schedules the deliveries that failed since a time, of all subscriptions that the caller reaches, and counts them.
pub async fn recover(services: &Services, caller: &Caller, since: Parsed<Timestamp>) -> Result<i64, OperationError> {
    let invalid = |message| OperationError::refuse(UserError::new(UserErrorCode::Invalid, &["since"], message));
    let since = since.ok().map_err(|_| invalid(messages::TIME_INVALID))?;
    if since > services.clock.now() {
        return Err(invalid(messages::TIME_IN_FUTURE));
    }
    Ok(services.store.recover_deliveries(caller.scope(), since).await?)
}

fn not_found() -> OperationError {
    refuse(UserErrorCode::NotFound, messages::DELIVERY_NOT_FOUND)
}

fn refuse(code: UserErrorCode, message: &str) -> OperationError {
    OperationError::refuse(UserError::new(code, &["id"], message))
}

/// The dossier number and the slug of the card in the notification, which does not exist.
const NAME: &str = "TEST";

/// A test notification that was sent.
#[derive(Clone, Debug)]
pub struct SentTest {
    pub attempt: Attempt,
    pub body: String,
}

/// Sends a test notification to the address of the subscription with the global id `id`, once. Nothing is stored.
pub async fn send_test(services: &Services, caller: &Caller, id: &str) -> Result<SentTest, OperationError> {
    let id = GlobalId::uuid_of(id, Kind::WebhookSubscription).ok_or_else(subscription::not_found)?;
    let subscription = services.store.subscription(caller.scope(), id).await?.ok_or_else(subscription::not_found)?;
    let now = services.clock.now();
    let secrets = services.store.active_webhook_secrets(caller.partner_id, subscription.mode(), now).await?;
    if secrets.is_empty() {
        let error = UserError::new(UserErrorCode::Unprocessable, &["id"], messages::NO_SIGNING_SECRET);
        return Err(OperationError::refuse(error));
    }
    let (delivery, body) = notification(&subscription, services.entropy.uuid(now), now, &services.public_base);
    let to = subscription.callback_url.url();
    let (outbound, clock) = (&services.outbound, &services.clock);
    let (attempt, _) = webhook::send(outbound, clock, &delivery, body.clone().into(), &to, &secrets).await;
    Ok(SentTest { attempt, body })
}

/// Returns the delivery and the body of an event on the topic of a subscription, about a test card that does not exist.
fn notification(
    subscription: &WebhookSubscription,
    event_id: Uuid,
    now: Timestamp,
    public_base: &str,
) -> (Delivery, String) {
    let (topic, partner_id) = (subscription.topic, subscription.partner_id);
    let status = match topic {
        Topic::CardsCreate | Topic::CardsUpdate => CardStatus::Draft,
        Topic::CardsOrdered => CardStatus::Ordered,
        Topic::CardsActivated => CardStatus::Active,
    };
    let card = Card {
        id: Uuid::nil(),
        partner_id,
        external_dossier_id: NAME.to_owned(),
        status,
        slug: (status == CardStatus::Active).then(|| NAME.to_owned()),
        test: true,
        created_at: now,
        updated_at: now,
        ..Card::default()
    };
    let event = Event {
        id: event_id,
        partner_id,
        card_id: card.id,
        topic,
        sequence: 1,
        actor: Actor::Service,
        changed_fields: Vec::new(),
        test: true,
        occurred_at: now,
    };
    let body = render(&event, &card, &subscription.api_version, public_base);
    let delivery = Delivery::new(&event, subscription.id, subscription.api_version.clone());
    (delivery, body)
}
