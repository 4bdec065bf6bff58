//! What the client reads of each type, and the operations that 2027-01 adds, with their variables and inputs.

pub use self::of_schema::*;

#[cynic::schema_for_derives(file = "schema/2027-01.graphql", module = "schema")]
mod of_schema {
    use super::super::schema;

    #[derive(cynic::Scalar, Clone, Debug, PartialEq)]
    #[cynic(graphql_type = "DateTime")]
    pub struct DateTime(pub String);

    #[derive(cynic::Scalar, Clone, Debug, PartialEq)]
    #[cynic(graphql_type = "URL")]
    pub struct Url(pub String);

    impl From<&str> for Url {
        fn from(text: &str) -> Self {
            Self(text.to_owned())
        }
    }

    #[derive(cynic::Enum, Clone, Copy, Debug, PartialEq)]
    pub enum CardStatus {
        Draft,
        Ordered,
        Active,
    }

    #[derive(cynic::Enum, Clone, Copy, Debug, PartialEq)]
    pub enum WebhookSubscriptionStatus {
        Active,
        Failing,
        Paused,
    }

    #[derive(cynic::Enum, Clone, Copy, Debug, PartialEq)]
    pub enum WebhookSubscriptionPauseReason {
        Gone,
        Failures,
        Operator,
    }

    #[derive(cynic::Enum, Clone, Copy, Debug, PartialEq)]
    pub enum WebhookDeliveryState {
        Waiting,
        Due,
        Delivered,
        Failed,
    }

    #[derive(cynic::Enum, Clone, Copy, Debug, PartialEq)]
    pub enum WebhookDeliveryAttemptOutcome {
        Delivered,
        HttpError,
        NoConnection,
        TimeOut,
        AddressRefused,
    }

    #[derive(cynic::Enum, Clone, Copy, Debug, PartialEq)]
    pub enum WebhookDeliveryUserErrorCode {
        Invalid,
        NotFound,
        Unprocessable,
    }

    #[derive(cynic::Enum, Clone, Copy, Debug, PartialEq)]
    pub enum WebhookSubscriptionUserErrorCode {
        Blank,
        Invalid,
        Taken,
        NotFound,
    }

    #[derive(cynic::QueryFragment, Debug)]
    pub struct Card {
        pub id: cynic::Id,
        pub status: CardStatus,
        pub ordered_at: Option<DateTime>,
        pub activated_at: Option<DateTime>,
    }

    #[derive(cynic::QueryFragment, Debug)]
    pub struct WebhookDelivery {
        pub id: cynic::Id,
        pub event_id: String,
        pub card_id: cynic::Id,
        pub state: WebhookDeliveryState,
        pub attempt_count: i32,
        pub attempts: Vec<WebhookDeliveryAttempt>,
    }

    #[derive(cynic::QueryFragment, Debug)]
    pub struct WebhookDeliveryAttempt {
        pub outcome: WebhookDeliveryAttemptOutcome,
        pub http_status: Option<i32>,
    }

    #[derive(cynic::QueryFragment, Debug)]
    pub struct PageInfo {
        pub has_next_page: bool,
    }

    #[derive(cynic::QueryFragment, Debug)]
    pub struct WebhookDeliveryUserError {
        pub code: Option<WebhookDeliveryUserErrorCode>,
    }

    #[derive(cynic::QueryFragment, Debug)]
    pub struct WebhookSubscriptionUserError {
        pub code: Option<WebhookSubscriptionUserErrorCode>,
    }

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
    pub struct WebhookSubscriptionUpdateInput {
        #[cynic(skip_serializing_if = "Option::is_none")]
        pub callback_url: Option<Url>,
    }

    #[derive(cynic::QueryFragment, Debug)]
    #[cynic(graphql_type = "Query", variables = "ByDossierVariables")]
    pub struct CardByDossierQuery {
        #[arguments(externalDossierId: $external_dossier_id)]
        pub card_by_external_dossier_id: Option<Card>,
    }

    #[derive(cynic::QueryFragment, Debug)]
    #[cynic(graphql_type = "Query", variables = "ByIdVariables")]
    pub struct NodeQuery {
        #[arguments(id: $id)]
        pub node: Option<Node>,
    }

    #[derive(cynic::InlineFragments, Debug)]
    pub enum Node {
        WebhookDelivery(WebhookDelivery),
        #[cynic(fallback)]
        Other,
    }

    #[derive(cynic::QueryFragment, Debug)]
    #[cynic(graphql_type = "Query", variables = "WebhookSubscriptionVariables")]
    pub struct WebhookSubscriptionQuery {
        #[arguments(id: $id)]
        pub webhook_subscription: Option<WebhookSubscription>,
    }

    #[derive(cynic::QueryFragment, Debug)]
    #[cynic(variables = "WebhookSubscriptionVariables")]
    pub struct WebhookSubscription {
        pub status: WebhookSubscriptionStatus,
        pub pause_reason: Option<WebhookSubscriptionPauseReason>,
        pub paused_at: Option<DateTime>,
        #[arguments(first: $first, after: $after)]
        pub webhook_deliveries: WebhookDeliveryConnection,
    }

    #[derive(cynic::QueryFragment, Debug)]
    pub struct WebhookDeliveryConnection {
        pub nodes: Vec<WebhookDelivery>,
        pub page_info: PageInfo,
    }

    #[derive(cynic::QueryFragment, Debug)]
    #[cynic(graphql_type = "Mutation", variables = "WebhookSubscriptionUpdateVariables")]
    pub struct WebhookSubscriptionUpdate {
        #[arguments(id: $id, webhookSubscription: $webhook_subscription)]
        pub webhook_subscription_update: Option<WebhookSubscriptionUpdatePayload>,
    }

    #[derive(cynic::QueryFragment, Debug)]
    pub struct WebhookSubscriptionUpdatePayload {
        pub webhook_subscription: Option<UpdatedSubscription>,
        pub user_errors: Vec<WebhookSubscriptionUserError>,
    }

    #[derive(cynic::QueryFragment, Debug)]
    #[cynic(graphql_type = "WebhookSubscription")]
    pub struct UpdatedSubscription {
        pub status: WebhookSubscriptionStatus,
    }

    #[derive(cynic::QueryFragment, Debug)]
    #[cynic(graphql_type = "Mutation", variables = "ByIdVariables")]
    pub struct WebhookDeliveryRedeliver {
        #[arguments(id: $id)]
        pub webhook_delivery_redeliver: Option<WebhookDeliveryRedeliverPayload>,
    }

    #[derive(cynic::QueryFragment, Debug)]
    pub struct WebhookDeliveryRedeliverPayload {
        pub webhook_delivery: Option<WebhookDelivery>,
        pub user_errors: Vec<WebhookDeliveryUserError>,
    }
}
