//! Answers the requests of an API: routes, checks and runs them.

use std::error::Error;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use bytes::{Buf, Bytes};
use dated_graphql::{AnyEngine, Request, RequestContext, code};
use futures_util::FutureExt as _;
use http::header::{
    ACCEPT_ENCODING, ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_MAX_AGE, ACCESS_CONTROL_REQUEST_HEADERS, ALLOW, ORIGIN, VARY,
};
use http::request::Parts;
use http::{HeaderMap, HeaderValue, Method, StatusCode};
use http_body_util::{BodyExt as _, LengthLimitError, Limited};
use hyper::body::Body;
use serde_json::json;

use super::error::HttpError;
use super::media_type::{ResponseType, has_content_coding, is_json};
use super::response::{Response, text};

/// The bytes of the body of a request.
pub const BODY_BYTES_MAX: usize = 256 * 1024;
/// The time in which a body arrives.
pub const BODY_READ: Duration = Duration::from_secs(30);
/// The methods of `/<version>/graphql`.
const GRAPHQL_METHODS: &str = "POST, OPTIONS";
const READ_METHODS: &str = "GET, HEAD";
/// The page of GraphiQL, a public editor of queries. A browser loads its scripts from unpkg.com, and checks their digests; the
/// page says so where it cannot.
const GRAPHIQL: &str = include_str!("graphiql.html");
/// The seconds for which a browser keeps the answer to a preflight.
const PREFLIGHT_SECONDS: &str = "600";

/// The versions of an API over HTTP. `C` is the context that resolvers get.
///
/// Another site cannot send requests with the cookies of a user: a request has the content type `application/json`, for which a
/// browser asks first, and only origins of [`Api::with_origins`] get that permission.
pub struct Api<C> {
    engines: Vec<Arc<dyn AnyEngine<C>>>,
    graphiql: bool,
    origins: Vec<HeaderValue>,
}

impl<C: RequestContext> Api<C> {
    /// Returns the API of these engines, one for each version.
    pub fn new(engines: Vec<Arc<dyn AnyEngine<C>>>) -> Self {
        Self { engines, graphiql: false, origins: vec![] }
    }

    /// Sets whether a browser that opens `/<version>/graphql` gets GraphiQL, whose scripts come from unpkg.com.
    #[must_use]
    pub fn with_graphiql(self, graphiql: bool) -> Self {
        Self { graphiql, ..self }
    }

    /// Sets the origins whose pages may send requests, such as `https://app.example`.
    #[must_use]
    pub fn with_origins(self, origins: impl IntoIterator<Item = &'static str>) -> Self {
        Self { origins: origins.into_iter().map(HeaderValue::from_static).collect(), ..self }
    }

    /// Answers a request. `context` makes the context that its resolvers get, or refuses the request.
    ///
    /// A panic is answered with 500. The panic hook of the process reports it.
    pub async fn handle<B, F>(&self, request: http::Request<B>, context: impl FnOnce(&Parts) -> F) -> Response
    where
        B: Body<Data: Buf, Error: Into<Box<dyn Error + Send + Sync>>>,
        F: Future<Output = Result<C, HttpError>>,
    {
        let (head, body) = request.into_parts();
        let origin = head.headers.get(ORIGIN).filter(|origin| self.origins.contains(origin)).cloned();
        let response_type = ResponseType::negotiate(&head.headers);
        let answered = AssertUnwindSafe(self.answer(&head, body, response_type, context)).catch_unwind().await;
        let failed = |_panic| {
            let message = "Something went wrong on our side. Try again later.";
            Err(HttpError::new(StatusCode::INTERNAL_SERVER_ERROR, code::INTERNAL_SERVER_ERROR, message))
        };
        let refuse = |error: HttpError| error.into_response(response_type.unwrap_or(ResponseType::Json));
        let mut response = answered.unwrap_or_else(failed).unwrap_or_else(refuse);
        if !self.origins.is_empty() {
            response.headers_mut().append(VARY, HeaderValue::from_static("origin"));
        }
        if let Some(origin) = origin {
            response.headers_mut().insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin);
        }
        response
    }

    async fn answer<B, F>(
        &self,
        head: &Parts,
        body: B,
        response_type: Option<ResponseType>,
        context: impl FnOnce(&Parts) -> F,
    ) -> Result<Response, HttpError>
    where
        B: Body<Data: Buf, Error: Into<Box<dyn Error + Send + Sync>>>,
        F: Future<Output = Result<C, HttpError>>,
    {
        let path = head.uri.path();
        let path = path.strip_prefix('/').unwrap_or(path);
        let (version, page) = path.split_once('/').unwrap_or((path, ""));
        let engine = self.engines.iter().find(|engine| engine.version() == version);
        let is_read = matches!(head.method, Method::GET | Method::HEAD);
        match (engine, page) {
            (None, "") if path.is_empty() && is_read => Ok(text("application/json; charset=utf-8", self.versions())),
            (Some(engine), "schema.graphql") if is_read => Ok(text("application/graphql; charset=utf-8", engine.sdl())),
            (Some(_), "schema.graphql") => Err(not_allowed(READ_METHODS)),
            (None, "") if path.is_empty() => Err(not_allowed(READ_METHODS)),
            (Some(engine), "graphql") => match head.method {
                Method::POST => {
                    let not_acceptable = "Accept application/graphql-response+json or application/json.";
                    let not_acceptable = || HttpError::bad_request(StatusCode::NOT_ACCEPTABLE, not_acceptable);
                    let response_type = response_type.ok_or_else(not_acceptable)?;
                    let context = context(head).await?;
                    run(&**engine, head, body, response_type, &context).await
                }
                Method::OPTIONS => Ok(self.preflight(head)),
                _ if is_read && self.graphiql && accepts_html(&head.headers) => {
                    Ok(text("text/html; charset=utf-8", GRAPHIQL))
                }
                _ => Err(not_allowed(GRAPHQL_METHODS)),
            },
            _ => {
                let message = "There is nothing at this path. Send a POST to /<version>/graphql.";
                Err(HttpError::new(StatusCode::NOT_FOUND, "NOT_FOUND", message))
            }
        }
    }

    fn versions(&self) -> String {
        let path = |engine: &Arc<dyn AnyEngine<C>>| {
            let version = engine.version();
            json!({ "name": version, "graphql": format!("/{version}/graphql"), "schema": format!("/{version}/schema.graphql") })
        };
        json!({ "versions": self.engines.iter().map(path).collect::<Vec<_>>() }).to_string()
    }

    /// Answers the question of a browser whether a page of an origin may send a request (Fetch standard, section 4.8).
    fn preflight(&self, head: &Parts) -> Response {
        let mut response = Response::default();
        *response.status_mut() = StatusCode::NO_CONTENT;
        let headers = response.headers_mut();
        headers.insert(ALLOW, HeaderValue::from_static(GRAPHQL_METHODS));
        if head.headers.get(ORIGIN).is_some_and(|origin| self.origins.contains(origin)) {
            headers.insert(ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static("POST"));
            headers.insert(ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static(PREFLIGHT_SECONDS));
            let asked = head.headers.get(ACCESS_CONTROL_REQUEST_HEADERS).cloned();
            headers.extend(asked.map(|names| (ACCESS_CONTROL_ALLOW_HEADERS, names)));
        }
        response
    }
}

