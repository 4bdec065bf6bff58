//! Reads the deliveries of a partner from the API of a service.

use std::error::Error;
use std::time::Duration;

use bytes::Bytes;
use http::header::{ACCEPT, CONTENT_TYPE, RETRY_AFTER};
use http::{HeaderMap, Request, Response, StatusCode};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use serde_json::{Value, json};

use crate::base::limits::{LISTEN_PAGE_ITEMS, LISTEN_RETRY};
use crate::base::{HttpUrl, Timestamp};
use crate::model::{AccessToken, path};
use crate::outbound::DirectClient;

/// The first version that lists deliveries.
const VERSION: &str = "2027-01";

const SUBSCRIPTIONS: &str = "query Listen($topics: [WebhookSubscriptionTopic!]) { \
     webhookSubscriptions(first: 1, topics: $topics) { nodes { id } } }";
const DELIVERIES: &str = "query Listen($first: Int!, $after: String, $topics: [WebhookSubscriptionTopic!], $since: DateTime) { \
     webhookDeliveries(first: $first, after: $after, topics: $topics, since: $since) { \
     nodes { eventId topic subscriptionId createdAt body } pageInfo { hasNextPage endCursor } } }";

/// Why the deliveries were not read.
#[derive(Debug, thiserror::Error)]
pub(in crate::cli) enum ServiceError {
    #[error("the service at {0} cannot be reached")]
    Unreachable(HttpUrl, #[source] Box<dyn Error + Send + Sync>),
    /// It asks for a pause.
    #[error("the service answered with status {0}")]
    Busy(u16, Duration),
    #[error("{0} is not the address of the service: it answered with status {1}, and not as its API does")]
    NotTheService(HttpUrl, u16),
    #[error("the service refused the request with {code}: {detail}")]
    Refused { code: String, detail: String },
}

impl ServiceError {
    /// How long to wait before the same request is sent again; `None` if that does not help.
    pub(super) fn pause(&self) -> Option<Duration> {
        match self {
            ServiceError::Unreachable(..) => Some(LISTEN_RETRY),
            ServiceError::Busy(_, pause) => Some(*pause),
            ServiceError::NotTheService(..) | ServiceError::Refused { .. } => None,
        }
    }
}

/// A delivery, as the API lists it.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Listed {
    pub event_id: String,
    pub topic: String,
    pub subscription_id: String,
    /// When the event happened.
    #[serde(deserialize_with = "timestamp")]
    pub created_at: Timestamp,
    /// `None` if its card was deleted.
    pub body: Option<String>,
}

/// The API of a service, for one token.
pub(super) struct Service {
    pub client: DirectClient,
    pub address: HttpUrl,
    pub token: AccessToken,
    /// The topics to list; every one if empty.
    pub topics: Vec<&'static str>,
}

impl Service {
    /// Whether a subscription follows one of the topics.
    pub(super) async fn is_subscribed(&self) -> Result<bool, ServiceError> {
        let data = self.ask(SUBSCRIPTIONS, json!({ "topics": self.topics })).await?;
        Ok(data["webhookSubscriptions"]["nodes"].as_array().is_some_and(|nodes| !nodes.is_empty()))
    }

    /// The newest delivery.
    pub(super) async fn newest(&self) -> Result<Option<Listed>, ServiceError> {
        Ok(self.page(1, None, None).await?.nodes.into_iter().next())
    }

    /// Every delivery since a time, oldest first.
    pub(super) async fn deliveries(&self, since: Option<Timestamp>) -> Result<Vec<Listed>, ServiceError> {
        let (mut all, mut after) = (vec![], None);
        loop {
            let page = match self.page(LISTEN_PAGE_ITEMS, after.as_deref(), since).await {
                // A long list can cost more points than there are at once: what was read is kept.
                Err(ServiceError::Busy(_, pause)) if after.is_some() => {
                    tokio::time::sleep(pause).await;
                    continue;
                }
                page => page?,
            };
            all.extend(page.nodes);
            match page.page_info.end_cursor.filter(|_| page.page_info.has_next_page) {
                Some(end) => after = Some(end),
                None => break,
            }
        }
        all.reverse();
        Ok(all)
    }

    async fn page(&self, first: usize, after: Option<&str>, since: Option<Timestamp>) -> Result<Page, ServiceError> {
        let since = since.map(|since| since.to_string());
        let variables = json!({ "first": first, "after": after, "topics": self.topics, "since": since });
        let mut data = self.ask(DELIVERIES, variables).await?;
        serde_json::from_value(data["webhookDeliveries"].take()).map_err(|_| self.strange(StatusCode::OK))
    }

    /// Sends a query, and returns its data.
    async fn ask(&self, query: &str, variables: Value) -> Result<Value, ServiceError> {
        let endpoint = [self.address.as_str().trim_end_matches('/'), &path::graphql(VERSION)].concat();
        let body = json!({ "query": query, "variables": variables }).to_string();
        let request = Request::post(endpoint)
            .header(CONTENT_TYPE, "application/json")
            .header(ACCEPT, "application/graphql-response+json")
            .header("x-service-access-token", self.token.reveal())
            .body(Bytes::from(body));
        let unreachable = |error| ServiceError::Unreachable(self.address.clone(), error);
        let request = request.map_err(|error| unreachable(error.into()))?;
        self.data(self.client.send(request).await.map_err(unreachable)?)
    }

    fn data(&self, answer: Response<Bytes>) -> Result<Value, ServiceError> {
        let (head, body) = answer.into_parts();
        if matches!(head.status, StatusCode::TOO_MANY_REQUESTS) || head.status.is_server_error() {
            return Err(ServiceError::Busy(head.status.as_u16(), retry_after(&head.headers)));
        }
        let answer: Value = serde_json::from_slice(&body).map_err(|_| self.strange(head.status))?;
        let error = &answer["errors"][0];
        match (error["extensions"]["code"].as_str(), &answer["data"]) {
            (Some(code), _) => {
                let texts = [&error["extensions"]["detail"], &error["message"]];
                let detail = texts.into_iter().find_map(Value::as_str).unwrap_or_default();
                Err(ServiceError::Refused { code: code.to_owned(), detail: detail.to_owned() })
            }
            (None, Value::Object(_)) => Ok(answer["data"].clone()),
            _ => Err(self.strange(head.status)),
        }
    }

    fn strange(&self, status: StatusCode) -> ServiceError {
        ServiceError::NotTheService(self.address.clone(), status.as_u16())
    }
}

fn retry_after(headers: &HeaderMap) -> Duration {
    let seconds = headers.get(RETRY_AFTER).and_then(|value| value.to_str().ok()?.parse().ok());
    seconds.map_or(LISTEN_RETRY, Duration::from_secs)
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Page {
    nodes: Vec<Listed>,
    page_info: PageInfo,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct PageInfo {
    has_next_page: bool,
    end_cursor: Option<String>,
}

fn timestamp<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Timestamp, D::Error> {
    let text = String::deserialize(deserializer)?;
    let moment = chrono::DateTime::parse_from_rfc3339(&text).map_err(D::Error::custom)?;
    Ok(moment.to_utc().into())
}
