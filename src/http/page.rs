//! The service's own pages: from hyper's request to `web`'s, and back.
//!
//! Called by the router. Source: specification, section 2.7; decisions, section 5.

use bytes::Bytes;
use futures_util::stream::{self, BoxStream, StreamExt as _};
use http::HeaderMap;
use http::header::{CONTENT_ENCODING, CONTENT_LENGTH};
use http_body_util::BodyExt as _;
use hyper::body::Incoming;

use super::answer::{Answer, Content, RequestLog};
use super::app_state::AppState;
use super::connection_table::Client;
use super::request_head::RequestHead;
use crate::web::{Body, BodyError, WebAnswer, WebRequest};

/// Answers a request for a page.
pub async fn serve(state: &AppState, head: &RequestHead<'_>, body: Incoming) -> Answer {
    let RequestHead { parts, id, client, .. } = head;
    let announced = parts.headers.get(CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok());
    let body = Body::new(pieces(body, &parts.headers), announced, client.map(Client::address));
    let (path, query) = (parts.uri.path(), parts.uri.query());
    let request = WebRequest { method: &parts.method, path, query, headers: &parts.headers, id };
    state.site.serve(&request, body).await.into()
}

impl From<WebAnswer> for Answer {
    fn from(answer: WebAnswer) -> Self {
        let WebAnswer { status, headers, body, code } = answer;
        Self { status, headers, body: Content::Whole(body), note: RequestLog { code, ..RequestLog::default() } }
    }
}

/// The body as it arrives. What is compressed is no form of a browser, which the page learns at its end.
fn pieces(body: Incoming, headers: &HeaderMap) -> BoxStream<'static, Result<Bytes, BodyError>> {
    let pieces = body.into_data_stream().map(|piece| piece.map_err(|_| BodyError::BrokenOff));
    let end = headers.contains_key(CONTENT_ENCODING).then_some(Err(BodyError::BrokenOff));
    pieces.chain(stream::iter(end)).boxed()
}
