//! What all requests share behind the front door.

use std::sync::Arc;

use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::authentication::Authenticator;
use super::budget::Budget;
use super::health::Health;
use super::idempotency::Attempts;
use super::prepare::Preparer;
use super::throttle::Buckets;
use super::version::Versions;
use crate::operation::Services;
use crate::web::Site;

/// The front door's own state, one for the process. Nothing in it outlives the process or binds a caller to it.
pub struct AppState {
    pub services: Arc<Services>,
    pub versions: Arc<Versions>,
    pub authenticator: Authenticator,
    pub buckets: Buckets,
    pub preparer: Preparer,
    pub site: Site,
    /// The idempotent requests that run in this process.
    pub attempts: Attempts,
    /// Mutations and writes of `last_used_at`: each runs to its end, and the server waits for them at shutdown.
    pub tasks: TaskTracker,
    /// Memory of answers that clients have not taken yet.
    pub answer_bytes: Arc<Budget>,
    pub health: Arc<Health>,
}

impl AppState {
    pub fn new(services: Arc<Services>, versions: Arc<Versions>, shutdown: CancellationToken) -> Self {
        Self {
            site: Site::new(Arc::clone(&services), versions.sdls()),
            versions,
            answer_bytes: Budget::new(services.policy.front.answer_bytes),
            buckets: Buckets::new(services.clock.clone(), services.policy.rate),
            health: Arc::new(Health::new(Arc::clone(&services), shutdown)),
            services,
            preparer: Preparer::new(),
            authenticator: Authenticator::new(),
            attempts: Attempts::default(),
            tasks: TaskTracker::new(),
        }
    }
}
