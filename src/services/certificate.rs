//! The expiry of the server's own TLS certificate.
//!
//! Set by `app` and by the certificate worker; read by the checks and by `/metrics`.

use std::sync::{Mutex, PoisonError};

use crate::base::Timestamp;

/// When the current certificate expires; `None` without TLS.
#[derive(Debug, Default)]
pub struct CertificateExpiry(Mutex<Option<Timestamp>>);

impl CertificateExpiry {
    /// Records the expiry of a certificate that was loaded.
    pub fn set(&self, not_after: Timestamp) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(not_after);
    }

    /// Returns the expiry of the current certificate; `None` without TLS.
    pub fn not_after(&self) -> Option<Timestamp> {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
