//! The id of the request that a task works for, so that every line it logs can name it (decisions H2).
//!
//! http sets it around a request; the log reads it. A span would do the same, and cost each request what its answer costs.

use std::sync::Arc;

use super::trace;

tokio::task_local! {
    static CURRENT: Arc<str>;
}

/// Runs `work` as part of the request `id`.
pub async fn within<F: Future>(id: Arc<str>, work: F) -> F::Output {
    CURRENT.scope(id, work).await
}

/// Runs `work`, which is spawned on a task of its own, as part of the current request and its trace span.
pub fn inherited<F: Future>(work: F) -> impl Future<Output = F::Output> {
    let (id, work) = (current(), trace::carried(work));
    async move {
        match id {
            Some(id) => within(id, work).await,
            None => work.await,
        }
    }
}

/// The request that the current task works for, if it does.
pub fn current() -> Option<Arc<str>> {
    CURRENT.try_with(Arc::clone).ok()
}
