//! The fields of `Mutation` (specification, section 4.2): each calls one operation.

use std::borrow::Cow;
use std::sync::Arc;

use dated_graphql::FieldError;

use super::object::user_errors;
use crate::generated::v2026_10::{
    self, CardCreateInput, CardCreatePayload, CardSession, CardSessionCreatePayload, CardSessionTarget,
    CardUpdateInput, CardUpdatePayload, WebhookSubscriptionCreatePayload, WebhookSubscriptionDeletePayload,
    WebhookSubscriptionFormat, WebhookSubscriptionInput, WebhookSubscriptionTopic,
};
use crate::operation::session::CreatedSession;
use crate::operation::{card, session, webhook};
use crate::resolver::Context;

impl v2026_10::Mutation for Context {
    async fn card_create(&self, input: CardCreateInput) -> Result<Option<CardCreatePayload>, FieldError> {
        let ordinal = self.note(|notes| {
            notes.cards += 1;
            notes.cards - 1
        });
        let created = card::create(&self.services, &self.caller, input.into(), ordinal).await;
        let (card, errors) = self.payload_parts(created)?;
        Ok(Some(CardCreatePayload { card, user_errors: user_errors(errors) }))
    }

    async fn card_update(&self, id: String, input: CardUpdateInput) -> Result<Option<CardUpdatePayload>, FieldError> {
        let (card, errors) = self.payload_parts(card::update(&self.services, &self.caller, &id, input.into()).await)?;
        let card = card.map(Arc::new);
        Ok(Some(CardUpdatePayload { card, user_errors: user_errors(errors) }))
    }

    async fn card_session_create(
        &self,
        card_id: String,
        target: CardSessionTarget,
    ) -> Result<Option<CardSessionCreatePayload>, FieldError> {
        let created = session::create(&self.services, &self.caller, &card_id, target.into()).await;
        let (created, errors) = self.payload_parts(created)?;
        let card_session = created.map(CardSession::from);
        Ok(Some(CardSessionCreatePayload { card_session, user_errors: user_errors(errors) }))
    }

    async fn webhook_subscription_create(
        &self,
        topic: WebhookSubscriptionTopic,
        webhook_subscription: WebhookSubscriptionInput,
    ) -> Result<Option<WebhookSubscriptionCreatePayload>, FieldError> {
        // JSON is the only format.
        let WebhookSubscriptionInput { callback_url, format: None | Some(WebhookSubscriptionFormat::Json), name } =
            webhook_subscription;
        let subscribe = webhook::Subscribe { topic: topic.into(), callback_url, name: name.value() };
        let subscribed = webhook::subscribe(&self.services, &self.caller, subscribe).await;
        let (subscription, errors) = self.payload_parts(subscribed)?;
        let webhook_subscription = subscription.map(Arc::new);
        Ok(Some(WebhookSubscriptionCreatePayload { webhook_subscription, user_errors: user_errors(errors) }))
    }

    async fn webhook_subscription_delete(
        &self,
        id: String,
    ) -> Result<Option<WebhookSubscriptionDeletePayload>, FieldError> {
        let unsubscribed = webhook::unsubscribe(&self.services, &self.caller, &id).await;
        let (deleted_webhook_subscription_id, errors) = self.payload_parts(unsubscribed)?;
        Ok(Some(WebhookSubscriptionDeletePayload { deleted_webhook_subscription_id, user_errors: user_errors(errors) }))
    }
}

impl From<CreatedSession> for CardSession {
    fn from(session: CreatedSession) -> Self {
        Self { url: Cow::Owned(session.url), target: session.target.into(), expires_at: session.expires_at }
    }
}
