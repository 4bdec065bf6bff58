//! Who is woken when a transaction leaves something to do.

use crate::base::Wake;

/// One word for each queue that the database keeps. Said by the store after a commit, or by whoever has written to a
/// queue; heard by its worker.
#[derive(Clone, Debug, Default)]
pub struct Wakes {
    pub deliveries: Wake,
    pub mails: Wake,
    pub activations: Wake,
}

impl Wakes {
    /// Wakes every worker: for a clock that has been moved.
    pub fn all(&self) {
        for wake in [&self.deliveries, &self.mails, &self.activations] {
            wake.wake();
        }
    }
}
