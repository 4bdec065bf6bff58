//! Sends one POST request through the guarded client, without redirects.
//!
//! Called by the webhook worker, and for the challenge of a callback (decisions W3, W9 and section 7).

use bytes::Bytes;
use http::HeaderMap;
use http::header::{ACCEPT_ENCODING, HeaderValue, RETRY_AFTER};
use reqwest::{Method, Request, RequestBuilder, Response};
use tokio::time::{Instant, timeout, timeout_at};
use url::Url;

use super::client::{Outbound, read_body};
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
    pub async fn post(&self, url: &Url, headers: HeaderMap, body: Bytes) -> Result<Receipt, FetchError> {
        #[cfg(feature = "simulation")]
        if let Some(script) = self.script() {
            let answer = script.answer(url, headers, body)?;
            return Ok(Receipt { status: answer.status().as_u16(), retry_after: retry_after(answer.headers()) });
        }
        let end = Instant::now() + limits::DELIVERY_TOTAL;
        let response = self.posted(url, headers, body, end).await.map_err(|failure| logged(url, &failure))?;
        let receipt = Receipt { status: response.status().as_u16(), retry_after: retry_after(response.headers()) };
        // A short body is read to its end, so that the connection can be reused.
        let _ = timeout(limits::DELIVERY_ANSWER_READ, drop_body(response)).await;
        Ok(receipt)
    }

    /// Posts as [`Outbound::post`], and returns the body of a response of 2xx, of at most `answer_bytes_max`.
    pub async fn ask(
        &self,
        url: &Url,
        headers: HeaderMap,
        body: Bytes,
        answer_bytes_max: usize,
    ) -> Result<Bytes, FetchError> {
        let end = Instant::now() + limits::DELIVERY_TOTAL;
        let answer = async {
            let response = self.posted(url, headers, body, end).await?;
            if !response.status().is_success() {
                return Err(Failure::new(FetchError::Status(response.status().as_u16()), "not a success"));
            }
            timeout_at(end, read_body(response, answer_bytes_max)).await.unwrap_or_else(|_| Err(late()))
        };
        answer.await.map_err(|failure| logged(url, &failure))
    }

    /// Returns the head of the response, of any status.
    async fn posted(&self, url: &Url, mut headers: HeaderMap, body: Bytes, end: Instant) -> Result<Response, Failure> {
        headers.insert(ACCEPT_ENCODING, HeaderValue::from_static("identity"));
        let answered = self.guarded(url, |client| {
            let mut request = Request::new(Method::POST, url.clone());
            *request.headers_mut() = headers;
            *request.body_mut() = Some(body.into());
            RequestBuilder::from_parts(client.clone(), request)
        });
        timeout_at(end, answered).await.unwrap_or_else(|_| Err(late()))
    }
}

fn retry_after(headers: &HeaderMap) -> Option<String> {
    headers.get(RETRY_AFTER).and_then(|value| value.to_str().ok()).map(str::to_owned)
}

fn late() -> Failure {
    Failure::new(FetchError::TimeOut, "no answer in time")
}

fn logged(url: &Url, failure: &Failure) -> FetchError {
    let host = url.host_str().unwrap_or_default();
    tracing::debug!(host, error = %failure.error, cause = %failure.cause, "a post was not answered");
    failure.error
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
