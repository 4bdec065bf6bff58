//! The fields that version 2027-01 adds to `Mutation`: each calls one operation.

use std::sync::Arc;

use dated_graphql::FieldError;

use super::object::int;
use crate::base::{Parsed, Patch, Timestamp};
use crate::generated::v2027_01::{
    self, WebhookDeliveriesRecoverPayload, WebhookDeliveryRedeliverPayload, WebhookSubscriptionFormat,
    WebhookSubscriptionSecretRotatePayload, WebhookSubscriptionTestPayload, WebhookSubscriptionUpdateInput,
    WebhookSubscriptionUpdatePayload,
};
use crate::operation::webhook::{self, UpdateSubscription};
use crate::resolver::Context;
use crate::resolver::v2026_10::object::user_errors;

impl v2027_01::Mutation for Context {
    async fn webhook_subscription_update(
        &self,
        id: String,
        webhook_subscription: WebhookSubscriptionUpdateInput,
    ) -> Result<Option<WebhookSubscriptionUpdatePayload>, FieldError> {
        let updated = webhook::update(&self.services, &self.caller, &id, webhook_subscription.into()).await;
        let (subscription, errors) = self.payload_parts(updated)?;
        let webhook_subscription = subscription.map(Arc::new);
        Ok(Some(WebhookSubscriptionUpdatePayload { webhook_subscription, user_errors: user_errors(errors) }))
    }

    async fn webhook_delivery_redeliver(
        &self,
        id: String,
    ) -> Result<Option<WebhookDeliveryRedeliverPayload>, FieldError> {
        let redelivered = webhook::redeliver(&self.services, &self.caller, &id).await;
        let (delivery, errors) = self.payload_parts(redelivered)?;
        let webhook_delivery = delivery.map(Arc::new);
        Ok(Some(WebhookDeliveryRedeliverPayload { webhook_delivery, user_errors: user_errors(errors) }))
    }

    async fn webhook_deliveries_recover(
        &self,
        since: Parsed<Timestamp>,
    ) -> Result<Option<WebhookDeliveriesRecoverPayload>, FieldError> {
        let recovered = webhook::recover(&self.services, &self.caller, since).await;
        let (count, errors) = self.payload_parts(recovered)?;
        Ok(Some(WebhookDeliveriesRecoverPayload { recovered_count: count.map(int), user_errors: user_errors(errors) }))
    }

    async fn webhook_subscription_test(
        &self,
        id: String,
    ) -> Result<Option<WebhookSubscriptionTestPayload>, FieldError> {
        let (sent, errors) = self.payload_parts(webhook::send_test(&self.services, &self.caller, &id).await)?;
        Ok(Some(WebhookSubscriptionTestPayload {
            attempt: sent.as_ref().map(|sent| (&sent.attempt).into()),
            body: sent.map(|sent| sent.body.into()),
            user_errors: user_errors(errors),
        }))
    }

    async fn webhook_subscription_secret_rotate(
        &self,
    ) -> Result<Option<WebhookSubscriptionSecretRotatePayload>, FieldError> {
        let (rotated, errors) = self.payload_parts(webhook::secret::rotate_own(&self.services, &self.caller).await)?;
        Ok(Some(WebhookSubscriptionSecretRotatePayload {
            secret: rotated.as_ref().map(|rotated| rotated.secret.reveal().into()),
            fingerprint: rotated.as_ref().map(|rotated| webhook::secret::fingerprint(&rotated.secret).into()),
            overlap_ends_at: rotated.map(|rotated| rotated.overlap_ends_at),
            user_errors: user_errors(errors),
        }))
    }
}

impl From<WebhookSubscriptionUpdateInput> for UpdateSubscription {
    fn from(input: WebhookSubscriptionUpdateInput) -> Self {
        // JSON is the only format.
        let (Patch::Absent | Patch::Null | Patch::Value(WebhookSubscriptionFormat::Json)) = input.format;
        Self { callback_url: input.callback_url, name: input.name }
    }
}
