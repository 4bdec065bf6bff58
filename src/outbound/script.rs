//! Answers of a test instead of the network, for the step simulator (`conformance/sim`); the feature `simulation`.

use std::fmt;
use std::sync::Arc;

use bytes::Bytes;
use http::{HeaderMap, Response};
use url::Url;

use super::FetchError;

/// The answer to a request.
pub type Answer = Result<Response<Bytes>, FetchError>;

/// Answers a POST with its headers and body.
type Respond = dyn Fn(&Url, HeaderMap, Bytes) -> Answer + Send + Sync;

/// Answers requests; cheap to clone.
#[derive(Clone)]
pub struct Script(Arc<Respond>);

impl Script {
    pub fn new(answer: impl Fn(&Url, HeaderMap, Bytes) -> Answer + Send + Sync + 'static) -> Self {
        Self(Arc::new(answer))
    }

    pub(super) fn answer(&self, url: &Url, headers: HeaderMap, body: Bytes) -> Answer {
        (self.0)(url, headers, body)
    }
}

impl fmt::Debug for Script {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Script")
    }
}
