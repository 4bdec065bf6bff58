//! The rendering worker: makes missing renditions of photos (decisions, section 7).
//!
//! Started by `app`; tests call [`step`].

use std::sync::Arc;

use super::{Step, Worker};
use crate::base::limits;
use crate::operation::{Failure, photo};
use crate::services::Services;

/// Starts the worker.
pub(crate) fn start(services: &Arc<Services>) -> Worker {
    let services = Arc::clone(services);
    let log = Arc::clone(services.metrics.worker_log());
    Worker::start("rendering", &log, Arc::default(), limits::RENDERING_POLL, move || {
        let services = Arc::clone(&services);
        async move { step(&services).await }
    })
}

/// Makes the renditions of one photo.
pub async fn step(services: &Services) -> Result<Step, Failure> {
    Ok(if photo::render_next(services).await? { Step::More } else { Step::Done })
}
