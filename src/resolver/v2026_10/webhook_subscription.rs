//! The fields of `WebhookSubscription` (specification, section 2.8).

use std::borrow::Cow;

use crate::base::{GlobalId, Kind, Timestamp};
use crate::generated::v2026_10::{
    self, WebhookHttpEndpoint, WebhookSubscriptionEndpoint, WebhookSubscriptionFormat, WebhookSubscriptionTopic,
};
use crate::model::WebhookSubscription;
use crate::resolver::Context;

impl v2026_10::WebhookSubscription for WebhookSubscription {
    fn id(&self, _: &Context) -> GlobalId {
        GlobalId::new(Kind::WebhookSubscription, self.id)
    }

    fn topic(&self, _: &Context) -> WebhookSubscriptionTopic {
        self.topic.into()
    }

    fn endpoint<'a>(&'a self, _: &'a Context) -> WebhookSubscriptionEndpoint<'a> {
        let callback_url = Cow::Borrowed(&self.callback_url);
        WebhookSubscriptionEndpoint::WebhookHttpEndpoint(WebhookHttpEndpoint { callback_url })
    }

    fn format(&self, _: &Context) -> WebhookSubscriptionFormat {
        WebhookSubscriptionFormat::Json
    }

    fn created_at(&self, _: &Context) -> Timestamp {
        self.created_at
    }

    fn updated_at(&self, _: &Context) -> Timestamp {
        self.updated_at
    }
}
