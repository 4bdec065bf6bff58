//! Who calls: a partner account, and a caller with one of its keys.

use card_service::model::{Partner, SigningSecret};
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use serde_json::{Value, json};
use uuid::Uuid;

use super::{Answer, TestApp};

/// A partner account of the test's.
#[derive(Clone)]
pub struct PartnerAccount {
    pub app: TestApp,
    pub partner: Partner,
    pub id: Uuid,
    /// The first signing secret.
    pub secret: SigningSecret,
}

/// Sends requests with one access token.
#[derive(Clone)]
pub struct Caller {
    pub app: TestApp,
    pub token: String,
    headers: HeaderMap,
    version: String,
}

impl Caller {
    pub fn new(app: TestApp, token: impl Into<String>) -> Self {
        Self { app, token: token.into(), headers: HeaderMap::new(), version: "2026-10".to_owned() }
    }

    /// The same caller, sending one header more (or another value of it).
    pub fn with_header(&self, name: &str, value: &str) -> Self {
        let mut caller = self.clone();
        let name: HeaderName = name.parse().expect("a header name");
        caller.headers.insert(name, HeaderValue::from_bytes(value.as_bytes()).expect("a header value"));
        caller
    }

    /// The same caller, sending an idempotency key.
    pub fn with_key(&self, key: &str) -> Self {
        self.with_header("idempotency-key", key)
    }

    /// The same caller on another version's path.
    pub fn on_version(&self, version: &str) -> Self {
        Self { version: version.to_owned(), ..self.clone() }
    }

    /// Sends a document with variables.
    pub async fn graphql(&self, query: &str, variables: Value) -> Answer {
        self.send(json!({ "query": query, "variables": variables }).to_string()).await
    }

    /// Sends a document with variables and asserts an answer without errors.
    #[track_caller]
    pub fn data(&self, query: &str, variables: Value) -> impl Future<Output = Value> + use<'_> {
        let place = std::panic::Location::caller();
        let body = json!({ "query": query, "variables": variables }).to_string();
        async move {
            let answer = self.send(body).await;
            let mut json = answer.json();
            assert!(answer.status == 200 && json.get("errors").is_none(), "{place}: {} {json}", answer.status);
            json["data"].take()
        }
    }

    /// Sends a body as it is.
    pub async fn send(&self, body: impl Into<reqwest::Body>) -> Answer {
        Answer::read(self.request(body).send().await.expect("the server answers")).await
    }

    /// A request that is ready to be sent, or to be changed first.
    pub fn request(&self, body: impl Into<reqwest::Body>) -> reqwest::RequestBuilder {
        self.app
            .http()
            .post(self.app.url(&format!("/partner/api/{}/graphql", self.version)))
            .header("content-type", "application/json")
            .header("accept", "application/graphql-response+json")
            .header("x-service-access-token", &self.token)
            .headers(self.headers.clone())
            .body(body)
    }
}
