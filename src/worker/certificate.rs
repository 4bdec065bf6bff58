//! The certificate of the front door follows its files, such as those that an ACME client renews.
//!
//! Started by the server where it speaks TLS itself. Files are looked at from time to time and when the operator says so
//! (SIGHUP), by what is in them: how they were replaced does not matter. A certificate that nobody renews is told of before
//! it ends.

use std::convert::Infallible;
use std::sync::{Arc, Mutex, PoisonError};

use crate::base::{ErrorChain, Wake, limits};
use crate::http::{Look, Tls};
use crate::operation::{HealthWarning, Services, certificate_danger};
use crate::worker::{Step, Worker};

/// What the worker looks at.
struct Certificate {
    services: Arc<Services>,
    tls: Arc<Tls>,
    /// What the log has said of its end.
    told: Mutex<Option<HealthWarning>>,
}

/// Starts the worker; `wake` makes it look at once. What is dangerous at the start has been told by then.
pub(super) fn start(services: &Arc<Services>, tls: &Arc<Tls>, wake: &Wake) -> Worker {
    let told = Mutex::new(certificate_danger(services));
    let certificate = Arc::new(Certificate { services: Arc::clone(services), tls: Arc::clone(tls), told });
    Worker::start("certificate", wake.clone(), limits::CERTIFICATE_LOOKED_AT_EVERY, move || {
        let certificate = Arc::clone(&certificate);
        async move {
            certificate.look().await;
            Ok::<_, Infallible>(Step::Done)
        }
    })
}

impl Certificate {
    async fn look(&self) {
        let tls = Arc::clone(&self.tls);
        // Files may lie on a network, and take their time.
        let look = tokio::task::spawn_blocking(move || tls.look()).await;
        tell(look.unwrap_or(Look::Unchanged)); // a panic has been told by its hook
        self.services.certificate.tell(self.tls.ends());
        let danger = certificate_danger(&self.services);
        let before = std::mem::replace(&mut *self.told.lock().unwrap_or_else(PoisonError::into_inner), danger);
        if let Some(danger) = danger.filter(|_| danger != before) {
            tracing::warn!("{}", danger.sentence());
        }
    }
}

fn tell(look: Look) {
    match look {
        Look::Unchanged => {}
        Look::Renewed => tracing::info!("a new certificate is used from now on"),
        Look::Refused(error) => tracing::warn!(
            error = %ErrorChain(&error),
            "the new certificate cannot be used, and the old one stays: renew it before that one expires"
        ),
    }
}
