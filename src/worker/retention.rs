//! The retention worker: deletes data that is past its retention time.
//!
//! Started by `app`; tests call [`retention::step`].

use std::sync::Arc;

use tokio::sync::Mutex;
use uuid::Uuid;

use super::{Step, Worker};
use crate::base::limits;
use crate::operation::Failure;
use crate::operation::retention::{self, Expired};
use crate::services::Services;

/// Starts the worker.
pub(crate) fn start(services: &Arc<Services>) -> Worker {
    let services = Arc::clone(services);
    // The card that the last step ended with.
    let after = Arc::new(Mutex::new(Uuid::nil()));
    let log = Arc::clone(services.metrics.worker_log());
    Worker::start("retention", &log, Arc::default(), limits::RETENTION_STEP_EVERY, move || {
        let (services, after) = (Arc::clone(&services), Arc::clone(&after));
        async move {
            let mut after = after.lock().await;
            let (deleted, last) = retention::step(&services, *after).await?;
            *after = last;
            if deleted != Expired::default() {
                tracing::info!(?deleted, "data that is past its retention time was deleted");
            }
            Ok::<_, Failure>(Step::Done)
        }
    })
}
