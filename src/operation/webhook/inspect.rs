//! Subscriptions, deliveries and attempts as the operator sees them (decisions W3).

use uuid::Uuid;

use crate::base::limits::DELIVERIES_SHOWN_MAX;
use crate::base::{GlobalId, Kind};
use crate::model::{
    Attempt, Delivery, DeliveryState, PageRequest, PageStart, Partner, Scope, WebhookSubscription, delivery_id,
    event_id,
};
use crate::operation::Failure;
use crate::services::Services;

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
    #[error("\"{0}\" is neither the id of a delivery, as webhook show has it, nor that of an event, evt_….")]
    NoDeliveryId(String),
    #[error("There is no delivery {0}. Deliveries go 30 days after their event, or with their subscription.")]
    NoDelivery(String),
    #[error("The event {event} went to {} subscriptions. Name one of its deliveries: {}.", .ids.len(), listed(.ids))]
    SeveralDeliveries { event: String, ids: Vec<Uuid> },
    #[error("The notifications could not be looked up.")]
    Failed(#[source] Failure),
}

impl<F: Into<Failure>> From<F> for InspectError {
    fn from(failure: F) -> Self {
        InspectError::Failed(failure.into())
    }
}

fn listed(ids: &[Uuid]) -> String {
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
    // A partner has some dozens at most (decisions W5).
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
