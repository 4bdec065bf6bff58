//! What version 2027-01 adds to `Mutation`: each calls one operation.

use crate::generated::v2027_01::{
    self, WebhookDeliveryRedeliverPayload, WebhookSubscriptionUpdateInput, WebhookSubscriptionUpdatePayload,
};
use crate::graphql::FieldError;
use crate::operation::webhook::{self, UpdateSubscription};
use crate::resolver::{Context, v2026_10::user_error::user_errors};

impl v2027_01::Mutation for Context {
    async fn webhook_subscription_update(
        &self,
        id: String,
        webhook_subscription: WebhookSubscriptionUpdateInput,
    ) -> Result<Option<WebhookSubscriptionUpdatePayload>, FieldError> {
        let updated = webhook::update(&self.services, &self.caller, &id, webhook_subscription.into()).await;
        let (webhook_subscription, errors) = self.outcome(updated)?;
        Ok(Some(WebhookSubscriptionUpdatePayload { webhook_subscription, user_errors: user_errors(errors) }))
    }

    async fn webhook_delivery_redeliver(
        &self,
        id: String,
    ) -> Result<Option<WebhookDeliveryRedeliverPayload>, FieldError> {
        let redelivered = webhook::redeliver(&self.services, &self.caller, &id).await;
        let (webhook_delivery, errors) = self.outcome(redelivered)?;
        Ok(Some(WebhookDeliveryRedeliverPayload { webhook_delivery, user_errors: user_errors(errors) }))
    }
}

/// The format is dropped: JSON is the only one.
impl From<WebhookSubscriptionUpdateInput> for UpdateSubscription {
    fn from(input: WebhookSubscriptionUpdateInput) -> Self {
        Self { callback_url: input.callback_url }
    }
}
