//! Sends one POST request through the guarded client, without redirects.
//!
//! Called by the webhook worker, and for the challenge of a callback (decisions W3, W9 and section 7).

use std::borrow::Cow;
use std::error::Error;
use std::io;
use std::path::PathBuf;

use bytes::Bytes;
use http::header::{ACCEPT, ACCEPT_ENCODING, HeaderValue, RETRY_AFTER};
use http::{HeaderMap, Method, Response};
use http_body_util::BodyExt as _;
use hyper::body::Incoming;
use tokio::time::{Instant, timeout, timeout_at};
use url::Url;

use super::client::{Outbound, read_body};
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
        let response = self.send(url, headers, body, end).await.map_err(|failure| log(url, &failure))?;
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
            let response = self.send(url, headers, body, end).await?;
            if !response.status().is_success() {
                return Err(Failure::new(FetchError::Status(response.status().as_u16()), "not a success"));
            }
            timeout_at(end, read_body(response, answer_bytes_max)).await.unwrap_or_else(|_| Err(late()))
        };
        answer.await.map_err(|failure| log(url, &failure))
    }

    /// Returns the head of the response, of any status.
    async fn send(
        &self,
        url: &Url,
        mut headers: HeaderMap,
        body: Bytes,
        end: Instant,
    ) -> Result<Response<Incoming>, Failure> {
        headers.insert(ACCEPT, HeaderValue::from_static("*/*"));
        headers.insert(ACCEPT_ENCODING, HeaderValue::from_static("identity"));
        let answered = self.send_guarded(Method::POST, url, headers, body);
        timeout_at(end, answered).await.unwrap_or_else(|_| Err(late()))
    }
}

fn retry_after(headers: &HeaderMap) -> Option<String> {
    headers.get(RETRY_AFTER).and_then(|value| value.to_str().ok()).map(str::to_owned)
}

fn late() -> Failure {
    Failure::new(FetchError::TimeOut, "no answer in time")
}

fn log(url: &Url, failure: &Failure) -> FetchError {
    let host = url.host_str().unwrap_or_default();
    tracing::debug!(host, error = %failure.error, cause = %failure.cause, "a post was not answered");
    failure.error
}

async fn drop_body(response: Response<Incoming>) {
    let mut body = response.into_body();
    let mut left = limits::DELIVERY_ANSWER_BYTES_MAX;
    while let Some(Ok(frame)) = body.frame().await {
        match left.checked_sub(frame.data_ref().map_or(0, Bytes::len)) {
            Some(less) => left = less,
            None => return,
        }
    }
}

/// Why a URL may not be called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CheckError {
    /// The host is not public, or one of its addresses is not; or the URL contains credentials.
    #[error("the host is not public")]
    NotPublic,
    /// The host has no address.
    #[error("the host cannot be found")]
    Unresolved,
}

/// Why a fetch failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FetchError {
    /// The response was not successful, or there were too many redirects.
    #[error("the server answered with status {0}")]
    Status(u16),
    /// The name has no address, nothing listens, TLS failed, or the connection broke.
    #[error("no connection")]
    NoConnection,
    /// The whole fetch, or its connection, took too long.
    #[error("time-out")]
    TimeOut,
    /// The URL, or one that it redirects to, may not be called.
    #[error("the address is refused")]
    Refused,
    /// The body exceeds the limit.
    #[error("the answer is too large")]
    TooLarge,
}

/// Why the client cannot be built.
#[derive(Debug, thiserror::Error)]
pub enum OutboundError {
    #[error("the trusted roots in {} cannot be read", path.display())]
    Roots { path: PathBuf, source: Box<dyn Error + Send + Sync> },
    #[error("the outbound client cannot be made")]
    Client(#[source] Box<dyn Error + Send + Sync>),
}

/// A failed fetch: the error for the caller, and the cause for the log.
#[derive(Debug)]
pub(super) struct Failure {
    pub(super) error: FetchError,
    pub(super) cause: Cow<'static, str>,
}

impl Failure {
    pub(super) fn new(error: FetchError, cause: impl Into<Cow<'static, str>>) -> Self {
        Self { error, cause: cause.into() }
    }

    /// The failure behind an error of the client.
    pub(super) fn from_error(error: &(dyn Error + 'static)) -> Self {
        let sources = || std::iter::successors(Some(error), |&source| source.source());
        let innermost = sources().last().map(ToString::to_string).unwrap_or_default();
        let refused = sources().find_map(|source| source.downcast_ref::<CheckError>()).copied();
        if refused == Some(CheckError::NotPublic) {
            return Self::new(FetchError::Refused, innermost);
        }
        let timed_out = |source: &(dyn Error + 'static)| {
            source.downcast_ref::<io::Error>().is_some_and(|io| io.kind() == io::ErrorKind::TimedOut)
        };
        match sources().any(timed_out) {
            true => Self::new(FetchError::TimeOut, innermost),
            false => Self::new(FetchError::NoConnection, innermost),
        }
    }
}
