//! The queue of photos to decode: bounded, and fair between partners.
//!
//! Called only by the renderer.
//!
//! One photo of a partner is decoded at a time. A free slot goes to the partner whose last photo started longest ago; among
//! its photos to the card whose last photo did; then to the oldest photo. So a partner, a card or a browser session that
//! sends many photos delays only its own.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::oneshot;
use uuid::Uuid;

use crate::base::limits;

/// The requester of a decoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Requester {
    partner_id: Uuid,
    card_id: Option<Uuid>,
}

impl Requester {
    /// A partner, for a photo of the API.
    pub fn partner(partner_id: Uuid) -> Self {
        Self { partner_id, card_id: None }
    }

    /// The family that edits this card of this partner.
    pub fn card(partner_id: Uuid, card_id: Uuid) -> Self {
        Self { partner_id, card_id: Some(card_id) }
    }

    /// The readers of cards together, for the pictures of messages: they delay no photo of a partner.
    pub fn reader() -> Self {
        Self { partner_id: Uuid::max(), card_id: None }
    }

    /// The worker of this service.
    pub fn worker() -> Self {
        Self { partner_id: Uuid::nil(), card_id: None }
    }
}

/// The queue; cheap to clone.
#[derive(Clone, Debug)]
pub(super) struct Queue(Arc<Mutex<State>>);

#[derive(Debug, Default)]
struct State {
    running: Vec<Requester>,
    waiting: Vec<Waiting>,
    /// The number of the last started photo of each partner in the queue, and of its cards.
    last_started: HashMap<Requester, u64>,
    started: u64,
    next_ticket: u64,
}

#[derive(Debug)]
struct Waiting {
    ticket: u64,
    requester: Requester,
    start: oneshot::Sender<Permit>,
}

/// Permission to decode one photo; dropping it starts the next one.
#[derive(Debug)]
pub(super) struct Permit {
    queue: Queue,
    requester: Requester,
}

/// A ticket that leaves the queue when its owner stops waiting.
struct Ticket<'a> {
    queue: &'a Queue,
    number: u64,
}

impl Queue {
    pub(super) fn new() -> Self {
        Self(Arc::default())
    }

    /// Waits for permission to decode. `None` if the queue is full.
    pub(super) async fn permit(&self, requester: Requester) -> Option<Permit> {
        let (start, started) = oneshot::channel();
        let ticket = Ticket { queue: self, number: self.enqueue(requester, start)? };
        self.start_next();
        let permit = started.await.ok();
        drop(ticket);
        permit
    }

    /// The number of the ticket; `None` if the queue is full.
    fn enqueue(&self, requester: Requester, start: oneshot::Sender<Permit>) -> Option<u64> {
        let mut state = self.lock();
        let of_partner =
            state.waiting.iter().filter(|other| other.requester.partner_id == requester.partner_id).count();
        if state.waiting.len() >= limits::RENDERINGS_WAITING_MAX
            || of_partner >= limits::RENDERINGS_WAITING_PER_PARTNER_MAX
        {
            return None;
        }
        let ticket = state.next_ticket;
        state.next_ticket += 1;
        state.waiting.push(Waiting { ticket, requester, start });
        Some(ticket)
    }