/// Reads, prepares and executes a GraphQL request.
async fn run<C: RequestContext, B>(
    engine: &dyn AnyEngine<C>,
    head: &Parts,
    body: B,
    response_type: ResponseType,
    context: &C,
) -> Result<Response, HttpError>
where
    B: Body<Data: Buf, Error: Into<Box<dyn Error + Send + Sync>>>,
{
    if !is_json(&head.headers) {
        let message = "Send the body as application/json, in UTF-8.";
        return Err(HttpError::bad_request(StatusCode::UNSUPPORTED_MEDIA_TYPE, message));
    }
    if has_content_coding(&head.headers) {
        let error = HttpError::bad_request(StatusCode::UNSUPPORTED_MEDIA_TYPE, "Send the body without compression.");
        return Err(error.with_header(ACCEPT_ENCODING, "identity"));
    }
    let body = read(body).await?;
    let prepared = engine.prepare(&Request::parse(&body)?)?;
    let executed = engine.execute(&prepared, context).await;
    let mut response = text(response_type.content_type(), executed.body);
    // A response without data has another status than 200 (GraphQL over HTTP, "application/graphql-response+json").
    if executed.refused && response_type == ResponseType::GraphqlResponse {
        *response.status_mut() = StatusCode::FORBIDDEN;
    }
    Ok(response)
}

async fn read<B>(body: B) -> Result<Bytes, HttpError>
where
    B: Body<Data: Buf, Error: Into<Box<dyn Error + Send + Sync>>>,
{
    let too_large = || {
        let message = format!("The body may hold {BODY_BYTES_MAX} bytes.");
        HttpError::bad_request(StatusCode::PAYLOAD_TOO_LARGE, message)
    };
    if body.size_hint().lower() > BODY_BYTES_MAX as u64 {
        return Err(too_large());
    }
    let whole = Limited::new(body, BODY_BYTES_MAX).collect();
    match tokio::time::timeout(BODY_READ, Box::pin(whole)).await {
        Ok(Ok(whole)) => Ok(whole.to_bytes()),
        Ok(Err(error)) if error.is::<LengthLimitError>() => Err(too_large()),
        Ok(Err(_)) => Err(HttpError::bad_request(StatusCode::BAD_REQUEST, "The body did not arrive whole.")),
        Err(_) => Err(HttpError::bad_request(StatusCode::REQUEST_TIMEOUT, "The body did not arrive in time.")),
    }
}

fn not_allowed(methods: &'static str) -> HttpError {
    let message = format!("This path answers {}.", methods.replace(", ", " and "));
    HttpError::bad_request(StatusCode::METHOD_NOT_ALLOWED, message).with_header(ALLOW, methods)
}

/// Returns whether a browser asks for a page.
fn accepts_html(headers: &HeaderMap) -> bool {
    headers
        .get(http::header::ACCEPT)
        .is_some_and(|accept| accept.as_bytes().windows(9).any(|part| part == b"text/html"))
}
