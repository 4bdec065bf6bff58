//! The state that all requests of the process share.

use std::sync::Arc;

use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::authentication::Authenticator;
use super::budget::Budget;
use super::health::Health;
use super::idempotency::IdempotencyLocks;
use super::prepare::Preparer;
use super::version::Versions;
use crate::services::Services;
use crate::web::Site;

/// The state of the HTTP server. Nothing in it has to survive the process or to be shared between replicas.
pub(super) struct AppState {
    pub services: Arc<Services>,
    pub versions: Arc<Versions>,
    pub authenticator: Authenticator,
    pub preparer: Preparer,
    pub site: Site,
    pub idempotency: IdempotencyLocks,
    /// Tasks that outlive their request.
    pub tasks: TaskTracker,
    /// The memory of responses that clients have not taken yet.
    pub answer_bytes: Arc<Budget>,
    pub health: Arc<Health>,
}

impl AppState {
    pub(super) fn new(services: Arc<Services>, versions: Arc<Versions>, shutdown: CancellationToken) -> Self {
        let tasks = TaskTracker::new();
        Self {
            site: Site::new(Arc::clone(&services), versions.sdls()),
            versions,
            answer_bytes: Budget::new(services.policy.front.answer_bytes),
            health: Arc::new(Health::new(Arc::clone(&services), shutdown)),
            preparer: Preparer::new(),
            authenticator: Authenticator::new(Arc::clone(&services), tasks.clone()),
            idempotency: IdempotencyLocks::new(Arc::clone(&services)),
            services,
            tasks,
        }
    }
}
