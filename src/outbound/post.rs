//! Sends one POST request through the guarded client, without redirects.
//!
//! Called by the webhook worker, and for the challenge of a callback (decisions W3, W9 and section 7).

use std::borrow::Cow;
use std::error::Error;
use std::path::PathBuf;
use std::{fmt, io};

use bytes::Bytes;
use http::header::{ACCEPT, ACCEPT_ENCODING, HeaderValue, RETRY_AFTER};
use http::{HeaderMap, Method, Response};
use http_body_util::BodyExt as _;
use hyper::body::Incoming;
use rustls::CertificateError;
use tokio::time::{Instant, timeout, timeout_at};
use url::Url;

use super::client::{Outbound, read_body};
use crate::base::limits;
use crate::model::NoAnswer;

/// The part of a response that is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Receipt {
    /// May be a redirect, which is not followed.
    pub status: u16,
    /// `Retry-After`, if it is text.
    pub retry_after: Option<String>,
}

impl Outbound {
    /// Posts `body` with the headers that `headers` makes for each request. Returns a receipt for a response of any status, and an error
    /// if there was no response or the URL may not be called.
    pub async fn post(
        &self,
        url: &Url,
        headers: impl Fn() -> HeaderMap + Send + Sync,
        body: Bytes,
    ) -> Result<Receipt, FetchError> {
        #[cfg(feature = "simulation")]
        if let Some(script) = self.script() {
            let answer = script.answer(url, headers(), body)?;
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
            let response = self.send(url, || headers.clone(), body, end).await?;
            if !response.status().is_success() {
                return Err(Failure::new(FetchError::Status(response.status().as_u16()), "not a success"));
            }
            timeout_at(end, read_body(response, answer_bytes_max))
                .await
                .unwrap_or_else(|_| Err(NoAnswer::AnswerTimeOut.into()))
        };
        answer.await.map_err(|failure| log(url, &failure))
    }

    /// Returns the head of the response, of any status.
    async fn send(
        &self,
        url: &Url,
        headers: impl Fn() -> HeaderMap,
        body: Bytes,
        end: Instant,
    ) -> Result<Response<Incoming>, Failure> {
        let headers = || {
            let mut headers = headers();
            headers.insert(ACCEPT, HeaderValue::from_static("*/*"));
            headers.insert(ACCEPT_ENCODING, HeaderValue::from_static("identity"));
            headers
        };
        let answered = self.send_guarded(Method::POST, url, headers, body);
        timeout_at(end, answered).await.unwrap_or_else(|_| Err(NoAnswer::AnswerTimeOut.into()))
    }
}

fn retry_after(headers: &HeaderMap) -> Option<String> {
    headers.get(RETRY_AFTER).and_then(|value| value.to_str().ok()).map(str::to_owned)
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
    /// The response was not successful.
    #[error("the server answered with status {0}")]
    Status(u16),
    /// The server redirects too often.
    #[error("too many redirects")]
    Redirects,
    #[error("{}", .0.as_str())]
    NoAnswer(NoAnswer),
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

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(f)
    }
}

impl Error for Failure {}

impl From<NoAnswer> for Failure {
    fn from(cause: NoAnswer) -> Self {
        Self::new(FetchError::NoAnswer(cause), cause.as_str())
    }
}

impl From<CheckError> for Failure {
    fn from(error: CheckError) -> Self {
        match error {
            CheckError::NotPublic => Self::new(FetchError::Refused, error.to_string()),
            CheckError::Unresolved => NoAnswer::NameUnknown.into(),
        }
    }
}

impl Failure {
    pub(super) fn new(error: FetchError, cause: impl Into<Cow<'static, str>>) -> Self {
        Self { error, cause: cause.into() }
    }

    /// Returns the failure behind an error of the client: of its connector, of HTTP, or of the socket.
    pub(super) fn from_error(error: &(dyn Error + 'static)) -> Self {
        let sources = || std::iter::successors(Some(error), |&source| source.source());
        if let Some(failure) = sources().find_map(|source| source.downcast_ref::<Self>()) {
            return Self::new(failure.error, failure.cause.clone());
        }
        let innermost = sources().last().map(ToString::to_string).unwrap_or_default();
        let of_tls = sources().find_map(tls_error);
        let of_http = sources().find_map(|source| source.downcast_ref::<hyper::Error>());
        let of_socket = sources().find_map(|source| source.downcast_ref::<io::Error>()).map(io::Error::kind);
        let cause = match (of_http, of_socket) {
            _ if of_tls.is_some() => of_tls.map_or(NoAnswer::Tls, of_tls_error),
            (Some(error), _) if error.is_parse() => NoAnswer::AnswerUnreadable,
            (Some(_), Some(io::ErrorKind::TimedOut)) => NoAnswer::AnswerTimeOut,
            (_, Some(kind)) => of_socket_error(kind),
            (Some(error), None) if error.is_incomplete_message() || error.is_canceled() || error.is_closed() => {
                NoAnswer::ConnectionClosed
            }
            _ => NoAnswer::Other,
        };
        Self::new(FetchError::NoAnswer(cause), innermost)
    }

    /// Returns the failure behind an error of the TLS handshake.
    pub(super) fn from_handshake(error: &io::Error) -> Self {
        let cause = tls_error(error).map_or(NoAnswer::Tls, of_tls_error);
        Self::new(FetchError::NoAnswer(cause), error.to_string())
    }

    /// Whether the connection was closed before an answer.
    pub(super) fn is_closed(&self) -> bool {
        self.error == FetchError::NoAnswer(NoAnswer::ConnectionClosed)
    }
}

/// Returns the error of TLS inside an error of a socket, which `source` leaves out.
fn tls_error<'e>(error: &'e (dyn Error + 'static)) -> Option<&'e rustls::Error> {
    error.downcast_ref::<io::Error>()?.get_ref()?.downcast_ref()
}

fn of_tls_error(error: &rustls::Error) -> NoAnswer {
    use CertificateError as E;
    let rustls::Error::InvalidCertificate(error) = error else { return NoAnswer::Tls };
    match error {
        E::UnknownIssuer => NoAnswer::CertificateIssuer,
        // Self-signed, as OpenSSL makes it.
        E::Other(other) if other.0.downcast_ref() == Some(&webpki::Error::CaUsedAsEndEntity) => {
            NoAnswer::CertificateIssuer
        }
        E::Expired | E::ExpiredContext { .. } => NoAnswer::CertificateExpired,
        E::NotValidYet | E::NotValidYetContext { .. } => NoAnswer::CertificateNotYetValid,
        E::NotValidForName | E::NotValidForNameContext { .. } => NoAnswer::CertificateName,
        _ => NoAnswer::CertificateInvalid,
    }
}

fn of_socket_error(kind: io::ErrorKind) -> NoAnswer {
    use io::ErrorKind as K;
    match kind {
        K::ConnectionRefused => NoAnswer::ConnectionRefused,
        K::HostUnreachable | K::NetworkUnreachable => NoAnswer::Unreachable,
        K::TimedOut => NoAnswer::ConnectTimeOut,
        K::ConnectionReset | K::ConnectionAborted | K::BrokenPipe | K::UnexpectedEof | K::NotConnected => {
            NoAnswer::ConnectionClosed
        }
        _ => NoAnswer::Other,
    }
}
