//! The usage worker: writes the usage counts to the database every minute.
//!
//! Started by `app`, which calls [`step`] once more at shutdown, after the last request.

use std::sync::Arc;

use super::{Step, Worker};
use crate::base::limits;
use crate::operation::{Failure, usage};
use crate::services::Services;

/// Starts the worker.
pub fn start(services: &Arc<Services>) -> Worker {
    let services = Arc::clone(services);
    let log = Arc::clone(services.metrics.worker_log());
    Worker::start("usage", &log, Arc::default(), limits::USAGE_WRITTEN_EVERY, move || {
        let services = Arc::clone(&services);
        async move { step(&services).await }
    })
}

/// Writes the current counts.
pub async fn step(services: &Services) -> Result<Step, Failure> {
    usage::write(services).await?;
    Ok(Step::Done)
}
