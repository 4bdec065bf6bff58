//! The fields that version 2027-01 adds to `Query`. An id that is unknown, foreign or malformed reads null (decisions K4).

use std::sync::Arc;

use dated_graphql::FieldError;

use super::object::deliveries;
use crate::base::{GlobalId, Kind, Parsed, Timestamp};
use crate::generated::v2026_10;
use crate::generated::v2027_01::{
    self, Node, WebhookDeliveryConnection, WebhookDeliveryState, WebhookSubscriptionTopic,
};
use crate::model::{Card, WebhookSubscription};
use crate::operation::card;
use crate::resolver::{Context, page::PageArguments, report_failure};

impl v2027_01::Query for Context {
    async fn node(&self, id: String) -> Result<Option<Node>, FieldError> {
        let Some(delivery) = GlobalId::uuid_of(&id, Kind::WebhookDelivery) else {
            return Ok(v2026_10::Query::node(self, id).await?.map(Node::from));
        };
        let delivery = self.services.store.webhook_delivery(self.caller.scope(), delivery).await;
        delivery.map(|delivery| delivery.map(Arc::new).map(Node::WebhookDelivery)).map_err(report_failure)
    }

    async fn card_by_external_dossier_id(&self, external_dossier_id: String) -> Result<Option<Arc<Card>>, FieldError> {
        card::find_by_dossier(&self.services, &self.caller, &external_dossier_id).await.map_err(report_failure)
    }

    async fn webhook_subscription(&self, id: String) -> Result<Option<Arc<WebhookSubscription>>, FieldError> {
        let Some(id) = GlobalId::uuid_of(&id, Kind::WebhookSubscription) else { return Ok(None) };
        let subscription = self.services.store.subscription(self.caller.scope(), id).await.map_err(report_failure)?;
        Ok(subscription.map(Arc::new))
    }

    async fn webhook_deliveries(
        &self,
        first: Option<i32>,
        after: Option<String>,
        last: Option<i32>,
        before: Option<String>,
        topics: Option<Vec<WebhookSubscriptionTopic>>,
        states: Option<Vec<WebhookDeliveryState>>,
        since: Option<Parsed<Timestamp>>,
    ) -> Result<WebhookDeliveryConnection, FieldError> {
        deliveries(self, PageArguments { first, after, last, before }, None, topics, states, since).await
    }
}

impl From<v2026_10::Node> for Node {
    fn from(node: v2026_10::Node) -> Self {
        match node {
            v2026_10::Node::Card(card) => Node::Card(card),
            v2026_10::Node::Theme(theme) => Node::Theme(theme),
            v2026_10::Node::WebhookSubscription(subscription) => Node::WebhookSubscription(subscription),
        }
    }
}
