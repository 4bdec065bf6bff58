//! What was counted of the schema's use goes to the database every minute.
//!
//! Started by `app`, which calls [`step`] once more when the last request is answered.

use std::sync::Arc;

use super::{Step, Worker};
use crate::base::{Wake, limits};
use crate::operation::{Failure, Services, usage};

/// Starts the worker.
pub fn start(services: &Arc<Services>) -> Worker {
    let services = Arc::clone(services);
    // Nobody calls for it: its time comes.
    Worker::start("usage", Wake::default(), limits::USAGE_WRITTEN_EVERY, move || {
        let services = Arc::clone(&services);
        async move { step(&services).await }
    })
}

/// Writes what was counted so far.
pub async fn step(services: &Services) -> Result<Step, Failure> {
    usage::write(services).await?;
    Ok(Step::Done)
}
