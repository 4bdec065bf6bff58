//! When the certificate of the front door ends, where the service speaks TLS itself.
//!
//! Told by `app`, which follows the certificate's files; asked by the dangers and by `/metrics`.

use std::sync::{Mutex, PoisonError};

use crate::base::Timestamp;

/// The end of the certificate that is used now; none without TLS.
#[derive(Debug, Default)]
pub struct CertificateExpiry(Mutex<Option<Timestamp>>);

impl CertificateExpiry {
    pub fn tell(&self, end: Timestamp) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(end);
    }

    pub fn moment(&self) -> Option<Timestamp> {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
