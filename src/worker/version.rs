//! The version worker: applies the operator's decisions about API versions to `http` on every replica.
//!
//! Started by `app`. On PostgreSQL a replica is notified of a decision; on SQLite, where the operator's command is another
//! process, it polls.

use std::sync::Arc;

use super::{Step, Worker};
use crate::base::limits;
use crate::http::Versions;
use crate::services::Services;
use crate::store::StoreError;

/// Starts the worker.
pub(crate) fn start(services: &Arc<Services>, versions: &Arc<Versions>) -> Worker {
    let (services, versions) = (Arc::clone(services), Arc::clone(versions));
    let wake = services.store.signals().versions.clone();
    let log = Arc::clone(services.metrics.worker_log());
    Worker::start("versions", &log, wake, limits::VERSION_NOTICES_READ_EVERY, move || {
        let (services, versions) = (Arc::clone(&services), Arc::clone(&versions));
        async move { step(&services, &versions).await }
    })
}

/// Applies the current decisions.
pub(crate) async fn step(services: &Services, versions: &Versions) -> Result<Step, StoreError> {
    versions.follow(&services.store.version_notices().await?);
    Ok(Step::Done)
}
