//! What version 2027-01 adds to `WebhookSubscription`: its name, its version, its state and its deliveries.

use std::borrow::Cow;

use super::webhook_delivery::deliveries;
use crate::base::{Parsed, Timestamp};
use crate::generated::v2027_01::{
    self, WebhookDeliveryConnection, WebhookDeliveryState, WebhookSubscriptionPauseReason, WebhookSubscriptionStatus,
};
use crate::model::WebhookSubscription;
use crate::resolver::{Context, page::PageArguments};
use engine::FieldError;

impl v2027_01::WebhookSubscription for WebhookSubscription {
    fn name<'a>(&'a self, _: &'a Context) -> Option<Cow<'a, str>> {
        self.name.as_deref().map(Cow::from)
    }

    fn api_version<'a>(&'a self, _: &'a Context) -> Cow<'a, str> {
        Cow::Borrowed(&self.api_version)
    }

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
        states: Option<Vec<WebhookDeliveryState>>,
        since: Option<Parsed<Timestamp>>,
    ) -> Result<WebhookDeliveryConnection, FieldError> {
        let page = PageArguments { first, after, last, before };
        deliveries(cx, page, Some(self.id), None, states, since).await
    }
}
