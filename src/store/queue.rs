//! Queues in the database, and the signals that wake their workers.

use std::sync::Arc;

use tokio::sync::Notify;

use super::audit::if_any;
use super::database::{Database, Unit, query};
use super::{Result, Store};
use crate::base::{ErrorChain, Timestamp, limits, text_enum};

/// A queue in the database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Queue {
    Deliveries,
    /// Changes of subscriptions, after which deliveries are put in sequence.
    DeliverySequence,
    Mails,
    Activations,
    /// Decisions of the operator about versions of the API.
    Versions,
}

// The names in notifications between replicas.
text_enum!(Queue {
    Deliveries => "deliveries",
    DeliverySequence => "delivery_sequence",
    Mails => "mails",
    Activations => "activations",
    Versions => "versions",
});

/// The latest time for which a worker puts off an attempt.
#[derive(Clone, Copy, Debug)]
pub struct LastAttempts {
    pub mail: Timestamp,
    pub activation: Timestamp,
    pub delivery: Timestamp,
}

/// A signal for the worker of each queue in this process. Sent by [`Store::notify`].
#[derive(Clone, Debug, Default)]
pub struct QueueSignals {
    pub deliveries: Arc<Notify>,
    pub delivery_sequence: Arc<Notify>,
    pub mails: Arc<Notify>,
    pub activations: Arc<Notify>,
    pub versions: Arc<Notify>,
}

impl QueueSignals {
    pub(super) fn signal(&self, queue: Queue) -> &Notify {
        match queue {
            Queue::Deliveries => &self.deliveries,
            Queue::DeliverySequence => &self.delivery_sequence,
            Queue::Mails => &self.mails,
            Queue::Activations => &self.activations,
            Queue::Versions => &self.versions,
        }
    }

    /// Wakes every worker of this process: for tests that move the clock.
    pub fn notify_all(&self) {
        Queue::ALL.into_iter().for_each(|queue| self.signal(queue).notify_one());
    }
}

impl Store {
    /// Returns the signals that the workers of this process wait for.
    pub fn signals(&self) -> &QueueSignals {
        &self.signals
    }

    /// Wakes the worker of a queue after a commit, in this process and in the other replicas.
    pub fn notify(&self, queue: Queue) {
        self.signals.signal(queue).notify_one();
        if let Database::Postgres(db) = &self.database {
            db.notify_replicas(queue);
        }
    }

    /// Makes mails, activations and deliveries due whose next attempt lies after these times, and counts them. No attempt waits for
    /// so long: the clock was ahead when it was put off.
    pub async fn shorten_waits(&self, now: Timestamp, last: LastAttempts) -> Result<usize> {
        query!(self.write(Unit::Transaction, if_any), shorten_waits(now, last))
    }

    /// Wakes the workers of this process when another replica notifies a queue. Never returns. On SQLite it does
    /// nothing: workers find what another process writes when they poll.
    pub async fn listen(&self) {
        let Database::Postgres(db) = &self.database else { return std::future::pending().await };
        loop {
            let ended = db.listen(&self.signals).await;
            let cause = ended.err().map(|error| ErrorChain(&error).to_string());
            tracing::warn!(
                cause,
                "LISTEN failed, so wake-ups of other replicas are missed; it will be tried again in a second, and workers poll meanwhile"
            );
            tokio::time::sleep(limits::WORKER_POLL).await;
        }
    }
}
