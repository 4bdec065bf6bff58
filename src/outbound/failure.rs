//! The errors of outbound requests, and the conversion of reqwest's errors.

use std::borrow::Cow;
use std::error::Error;
use std::io;
use std::path::PathBuf;

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
}

impl From<reqwest::Error> for Failure {
    fn from(error: reqwest::Error) -> Self {
        let innermost = sources(&error).last().map(ToString::to_string).unwrap_or_default();
        let refused = sources(&error).find_map(|source| source.downcast_ref::<CheckError>()).copied();
        if refused == Some(CheckError::NotPublic) {
            return Self::new(FetchError::Refused, innermost);
        }
        let timed_out = |source: &(dyn Error + 'static)| {
            source.downcast_ref::<io::Error>().is_some_and(|io| io.kind() == io::ErrorKind::TimedOut)
        };
        match error.is_timeout() || sources(&error).any(timed_out) {
            true => Self::new(FetchError::TimeOut, innermost),
            false => Self::new(FetchError::NoConnection, innermost),
        }
    }
}

/// Returns the sources of an error without the error itself, because reqwest writes the whole URL into that.
fn sources<'a>(error: &'a reqwest::Error) -> impl Iterator<Item = &'a (dyn Error + 'static)> {
    std::iter::successors(error.source(), |&source| source.source())
}
