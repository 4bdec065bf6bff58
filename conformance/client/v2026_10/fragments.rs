//! What the client reads of each type.

use super::schema;

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
#[cynic(schema_path = "schema/2026-10.graphql")]
pub enum CardStatus {
    Draft,
    Ordered,
    Active,
}

#[derive(cynic::Enum, Clone, Copy, Debug, PartialEq)]
#[cynic(schema_path = "schema/2026-10.graphql")]
pub enum CardUserErrorCode {
    Blank,
    Invalid,
    Taken,
    NotFound,
    Immutable,
    Unprocessable,
}

#[derive(cynic::Enum, Clone, Copy, Debug, PartialEq)]
#[cynic(schema_path = "schema/2026-10.graphql")]
#[expect(clippy::enum_variant_names, reason = "as the schema has them")]
pub enum WebhookSubscriptionTopic {
    CardsCreate,
    CardsUpdate,
    CardsOrdered,
    CardsActivated,
}

#[derive(cynic::Enum, Clone, Copy, Debug, PartialEq)]
#[cynic(schema_path = "schema/2026-10.graphql")]
pub enum WebhookSubscriptionUserErrorCode {
    Blank,
    Invalid,
    Taken,
    NotFound,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(schema_path = "schema/2026-10.graphql")]
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
#[cynic(schema_path = "schema/2026-10.graphql", graphql_type = "Theme")]
pub struct ThemeLink {
    pub id: cynic::Id,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(schema_path = "schema/2026-10.graphql")]
pub struct Deceased {
    pub first_name: Option<String>,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(schema_path = "schema/2026-10.graphql")]
pub struct Theme {
    pub id: cynic::Id,
    pub legacy_resource_id: String,
    pub handle: String,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(schema_path = "schema/2026-10.graphql")]
pub struct WebhookSubscription {
    pub id: cynic::Id,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(schema_path = "schema/2026-10.graphql")]
pub struct PageInfo {
    pub has_next_page: bool,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(schema_path = "schema/2026-10.graphql")]
pub struct CardUserError {
    pub code: Option<CardUserErrorCode>,
    pub field: Option<Vec<String>>,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(schema_path = "schema/2026-10.graphql")]
#[expect(dead_code, reason = "selected to be asked for; the day has no error of this kind")]
pub struct WebhookSubscriptionUserError {
    pub code: Option<WebhookSubscriptionUserErrorCode>,
    pub field: Option<Vec<String>>,
}
