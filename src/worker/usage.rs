//! The usage worker: writes the usage counts to the database every minute.
//!
//! Started by `app`, which calls [`step`] once more at shutdown, after the last request.

use std::sync::Arc;

use super::{Step, Worker};
use crate::base::{Wake, limits};
use crate::operation::{Failure, Services, usage};

/// Starts the worker.
pub fn start(services: &Arc<Services>) -> Worker {
    let services = Arc::clone(services);
    Worker::start("usage", Wake::default(), limits::USAGE_WRITTEN_EVERY, move || {
        let services = Arc::clone(&services);
        async move { step(&services).await }
    })
}

/// Writes the current counts.
pub async fn step(services: &Services) -> Result<Step, Failure> {
    usage::write(services).await?;
    Ok(Step::Done)
}
