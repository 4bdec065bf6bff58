//! The operations that 2027-01 adds, with their variables and inputs.

use super::fragments::{
    Card, DateTime, PageInfo, Url, WebhookDelivery, WebhookDeliveryUserError, WebhookSubscriptionPauseReason,
    WebhookSubscriptionStatus, WebhookSubscriptionUserError,
};
use super::schema;

#[derive(cynic::QueryVariables, Debug)]
pub struct ByIdVariables {
    pub id: cynic::Id,
}

#[derive(cynic::QueryVariables, Debug)]
pub struct ByDossierVariables {
    pub external_dossier_id: String,
}

#[derive(cynic::QueryVariables, Debug)]
pub struct WebhookSubscriptionVariables {
    pub id: cynic::Id,
    pub first: Option<i32>,
    pub after: Option<String>,
}

#[derive(cynic::QueryVariables, Debug)]
pub struct WebhookSubscriptionUpdateVariables {
    pub id: cynic::Id,
    pub webhook_subscription: WebhookSubscriptionUpdateInput,
}

#[derive(cynic::InputObject, Debug)]
#[cynic(schema_path = "schema/2027-01.graphql")]
pub struct WebhookSubscriptionUpdateInput {
    #[cynic(skip_serializing_if = "Option::is_none")]
    pub callback_url: Option<Url>,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(schema_path = "schema/2027-01.graphql", graphql_type = "Query", variables = "ByDossierVariables")]
pub struct CardByDossierQuery {
    #[arguments(externalDossierId: $external_dossier_id)]
    pub card_by_external_dossier_id: Option<Card>,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(schema_path = "schema/2027-01.graphql", graphql_type = "Query", variables = "ByIdVariables")]
pub struct NodeQuery {
    #[arguments(id: $id)]
    pub node: Option<Node>,
}

#[derive(cynic::InlineFragments, Debug)]
#[cynic(schema_path = "schema/2027-01.graphql")]
pub enum Node {
    WebhookDelivery(WebhookDelivery),
    #[cynic(fallback)]
    Other,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(schema_path = "schema/2027-01.graphql", graphql_type = "Query", variables = "WebhookSubscriptionVariables")]
pub struct WebhookSubscriptionQuery {
    #[arguments(id: $id)]
    pub webhook_subscription: Option<WebhookSubscription>,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(schema_path = "schema/2027-01.graphql", variables = "WebhookSubscriptionVariables")]
pub struct WebhookSubscription {
    pub status: WebhookSubscriptionStatus,
    pub pause_reason: Option<WebhookSubscriptionPauseReason>,
    pub paused_at: Option<DateTime>,
    #[arguments(first: $first, after: $after)]
    pub webhook_deliveries: WebhookDeliveryConnection,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(schema_path = "schema/2027-01.graphql")]
pub struct WebhookDeliveryConnection {
    pub nodes: Vec<WebhookDelivery>,
    pub page_info: PageInfo,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(
    schema_path = "schema/2027-01.graphql",
    graphql_type = "Mutation",
    variables = "WebhookSubscriptionUpdateVariables"
)]
pub struct WebhookSubscriptionUpdate {
    #[arguments(id: $id, webhookSubscription: $webhook_subscription)]
    pub webhook_subscription_update: Option<WebhookSubscriptionUpdatePayload>,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(schema_path = "schema/2027-01.graphql")]
pub struct WebhookSubscriptionUpdatePayload {
    pub webhook_subscription: Option<UpdatedSubscription>,
    pub user_errors: Vec<WebhookSubscriptionUserError>,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(schema_path = "schema/2027-01.graphql", graphql_type = "WebhookSubscription")]
pub struct UpdatedSubscription {
    pub status: WebhookSubscriptionStatus,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(schema_path = "schema/2027-01.graphql", graphql_type = "Mutation", variables = "ByIdVariables")]
pub struct WebhookDeliveryRedeliver {
    #[arguments(id: $id)]
    pub webhook_delivery_redeliver: Option<WebhookDeliveryRedeliverPayload>,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(schema_path = "schema/2027-01.graphql")]
pub struct WebhookDeliveryRedeliverPayload {
    pub webhook_delivery: Option<WebhookDelivery>,
    pub user_errors: Vec<WebhookDeliveryUserError>,
}
