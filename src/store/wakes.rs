//! Who is woken when a transaction leaves something to do.

use crate::base::Wake;

/// A queue that the database keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Queue {
    Deliveries,
    Mails,
    Renderings,
    Activations,
}

impl Queue {
    pub(super) const ALL: [Queue; 4] = [Queue::Deliveries, Queue::Mails, Queue::Renderings, Queue::Activations];

    /// As the replicas tell each other.
    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Queue::Deliveries => "deliveries",
            Queue::Mails => "mails",
            Queue::Renderings => "renderings",
            Queue::Activations => "activations",
        }
    }
}

/// One word for each queue, heard by its worker. [`Store::wake`](super::Store::wake) says it.
#[derive(Clone, Debug, Default)]
pub struct Wakes {
    pub deliveries: Wake,
    pub mails: Wake,
    pub renderings: Wake,
    pub activations: Wake,
}

impl Wakes {
    pub(super) fn of(&self, queue: Queue) -> &Wake {
        match queue {
            Queue::Deliveries => &self.deliveries,
            Queue::Mails => &self.mails,
            Queue::Renderings => &self.renderings,
            Queue::Activations => &self.activations,
        }
    }

    /// Wakes every worker of this process: for a clock that has been moved.
    pub fn all(&self) {
        Queue::ALL.into_iter().for_each(|queue| self.of(queue).wake());
    }
}
