//! What the client reads of each type.

use super::schema;

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
#[cynic(schema_path = "schema/2027-01.graphql")]
pub enum CardStatus {
    Draft,
    Ordered,
    Active,
}

#[derive(cynic::Enum, Clone, Copy, Debug, PartialEq)]
#[cynic(schema_path = "schema/2027-01.graphql")]
pub enum WebhookSubscriptionStatus {
    Active,
    Failing,
    Paused,
}

#[derive(cynic::Enum, Clone, Copy, Debug, PartialEq)]
#[cynic(schema_path = "schema/2027-01.graphql")]
pub enum WebhookSubscriptionPauseReason {
    Gone,
    Failures,
}

#[derive(cynic::Enum, Clone, Copy, Debug, PartialEq)]
#[cynic(schema_path = "schema/2027-01.graphql")]
pub enum WebhookDeliveryState {
    Waiting,
    Due,
    Delivered,
    Failed,
}

#[derive(cynic::Enum, Clone, Copy, Debug, PartialEq)]
#[cynic(schema_path = "schema/2027-01.graphql")]
pub enum WebhookDeliveryAttemptOutcome {
    Delivered,
    HttpError,
    NoConnection,
    TimeOut,
    AddressRefused,
}

#[derive(cynic::Enum, Clone, Copy, Debug, PartialEq)]
#[cynic(schema_path = "schema/2027-01.graphql")]
pub enum WebhookDeliveryUserErrorCode {
    NotFound,
    Unprocessable,
}

#[derive(cynic::Enum, Clone, Copy, Debug, PartialEq)]
#[cynic(schema_path = "schema/2027-01.graphql")]
pub enum WebhookSubscriptionUserErrorCode {
    Blank,
    Invalid,
    Taken,
    NotFound,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(schema_path = "schema/2027-01.graphql")]
pub struct Card {
    pub id: cynic::Id,
    pub status: CardStatus,
    pub ordered_at: Option<DateTime>,
    pub activated_at: Option<DateTime>,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(schema_path = "schema/2027-01.graphql")]
pub struct WebhookDelivery {
    pub id: cynic::Id,
    pub event_id: String,
    pub card_id: cynic::Id,
    pub state: WebhookDeliveryState,
    pub attempt_count: i32,
    pub attempts: Vec<WebhookDeliveryAttempt>,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(schema_path = "schema/2027-01.graphql")]
pub struct WebhookDeliveryAttempt {
    pub outcome: WebhookDeliveryAttemptOutcome,
    pub http_status: Option<i32>,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(schema_path = "schema/2027-01.graphql")]
pub struct PageInfo {
    pub has_next_page: bool,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(schema_path = "schema/2027-01.graphql")]
pub struct WebhookDeliveryUserError {
    pub code: Option<WebhookDeliveryUserErrorCode>,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(schema_path = "schema/2027-01.graphql")]
pub struct WebhookSubscriptionUserError {
    pub code: Option<WebhookSubscriptionUserErrorCode>,
}
