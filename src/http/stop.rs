//! The word that the server is to stop, for everything that has to hear it.
//!
//! Said by the server, heard by every connection and by the health checks.

use std::sync::Arc;

use tokio::sync::watch;

/// Told once, and for ever; cheap to clone.
#[derive(Clone, Default)]
pub struct Stop(Arc<watch::Sender<bool>>);

impl Stop {
    pub fn tell(&self) {
        self.0.send_replace(true);
    }

    pub fn is_told(&self) -> bool {
        *self.0.borrow()
    }

    /// Waits for the word; at once when it was said before.
    pub async fn told(&self) {
        // The sender lives as long as `self`: the wait cannot fail.
        let _ = self.0.subscribe().wait_for(|told| *told).await;
    }
}
