//! The certificate of the front door follows its files, such as those that an ACME client renews.
//!
//! Started by the server where it speaks TLS itself. Files are looked at from time to time and when the operator says so
//! (SIGHUP), by what is in them: how they were replaced does not matter.

use std::convert::Infallible;
use std::sync::Arc;

use crate::base::{Causes, Wake, limits};
use crate::delivery::{Step, Worker};
use crate::http::{Look, Tls};

/// Starts the worker; `wake` makes it look at once.
pub(super) fn start(tls: &Arc<Tls>, wake: &Wake) -> Worker {
    let tls = Arc::clone(tls);
    Worker::start("certificate", wake.clone(), limits::CERTIFICATE_LOOKED_AT_EVERY, move || {
        let tls = Arc::clone(&tls);
        async move {
            // Files may lie on a network, and take their time.
            let look = tokio::task::spawn_blocking(move || tls.look()).await;
            tell(look.unwrap_or(Look::Unchanged)); // a panic has been told by its hook
            Ok::<_, Infallible>(Step::Done)
        }
    })
}

fn tell(look: Look) {
    match look {
        Look::Unchanged => {}
        Look::Renewed => tracing::info!("a new certificate is used from now on"),
        Look::Refused(error) => tracing::warn!(
            error = %Causes(&error),
            "the new certificate cannot be used, and the old one stays: renew it before that one expires"
        ),
    }
}
