//! Answers of a test instead of the network, for the step simulator (`conformance/sim`).

use std::fmt;
use std::sync::Arc;

use bytes::Bytes;
use http::{HeaderMap, Response};
use url::Url;

use super::FetchError;

/// The answer to a request.
pub type Answer = Result<Response<Bytes>, FetchError>;

/// Answers a POST with its headers and body, or a GET.
type Respond = dyn Fn(&Url, Option<(HeaderMap, Bytes)>) -> Answer + Send + Sync;

/// Answers requests; cheap to clone.
#[derive(Clone)]
pub(super) struct Script(Arc<Respond>);

impl Script {
    pub(super) fn new(answer: impl Fn(&Url, Option<(HeaderMap, Bytes)>) -> Answer + Send + Sync + 'static) -> Self {
        Self(Arc::new(answer))
    }

    /// The answer to a POST of these headers and body, or to a GET.
    pub(super) fn answer(&self, url: &Url, posted: Option<(HeaderMap, Bytes)>) -> Answer {
        (self.0)(url, posted)
    }

    /// The body of a successful answer.
    pub(super) fn body(&self, url: &Url, posted: Option<(HeaderMap, Bytes)>) -> Result<Bytes, FetchError> {
        let answer = self.answer(url, posted)?;
        if answer.status().is_success() {
            Ok(answer.into_body())
        } else {
            Err(FetchError::Status(answer.status().as_u16()))
        }
    }
}

impl fmt::Debug for Script {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Script")
    }
}
