//! Prepares operations: parses, validates and plans the document of a request, and coerces its variables.
//!
//! Called by the handler of partner requests. A request whose plan is cached is prepared at once. Any other is work that
//! grows with the document, and is done on a blocking thread, at most [`limits::DOCUMENTS_PREPARED_AT_ONCE`] at a time:
//! however long it takes, the runtime's own threads go on serving other requests.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use engine::{AnyEngine, PreparedOperation, Request};
use tokio::sync::Semaphore;

use super::api_error::ApiError;
use crate::base::limits;
use crate::resolver::Context;

/// Prepares operations of every version.
#[derive(Clone)]
pub(super) struct Preparer {
    permits: Arc<Semaphore>,
    wait_max: Duration,
}

impl Preparer {
    pub(super) fn new() -> Self {
        let permits = Arc::new(Semaphore::new(limits::DOCUMENTS_PREPARED_AT_ONCE));
        Self { permits, wait_max: limits::PREPARE_WAIT }
    }

    /// Prepares `request`, which was parsed from `body`.
    ///
    /// # Errors
    /// 400 for a document or variables that are refused; 503 if no permit is free within [`limits::PREPARE_WAIT`].
    pub(super) async fn prepare(
        &self,
        engine: &Arc<dyn AnyEngine<Context>>,
        body: &Bytes,
        request: &Request<'_>,
    ) -> Result<PreparedOperation, ApiError> {
        match engine.prepare_cached(request) {
            Some(prepared) => Ok(prepared?),
            None => self.prepare_uncached(Arc::clone(engine), body.clone()).await,
        }
    }

    async fn prepare_uncached(
        &self,
        engine: Arc<dyn AnyEngine<Context>>,
        body: Bytes,
    ) -> Result<PreparedOperation, ApiError> {
        let permit = Arc::clone(&self.permits).acquire_owned();
        let permit = tokio::time::timeout(self.wait_max, permit).await.map_err(|_| ApiError::unavailable())?;
        let prepared = tokio::task::spawn_blocking(move || {
            // Held until the work ends, even if the client disconnects before.
            let _permit = permit;
            Ok(engine.prepare(&Request::parse(&body)?)?)
        });
        // The task can only end by a panic, which the panic hook has logged.
        prepared.await.unwrap_or_else(|_panic| Err(ApiError::internal()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generated::v2026_10::V2026_10;
    use engine::{Engine, Limits};

    #[tokio::test]
    async fn document_that_gets_no_permit_in_time_is_503_and_a_cached_one_needs_none() {
        let engine: Arc<dyn AnyEngine<Context>> = Arc::new(Engine::<V2026_10>::new(Limits::default()));
        let preparer = Preparer { wait_max: Duration::from_millis(10), ..Preparer::new() };
        let prepare = async |document: &str| {
            let body = Bytes::from(format!("{{\"query\":\"{document}\"}}"));
            let request = Request::parse(&body).expect("a request");
            preparer.prepare(&engine, &body, &request).await.map(|_| ()).map_err(|error| error.code())
        };
        assert_eq!(prepare("{__typename}").await, Ok(()));
        let permits =
            preparer.permits.try_acquire_many(limits::DOCUMENTS_PREPARED_AT_ONCE as u32).expect("all are free");
        assert_eq!(prepare("{__typename}").await, Ok(()), "it is cached");
        assert_eq!(prepare("{a:__typename}").await, Err("UNAVAILABLE"));
        drop(permits);
        assert_eq!(prepare("{a:__typename}").await, Ok(()));
        assert_eq!(prepare("{nope}").await, Err("GRAPHQL_VALIDATION_FAILED"));
        assert_eq!(preparer.permits.available_permits(), limits::DOCUMENTS_PREPARED_AT_ONCE);
    }
}
