//! A test notification, which a partner sends to the address of its subscription (version 2027-01; decisions W8).

use uuid::Uuid;

use super::subscription::not_found;
use crate::base::{GlobalId, Kind, Timestamp};
use crate::model::{
    Actor, Attempt, Card, CardStatus, Delivery, DeliveryState, Event, Topic, UserError, UserErrorCode,
    WebhookSubscription, delivery_id, render, text,
};
use crate::operation::{Caller, OperationError};
use crate::services::Services;
use crate::webhook;

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
    let id = GlobalId::uuid_of(id, Kind::WebhookSubscription).ok_or_else(not_found)?;
    let subscription = services.store.subscription(caller.scope(), id).await?.ok_or_else(not_found)?;
    let now = services.clock.now();
    let secrets = services.store.active_webhook_secrets(caller.partner_id, subscription.mode(), now).await?;
    if secrets.is_empty() {
        let error = UserError::new(UserErrorCode::Unprocessable, &["id"], text::NO_SIGNING_SECRET);
        return Err(OperationError::refused(error));
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
    let delivery = Delivery {
        id: delivery_id(event_id, subscription.id),
        event_id,
        subscription_id: subscription.id,
        partner_id,
        card_id: card.id,
        topic,
        sequence: event.sequence,
        test: true,
        api_version: subscription.api_version.clone(),
        state: DeliveryState::Due,
        attempt_count: 0,
        schedule_step: 0,
        due_at: Some(now),
        lease: None,
        created_at: now,
        finished_at: None,
    };
    (delivery, body)
}
