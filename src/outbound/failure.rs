//! What can go wrong outside, as the caller needs to know it, and how reqwest's errors are read.

use std::borrow::Cow;
use std::error::Error;
use std::io;
use std::path::PathBuf;

/// Why an address may not be called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CheckError {
    /// The host is not public, or one of its addresses is not; or the address carries credentials.
    #[error("the host is not public")]
    NotPublic,
    /// The host has no address.
    #[error("the host cannot be found")]
    Unresolved,
}

/// Why nothing was fetched. A partner reads `Refused` as "no connection": it says nothing about what is inside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FetchError {
    /// The server answered with another status than success, or with more redirects than are followed.
    #[error("the server answered with status {0}")]
    Status(u16),
    /// No answer: the name has no address, nothing listens, TLS failed, or the connection broke.
    #[error("no connection")]
    NoConnection,
    /// The whole fetch, or its connection, took too long.
    #[error("time-out")]
    TimeOut,
    /// The address, or one it redirects to, is not one that may be called.
    #[error("the address is refused")]
    Refused,
    /// The answer is larger than the caller takes.
    #[error("the answer is too large")]
    TooLarge,
}

/// Why the client cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum OutboundError {
    #[error("the trusted roots in {} cannot be read", path.display())]
    Roots { path: PathBuf, source: Box<dyn Error + Send + Sync> },
    #[error("the outbound client cannot be made")]
    Client(#[source] Box<dyn Error + Send + Sync>),
}

/// A failed fetch on its way to the one place that logs it: what the caller learns, and the cause for the log.
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

/// The chain of causes below an error. The error itself is left out: reqwest writes the whole URL into it.
fn sources<'a>(error: &'a reqwest::Error) -> impl Iterator<Item = &'a (dyn Error + 'static)> {
    std::iter::successors(error.source(), |&source| source.source())
}
