//! The state that all requests of the process share.

use std::sync::Arc;

use http::HeaderValue;
use tokio_util::task::TaskTracker;

use super::authentication::Authenticator;
use super::budget::Budget;
use super::health::Health;
use super::idempotency::IdempotencyLocks;
use super::prepare::Preparer;
use super::version::Versions;
use crate::base::limits;
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
    pub response_bytes: Arc<Budget>,
    pub health: Arc<Health>,
    /// The value of `Strict-Transport-Security` (RFC 6797); `None` where clients do not use https.
    pub https_only: Option<HeaderValue>,
}

impl AppState {
    /// `has_tls`: whether the server itself has a certificate; otherwise a proxy may have one.
    pub(super) fn new(services: Arc<Services>, versions: Arc<Versions>, has_tls: bool) -> Self {
        let tasks = TaskTracker::new();
        let is_https = has_tls || services.public_base.starts_with("https://");
        Self {
            site: Site::new(Arc::clone(&services), versions.sdls()),
            versions,
            response_bytes: Budget::new(services.policy.front.response_bytes),
            health: Arc::new(Health::new(Arc::clone(&services))),
            preparer: Preparer::new(),
            authenticator: Authenticator::new(Arc::clone(&services), tasks.clone()),
            idempotency: IdempotencyLocks::new(Arc::clone(&services), tasks.clone()),
            https_only: is_https.then(https_only),
            services,
            tasks,
        }
    }
}

/// The value of `Strict-Transport-Security` where clients use https.
pub(super) fn https_only() -> HeaderValue {
    let value = format!("max-age={}", limits::HTTPS_ONLY.as_secs());
    HeaderValue::try_from(value).expect("a number is visible ASCII")
}
