//! Who is woken when a transaction leaves something to do.

use super::Store;
use super::dispatch::Engine;
use crate::base::{ErrorChain, Wake, limits};

/// A queue that the database keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Queue {
    Deliveries,
    Mails,
    Renderings,
    Activations,
    /// What the operator decided about versions of the API.
    Versions,
}

impl Queue {
    pub(super) const ALL: [Queue; 5] =
        [Queue::Deliveries, Queue::Mails, Queue::Renderings, Queue::Activations, Queue::Versions];

    /// As the replicas tell each other.
    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Queue::Deliveries => "deliveries",
            Queue::Mails => "mails",
            Queue::Renderings => "renderings",
            Queue::Activations => "activations",
            Queue::Versions => "versions",
        }
    }
}

/// One word for each queue, heard by its worker. [`Store::wake`] says it.
#[derive(Clone, Debug, Default)]
pub struct Wakes {
    pub deliveries: Wake,
    pub mails: Wake,
    pub renderings: Wake,
    pub activations: Wake,
    pub versions: Wake,
}

impl Wakes {
    pub(super) fn of(&self, queue: Queue) -> &Wake {
        match queue {
            Queue::Deliveries => &self.deliveries,
            Queue::Mails => &self.mails,
            Queue::Renderings => &self.renderings,
            Queue::Activations => &self.activations,
            Queue::Versions => &self.versions,
        }
    }

    /// Wakes every worker of this process: for a clock that has been moved.
    pub fn all(&self) {
        Queue::ALL.into_iter().for_each(|queue| self.of(queue).wake());
    }
}

impl Store {
    /// The words that the workers of this process listen to.
    pub fn wakes(&self) -> &Wakes {
        &self.wakes
    }

    /// Wakes the worker of a queue after something was committed to it: here at once, and on the other replicas too.
    pub fn wake(&self, queue: Queue) {
        self.wakes.of(queue).wake();
        if let Engine::Postgres(db) = &self.engine {
            db.notify_replicas(queue);
        }
    }

    /// Hears from other replicas for as long as it is awaited, and wakes the workers of this process. On SQLite there is
    /// nobody to hear: what another process writes to the same file is found by looking.
    pub async fn listen(&self) {
        let Engine::Postgres(db) = &self.engine else { return std::future::pending().await };
        loop {
            let ended = db.listen(&self.wakes).await;
            let cause = ended.err().map(|error| ErrorChain(&error).to_string());
            tracing::warn!(cause, "the other replicas are not heard; listening again shortly");
            tokio::time::sleep(limits::WORKER_POLL).await;
        }
    }
}
