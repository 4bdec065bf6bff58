//! The types that a partner's client of version 2026-10 reads and sends: all ten operations. An absent field of an input is `None`: this
//! client clears nothing, and tests of null are written in JSON.

#[allow(clippy::all, missing_docs, non_camel_case_types, non_snake_case, unreachable_pub)]
#[cynic::schema("2026-10")]
pub mod schema {}

#[derive(cynic::Scalar, Clone, Debug, PartialEq)]
#[cynic(graphql_type = "DateTime")]
pub struct DateTime(pub String);

#[derive(cynic::Scalar, Clone, Debug, PartialEq)]
#[cynic(graphql_type = "Date")]
pub struct Date(pub String);

#[derive(cynic::Scalar, Clone, Debug, PartialEq)]
#[cynic(graphql_type = "URL")]
pub struct Url(pub String);

impl From<&str> for Date {
    fn from(text: &str) -> Self {
        Self(text.to_owned())
    }
}

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
pub enum CardUserErrorCode {
    Blank,
    Invalid,
    Taken,
    NotFound,
    Immutable,
    Unprocessable,
}

#[derive(cynic::Enum, Clone, Copy, Debug, PartialEq)]
pub enum WebhookSubscriptionTopic {
    CardsCreate,
    CardsUpdate,
    CardsOrdered,
    CardsActivated,
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
    pub theme: Option<ThemeLink>,
    pub deceased: Deceased,
    pub livestream_url: Option<Url>,
    pub status: CardStatus,
    pub card_url: Option<Url>,
    pub test: bool,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Theme")]
pub struct ThemeLink {
    pub id: cynic::Id,
}

#[derive(cynic::QueryFragment, Debug)]
pub struct Deceased {
    pub first_name: Option<String>,
}

#[derive(cynic::QueryFragment, Debug)]
pub struct Theme {
    pub id: cynic::Id,
    pub legacy_resource_id: String,
    pub handle: String,
}

#[derive(cynic::QueryFragment, Debug)]
pub struct WebhookSubscription {
    pub id: cynic::Id,
}

#[derive(cynic::QueryFragment, Debug)]
pub struct PageInfo {
    pub has_next_page: bool,
}

#[derive(cynic::QueryFragment, Debug)]
pub struct CardUserError {
    pub code: Option<CardUserErrorCode>,
    pub field: Option<Vec<String>>,
}

#[derive(cynic::QueryFragment, Debug)]
pub struct WebhookSubscriptionUserError {
    pub code: Option<WebhookSubscriptionUserErrorCode>,
    pub field: Option<Vec<String>>,
}

#[derive(cynic::QueryVariables, Debug)]
pub struct ByIdVariables {
    pub id: cynic::Id,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Query", variables = "ByIdVariables")]
pub struct CardQuery {
    #[arguments(id: $id)]
    pub card: Option<Card>,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Query", variables = "ByIdVariables")]
pub struct ThemeQuery {
    #[arguments(id: $id)]
    pub theme: Option<Theme>,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Query", variables = "ByIdVariables")]
pub struct NodeQuery {
    #[arguments(id: $id)]
    pub node: Option<Node>,
}

#[derive(cynic::InlineFragments, Debug)]
pub enum Node {
    Card(Card),
    #[cynic(fallback)]
    Other,
}

#[derive(cynic::QueryVariables, Debug)]
pub struct ThemesVariables {
    pub first: Option<i32>,
    pub after: Option<String>,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Query", variables = "ThemesVariables")]
pub struct ThemesQuery {
    #[arguments(first: $first, after: $after)]
    pub themes: ThemeConnection,
}

#[derive(cynic::QueryFragment, Debug)]
pub struct ThemeConnection {
    pub nodes: Vec<Theme>,
    pub page_info: PageInfo,
}

#[derive(cynic::QueryVariables, Debug)]
pub struct WebhookSubscriptionsVariables {
    pub topics: Option<Vec<WebhookSubscriptionTopic>>,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Query", variables = "WebhookSubscriptionsVariables")]
pub struct WebhookSubscriptionsQuery {
    #[arguments(topics: $topics)]
    pub webhook_subscriptions: WebhookSubscriptionConnection,
}

#[derive(cynic::QueryFragment, Debug)]
pub struct WebhookSubscriptionConnection {
    pub nodes: Vec<WebhookSubscription>,
}

#[derive(cynic::InputObject, Debug)]
pub struct CardCreateInput {
    pub external_dossier_id: String,
    #[cynic(skip_serializing_if = "Option::is_none")]
    pub theme_id: Option<cynic::Id>,
    #[cynic(skip_serializing_if = "Option::is_none")]
    pub deceased: Option<DeceasedInput>,
    #[cynic(skip_serializing_if = "Option::is_none")]
    pub family_contact: Option<FamilyContactInput>,
}

#[derive(cynic::InputObject, Debug)]
pub struct CardUpdateInput {
    #[cynic(skip_serializing_if = "Option::is_none")]
    pub livestream_url: Option<Url>,
}

#[derive(cynic::InputObject, Debug)]
pub struct DeceasedInput {
    #[cynic(skip_serializing_if = "Option::is_none")]
    pub first_name: Option<String>,
    #[cynic(skip_serializing_if = "Option::is_none")]
    pub date_of_birth: Option<Date>,
}

#[derive(cynic::InputObject, Debug)]
pub struct FamilyContactInput {
    #[cynic(skip_serializing_if = "Option::is_none")]
    pub email: Option<String>,
}

#[derive(cynic::QueryVariables, Debug)]
pub struct CardCreateVariables {
    pub input: CardCreateInput,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Mutation", variables = "CardCreateVariables")]
pub struct CardCreate {
    #[arguments(input: $input)]
    pub card_create: Option<CardCreatePayload>,
}

#[derive(cynic::QueryFragment, Debug)]
pub struct CardCreatePayload {
    pub card: Option<Card>,
    pub user_errors: Vec<CardUserError>,
}

#[derive(cynic::QueryVariables, Debug)]
pub struct CardUpdateVariables {
    pub id: cynic::Id,
    pub input: CardUpdateInput,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Mutation", variables = "CardUpdateVariables")]
pub struct CardUpdate {
    #[arguments(id: $id, input: $input)]
    pub card_update: Option<CardUpdatePayload>,
}

#[derive(cynic::QueryFragment, Debug)]
pub struct CardUpdatePayload {
    pub card: Option<Card>,
}

#[derive(cynic::Enum, Clone, Copy, Debug, PartialEq)]
pub enum CardSessionTarget {
    Customizer,
    InviteeList,
}

#[derive(cynic::QueryVariables, Debug)]
pub struct CardSessionCreateVariables {
    pub card_id: cynic::Id,
    pub target: CardSessionTarget,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Mutation", variables = "CardSessionCreateVariables")]
pub struct CardSessionCreate {
    #[arguments(cardId: $card_id, target: $target)]
    pub card_session_create: Option<CardSessionCreatePayload>,
}

#[derive(cynic::QueryFragment, Debug)]
pub struct CardSessionCreatePayload {
    pub card_session: Option<CardSession>,
}

#[derive(cynic::QueryFragment, Debug)]
pub struct CardSession {
    pub target: CardSessionTarget,
    pub expires_at: DateTime,
}

#[derive(cynic::InputObject, Debug)]
pub struct WebhookSubscriptionInput {
    pub callback_url: Url,
}

#[derive(cynic::QueryVariables, Debug)]
pub struct WebhookSubscriptionCreateVariables {
    pub topic: WebhookSubscriptionTopic,
    pub webhook_subscription: WebhookSubscriptionInput,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Mutation", variables = "WebhookSubscriptionCreateVariables")]
pub struct WebhookSubscriptionCreate {
    #[arguments(topic: $topic, webhookSubscription: $webhook_subscription)]
    pub webhook_subscription_create: Option<WebhookSubscriptionCreatePayload>,
}

#[derive(cynic::QueryFragment, Debug)]
pub struct WebhookSubscriptionCreatePayload {
    pub webhook_subscription: Option<WebhookSubscription>,
    pub user_errors: Vec<WebhookSubscriptionUserError>,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Mutation", variables = "ByIdVariables")]
pub struct WebhookSubscriptionDelete {
    #[arguments(id: $id)]
    pub webhook_subscription_delete: Option<WebhookSubscriptionDeletePayload>,
}

#[derive(cynic::QueryFragment, Debug)]
pub struct WebhookSubscriptionDeletePayload {
    pub deleted_webhook_subscription_id: Option<cynic::Id>,
    pub user_errors: Vec<WebhookSubscriptionUserError>,
}
