//! Certificate worker: reloads the server's TLS certificate when its files change, for example after an ACME renewal.
//!
//! Started by `app` if the server speaks TLS. Checks the contents of the files periodically and on SIGHUP, and logs a warning
//! before the certificate expires.

use std::convert::Infallible;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::Notify;

use super::{Step, Worker};
use crate::base::{ErrorChain, limits};
use crate::http::{Look, Tls};
use crate::services::{Services, certificate_problem};

struct Certificate {
    services: Arc<Services>,
    tls: Arc<Tls>,
    /// The problem that was logged last.
    logged: Mutex<Option<String>>,
}

/// Starts the worker; `wake` triggers a check. `app` has logged the problem that there is at the start.
pub(crate) fn start(services: &Arc<Services>, tls: &Arc<Tls>, wake: &Arc<Notify>) -> Worker {
    let logged = Mutex::new(certificate_problem(services));
    let certificate = Arc::new(Certificate { services: Arc::clone(services), tls: Arc::clone(tls), logged });
    Worker::start(
        "certificate",
        services.metrics.worker_log(),
        Arc::clone(wake),
        limits::CERTIFICATE_CHECKED_EVERY,
        move || {
            let certificate = Arc::clone(&certificate);
            async move {
                certificate.check().await;
                Ok::<_, Infallible>(Step::Done)
            }
        },
    )
}

impl Certificate {
    async fn check(&self) {
        let tls = Arc::clone(&self.tls);
        // Blocking: the files may be on a network file system.
        let look = tokio::task::spawn_blocking(move || tls.look()).await;
        log(look.unwrap_or(Look::Unchanged)); // the panic hook has logged a panic
        self.services.certificate.set(self.tls.not_after());
        let problem = certificate_problem(&self.services);
        let mut logged = self.logged.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(problem) = problem.as_ref().filter(|_| problem != *logged) {
            tracing::warn!("{problem}");
        }
        *logged = problem;
    }
}

fn log(look: Look) {
    match look {
        Look::Unchanged => {}
        Look::Renewed => tracing::info!("a new certificate is in use"),
        Look::Refused(error) => tracing::warn!(
            error = %ErrorChain(&error),
            "the new certificate cannot be used, so the old one stays in use: replace the new one before the old one expires"
        ),
    }
}
