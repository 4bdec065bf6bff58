//! When the certificate of the front door ends, where the service speaks TLS itself.
//!
//! Told by `app`, which follows the certificate's files; asked by the dangers and by `/metrics`.

use std::sync::{Mutex, PoisonError};

use crate::base::Moment;

/// The end of the certificate that is used now; none without TLS.
#[derive(Debug, Default)]
pub struct CertificateEnd(Mutex<Option<Moment>>);

impl CertificateEnd {
    pub fn tell(&self, end: Moment) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(end);
    }

    pub fn moment(&self) -> Option<Moment> {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
