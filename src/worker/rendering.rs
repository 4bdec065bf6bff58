//! The rendering worker: makes missing renditions of photos (decisions, section 7).
//!
//! Started by `app`; tests call [`step`].

use std::sync::Arc;

use super::{Step, Worker};
use crate::base::{Wake, limits};
use crate::operation::{Failure, Services, photo};

/// Starts the worker.
pub(crate) fn start(services: &Arc<Services>) -> Worker {
    let services = Arc::clone(services);
    Worker::start("rendering", Wake::default(), limits::RENDERING_POLL, move || {
        let services = Arc::clone(&services);
        async move { step(&services).await }
    })
}

/// Makes the renditions of one photo.
pub(crate) async fn step(services: &Services) -> Result<Step, Failure> {
    Ok(if photo::render_next(services).await? { Step::More } else { Step::Done })
}
