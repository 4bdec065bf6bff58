//! The word that there is something to do: said after a commit, heard by the worker whose queue it is.

use std::sync::Arc;

use tokio::sync::Notify;

/// Wakes one worker; cheap to clone. A word that is said while the worker is busy is heard when it is done.
#[derive(Clone, Debug, Default)]
pub struct Wake(Arc<Notify>);

impl Wake {
    /// Says the word. Costs next to nothing, and saying it twice is saying it once.
    pub fn wake(&self) {
        self.0.notify_one();
    }

    /// Waits for the word; at once when it was said since the last wait.
    pub async fn woken(&self) {
        self.0.notified().await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn wake_without_a_waiter_is_received_once() {
        let wake = Wake::default();
        wake.wake();
        wake.wake();
        wake.woken().await;
        let again = tokio::time::timeout(std::time::Duration::from_millis(5), wake.woken()).await;
        assert!(again.is_err(), "two wakes before the first wait are one");
    }
}
