//! What version 2027-01 adds to `WebhookSubscription`: its state and its deliveries.

use crate::base::Timestamp;
use crate::generated::v2027_01::{
    self, WebhookDeliveryConnection, WebhookSubscriptionPauseReason, WebhookSubscriptionStatus,
};
use crate::graphql::FieldError;
use crate::model::WebhookSubscription;
use crate::resolver::cursor::DeliveryKey;
use crate::resolver::{Context, outcome::failed, page::PageArguments};

impl v2027_01::WebhookSubscription for WebhookSubscription {
    fn status(&self, _: &Context) -> WebhookSubscriptionStatus {
        self.health.into()
    }

    fn pause_reason(&self, _: &Context) -> Option<WebhookSubscriptionPauseReason> {
        self.health.pause.map(|pause| pause.reason.into())
    }

    fn paused_at(&self, _: &Context) -> Option<Timestamp> {
        self.health.pause.map(|pause| pause.at)
    }

    async fn webhook_deliveries(
        &self,
        cx: &Context,
        first: Option<i32>,
        after: Option<String>,
        last: Option<i32>,
        before: Option<String>,
    ) -> Result<WebhookDeliveryConnection, FieldError> {
        let page = PageArguments { first, after, last, before }.read::<DeliveryKey>()?.map_keys(|key| key.0);
        let page = cx.services.store.webhook_deliveries_page(cx.caller.scope(), self.id, &page).await;
        page.map(Into::into).map_err(failed)
    }
}
