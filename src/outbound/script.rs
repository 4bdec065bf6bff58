//! Answers of a test instead of the network, for the step simulator (`conformance/sim`).

use std::fmt;
use std::sync::Arc;

use bytes::Bytes;
use futures_util::future::BoxFuture;
use http::HeaderMap;
use url::Url;

use super::FetchError;
use super::post::Receipt;

/// The answer to a post.
type Answer = BoxFuture<'static, Result<Receipt, FetchError>>;

/// Answers posts; cheap to clone.
#[derive(Clone)]
pub(super) struct Script(Arc<dyn Fn(Url, HeaderMap, Bytes) -> Answer + Send + Sync>);

impl Script {
    pub(super) fn new(answer: impl Fn(Url, HeaderMap, Bytes) -> Answer + Send + Sync + 'static) -> Self {
        Self(Arc::new(answer))
    }

    pub(super) fn post(&self, url: &Url, headers: HeaderMap, body: Bytes) -> Answer {
        (self.0)(url.clone(), headers, body)
    }
}

impl fmt::Debug for Script {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Script")
    }
}