    fn start_next(&self) {
        loop {
            let Some(Waiting { requester, start, .. }) = self.lock().take_next() else { return };
            // Not under the lock: if its owner has just left, the permit is dropped here.
            let _ = start.send(Permit { queue: self.clone(), requester });
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Starts the next photo.
    fn take_next(&mut self) -> Option<Waiting> {
        if self.running.len() >= limits::RENDERINGS_AT_ONCE {
            return None;
        }
        let last = |requester: &Requester| self.last_started.get(requester).copied().unwrap_or_default();
        let rank = |Waiting { requester, ticket, .. }: &Waiting| {
            (last(&Requester::partner(requester.partner_id)), last(requester), *ticket)
        };
        let is_next_allowed = |waiting: &Waiting| {
            let of_partner = self.running.iter().filter(|running| running.partner_id == waiting.requester.partner_id);
            of_partner.count() < limits::RENDERINGS_AT_ONCE_PER_PARTNER
        };
        let allowed = self.waiting.iter().enumerate().filter(|(_, waiting)| is_next_allowed(waiting));
        let (index, _) = allowed.min_by_key(|(_, waiting)| rank(waiting))?;
        let next = self.waiting.remove(index);
        self.started += 1;
        self.last_started.insert(Requester::partner(next.requester.partner_id), self.started);
        self.last_started.insert(next.requester, self.started);
        self.running.push(next.requester);
        Some(next)
    }

    /// Removes a partner that has no photos in the queue.
    fn remove_idle(&mut self, partner_id: Uuid) {
        let is_here = |requester: &Requester| requester.partner_id == partner_id;
        if !self.running.iter().any(is_here) && !self.waiting.iter().any(|waiting| is_here(&waiting.requester)) {
            self.last_started.retain(|requester, _| requester.partner_id != partner_id);
        }
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        let mut state = self.queue.lock();
        if let Some(index) = state.running.iter().position(|running| *running == self.requester) {
            state.running.swap_remove(index);
        }
        state.remove_idle(self.requester.partner_id);
        drop(state);
        self.queue.start_next();
    }
}

impl Drop for Ticket<'_> {
    fn drop(&mut self) {
        let mut state = self.queue.lock();
        let left = state.waiting.iter().position(|waiting| waiting.ticket == self.number);
        let left = left.map(|index| state.waiting.remove(index));
        if let Some(waiting) = &left {
            state.remove_idle(waiting.requester.partner_id);
        }
        // The sender is dropped last, not under the lock.
        drop(state);
        drop(left);
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt as _;

    use super::*;

    const A: Uuid = Uuid::from_u128(1);
    const B: Uuid = Uuid::from_u128(2);
    const C: Uuid = Uuid::from_u128(3);
    const CARD: Uuid = Uuid::from_u128(4);

    /// A photo in the queue or being decoded.
    struct Photo(std::pin::Pin<Box<dyn Future<Output = Option<Permit>>>>);

    impl Photo {
        fn new(queue: &Queue, requester: Requester) -> Self {
            let queue = queue.clone();
            let mut photo = Self(Box::pin(async move { queue.permit(requester).await }));
            assert!(photo.permit().is_none(), "no place is free");
            photo
        }

        fn permit(&mut self) -> Option<Permit> {
            self.0.as_mut().now_or_never().map(|permit| permit.expect("the queue is not full"))
        }
    }

    async fn started(queue: &Queue, requester: Requester) -> Permit {
        queue.permit(requester).await.expect("a place is free")
    }

    #[tokio::test]
    async fn partner_with_many_photos_does_not_delay_another_partner() {
        let queue = Queue::new();
        let first = started(&queue, Requester::partner(A)).await;
        let mut many: Vec<_> = (0..10).map(|_| Photo::new(&queue, Requester::partner(A))).collect();
        let other = started(&queue, Requester::partner(B)).await;
        let mut third = Photo::new(&queue, Requester::partner(C));
        drop(first);
        assert!(many.iter_mut().all(|photo| photo.permit().is_none()));
        let third = third.permit().expect("the third partner is next, though it came last");
        drop(other);
        let second = many[0].permit().expect("the one that has waited longest");
        assert!(many[1..].iter_mut().all(|photo| photo.permit().is_none()), "one at a time");
        drop((second, third));
        assert!(many[1].permit().is_some());
    }

    #[tokio::test]
    async fn card_does_not_wait_for_all_photos_of_its_partner() {
        let queue = Queue::new();
        let first = started(&queue, Requester::partner(A)).await;
        let mut many: Vec<_> = (0..3).map(|_| Photo::new(&queue, Requester::partner(A))).collect();
        let mut of_card: Vec<_> = (0..2).map(|_| Photo::new(&queue, Requester::card(A, CARD))).collect();
        drop(first);
        let permit = of_card[0].permit().expect("the card has had none yet");
        drop(permit);
        assert!(of_card[1].permit().is_none() && many[0].permit().is_some());
    }

    #[tokio::test]
    async fn queue_is_bounded_for_each_partner_and_in_all() {
        let queue = Queue::new();
        let mut running = Vec::new();
        for number in 1..=limits::RENDERINGS_AT_ONCE as u128 {
            running.push(started(&queue, Requester::partner(Uuid::from_u128(number << 64))).await);
        }
        let mut waiting = Vec::new();
        for number in 1.. {
            let partner = Requester::partner(Uuid::from_u128(number));
            let free = limits::RENDERINGS_WAITING_MAX - waiting.len();
            let count = free.min(limits::RENDERINGS_WAITING_PER_PARTNER_MAX);
            waiting.extend((0..count).map(|_| Photo::new(&queue, partner)));
            assert!(matches!(queue.permit(partner).now_or_never(), Some(None)), "one more is not taken");
            if waiting.len() == limits::RENDERINGS_WAITING_MAX {
                break;
            }
        }
        // A caller that stops waiting leaves the queue.
        waiting.truncate(1);
        assert_eq!(queue.lock().waiting.len(), 1);
        drop((waiting, running));
        let state = queue.lock();
        assert!(state.running.is_empty() && state.waiting.is_empty() && state.last_started.is_empty());
    }
}
