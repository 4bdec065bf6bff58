//! The fields of `Query` (specification, section 4.1). What is unknown, foreign or malformed reads null (decisions K4).

use std::sync::Arc;

use dated_graphql::FieldError;

use crate::base::{GlobalId, Kind};
use crate::generated::v2026_10::{
    self, Node, ThemeConnection, WebhookSubscriptionConnection, WebhookSubscriptionTopic,
};
use crate::model::{Card, Theme, Topic};
use crate::operation::theme::find_theme;
use crate::resolver::{Context, page::PageArguments, report_failure};

impl v2026_10::Query for Context {
    async fn node(&self, id: String) -> Result<Option<Node>, FieldError> {
        let Some(id) = GlobalId::parse(&id) else { return Ok(None) };
        let (store, scope) = (&self.services.store, self.caller.scope());
        let node = match id.kind {
            Kind::Card => store.card(scope, id.uuid).await.map(|card| card.map(Node::Card)),
            Kind::Theme => store.theme(id.uuid).await.map(|theme| theme.map(Node::Theme)),
            Kind::WebhookSubscription => {
                let subscription = store.subscription(scope, id.uuid).await;
                subscription.map(|subscription| subscription.map(Arc::new).map(Node::WebhookSubscription))
            }
            // A later version has it.
            Kind::WebhookDelivery => return Ok(None),
        };
        node.map_err(report_failure)
    }

    async fn themes(
        &self,
        first: Option<i32>,
        after: Option<String>,
        last: Option<i32>,
        before: Option<String>,
    ) -> Result<ThemeConnection, FieldError> {
        let page = PageArguments { first, after, last, before }.read()?;
        self.services.store.themes_page(&page).await.map(Into::into).map_err(report_failure)
    }

    async fn theme(&self, id: String) -> Result<Option<Arc<Theme>>, FieldError> {
        find_theme(&self.services, &id).await.map_err(report_failure)
    }

    async fn card(&self, id: String) -> Result<Option<Arc<Card>>, FieldError> {
        let Some(id) = GlobalId::uuid_of(&id, Kind::Card) else { return Ok(None) };
        self.services.store.card(self.caller.scope(), id).await.map_err(report_failure)
    }

    async fn webhook_subscriptions(
        &self,
        first: Option<i32>,
        after: Option<String>,
        last: Option<i32>,
        before: Option<String>,
        topics: Option<Vec<WebhookSubscriptionTopic>>,
    ) -> Result<WebhookSubscriptionConnection, FieldError> {
        let page = PageArguments { first, after, last, before }.read()?;
        let page = self.services.store.subscriptions_page(self.caller.scope(), &topic_filter(topics), &page).await;
        page.map(Into::into).map_err(report_failure)
    }
}

/// The topics to filter by, each once, however often it was named; none at all is no filter.
pub(in crate::resolver) fn topic_filter(topics: Option<Vec<WebhookSubscriptionTopic>>) -> Vec<Topic> {
    let named: Vec<Topic> = topics.unwrap_or_default().into_iter().map(Into::into).collect();
    Topic::ALL.into_iter().filter(|topic| named.contains(topic)).collect()
}
