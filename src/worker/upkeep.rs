//! Workers around one call: renditions of photos, retention, usage counts, and the operator's decisions about versions.
//!
//! Started by `app`.

use std::sync::Arc;

use tokio::sync::Mutex;
use uuid::Uuid;

use super::{Step, Worker};
use crate::base::limits;
use crate::http::Versions;
use crate::operation::retention::{self, Expired};
use crate::operation::{Failure, photo, usage};
use crate::services::Services;
use crate::store::StoreError;

/// Starts the worker that makes missing renditions of photos (decisions, section 7).
pub(crate) fn start_rendering(services: &Arc<Services>) -> Worker {
    Worker::start_with("rendering", services, Arc::default(), limits::RENDERING_POLL, |services| async move {
        Ok::<_, Failure>(if photo::render_next(&services).await? { Step::More } else { Step::Done })
    })
}

/// Starts the worker that deletes data that is past its retention time.
pub(crate) fn start_retention(services: &Arc<Services>) -> Worker {
    // The card that the last step ended with.
    let after = Arc::new(Mutex::new(Uuid::nil()));
    Worker::start_with("retention", services, Arc::default(), limits::RETENTION_STEP_EVERY, move |services| {
        let after = Arc::clone(&after);
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

/// Starts the worker that writes the usage counts to the database every minute.
pub(crate) fn start_usage(services: &Arc<Services>) -> Worker {
    Worker::start_with("usage", services, Arc::default(), limits::USAGE_WRITTEN_EVERY, |services| async move {
        write_usage(&services).await
    })
}

/// Writes the current usage counts; `app` does so once more at shutdown, after the last request.
pub async fn write_usage(services: &Services) -> Result<Step, Failure> {
    usage::write(services).await?;
    Ok(Step::Done)
}

/// Starts the worker that applies the operator's decisions about API versions to `http` on every replica. On PostgreSQL a replica
/// is notified of a decision; on SQLite, where the operator's command is another process, the worker polls.
pub(crate) fn start_versions(services: &Arc<Services>, versions: &Arc<Versions>) -> Worker {
    let (versions, wake) = (Arc::clone(versions), services.store.signals().versions.clone());
    Worker::start_with("versions", services, wake, limits::VERSION_NOTICES_READ_EVERY, move |services| {
        let versions = Arc::clone(&versions);
        async move { apply_versions(&services, &versions).await }
    })
}

/// Applies the current decisions about versions.
pub(crate) async fn apply_versions(services: &Services, versions: &Versions) -> Result<Step, StoreError> {
    versions.follow(&services.store.version_notices().await?);
    Ok(Step::Done)
}
