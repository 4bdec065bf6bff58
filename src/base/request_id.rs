//! The id of the request that a task runs for, which the log adds to each line (decisions H2).
//!
//! Set by `http`, read by the log. A task-local variable costs much less than a span.

use std::sync::Arc;

tokio::task_local! {
    static CURRENT: Option<Arc<str>>;
}

/// Runs `work` as part of the request `id`.
pub(crate) fn within<F: Future>(id: Arc<str>, work: F) -> impl Future<Output = F::Output> {
    CURRENT.scope(Some(id), work)
}

/// Runs `work`, which is spawned as a separate task, as part of the current request.
pub(crate) fn inherit<F: Future>(work: F) -> impl Future<Output = F::Output> {
    CURRENT.scope(current(), work)
}

/// The id of the request of the current task, if any.
pub(crate) fn current() -> Option<Arc<str>> {
    CURRENT.try_with(Option::clone).ok().flatten()
}
