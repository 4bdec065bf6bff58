//! Sends one POST request through the guarded client, without redirects, and discards the body of the response.
//!
//! Called by the webhook worker (decisions W3 and section 7).

use bytes::Bytes;
use http::HeaderMap;
use http::header::{ACCEPT_ENCODING, HeaderValue, RETRY_AFTER};
use reqwest::{Method, Request, RequestBuilder, Response};
use tokio::time::{Instant, timeout, timeout_at};
use url::Url;

use super::client::Outbound;
use super::failure::{Failure, FetchError};
use crate::base::limits;

/// The part of a response that is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Receipt {
    /// May be a redirect, which is not followed.
    pub status: u16,
    /// `Retry-After`, if it is text.
    pub retry_after: Option<String>,
}

impl Outbound {
    /// Posts `body` with `headers`. Returns a receipt for a response of any status, and an error if there was no response or the
    /// URL may not be called.
    pub async fn post(&self, url: &Url, mut headers: HeaderMap, body: Bytes) -> Result<Receipt, FetchError> {
        let end = Instant::now() + limits::DELIVERY_TOTAL;
        headers.insert(ACCEPT_ENCODING, HeaderValue::from_static("identity"));
        let answered = self.guarded(url, |client| {
            let mut request = Request::new(Method::POST, url.clone());
            *request.headers_mut() = headers;
            *request.body_mut() = Some(body.into());
            RequestBuilder::from_parts(client.clone(), request)
        });
        let late = || Err(Failure::new(FetchError::TimeOut, "no answer in time"));
        let response = timeout_at(end, answered).await.unwrap_or_else(|_| late()).map_err(|failure| {
            let host = url.host_str().unwrap_or_default();
            tracing::debug!(host, error = %failure.error, cause = %failure.cause, "a post was not answered");
            failure.error
        })?;
        let retry_after = response.headers().get(RETRY_AFTER).and_then(|value| value.to_str().ok()).map(str::to_owned);
        let receipt = Receipt { status: response.status().as_u16(), retry_after };
        // A short body is read to its end, so that the connection can be reused.
        let _ = timeout(limits::DELIVERY_ANSWER_READ, drop_body(response)).await;
        Ok(receipt)
    }
}

async fn drop_body(mut response: Response) {
    let mut left = limits::DELIVERY_ANSWER_BYTES_MAX;
    while let Ok(Some(chunk)) = response.chunk().await {
        match left.checked_sub(chunk.len()) {
            Some(less) => left = less,
            None => return,
        }
    }
}
