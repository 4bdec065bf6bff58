//! The queue of photos to decode: bounded, and fair between partners.
//!
//! Called only by the renderer.
//!
//! A photo waits three times, each time in the order of arrival: for the photos before it of its card (or of its partner's API
//! requests), then for its partner, then for a slot. Of a partner one photo at a time is past the second wait, so a partner,
//! a card or a browser session that sends many photos delays only its own.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
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
pub(super) struct Queue {
    slots: Arc<Semaphore>,
    /// Places for waiting photos.
    places: Arc<Semaphore>,
    /// The partners with a photo in the queue, and perhaps some others.
    partners: Arc<Mutex<HashMap<Uuid, Arc<Partner>>>>,
}

#[derive(Debug)]
struct Partner {
    /// Places for waiting photos.
    places: Semaphore,
    turn: Arc<Semaphore>,
    /// The turns of its cards, and of its API requests.
    cards: Mutex<HashMap<Option<Uuid>, Arc<Semaphore>>>,
}

/// Permission to decode one photo; dropping it starts the next one.
#[derive(Debug)]
pub(super) struct Permit {
    _slot: OwnedSemaphorePermit,
    _turn: OwnedSemaphorePermit,
    _turn_of_card: OwnedSemaphorePermit,
    _partner: Arc<Partner>,
}

impl Queue {
    pub(super) fn new() -> Self {
        Self {
            slots: Arc::new(Semaphore::new(limits::RENDERINGS_AT_ONCE)),
            places: Arc::new(Semaphore::new(limits::RENDERINGS_WAITING_MAX)),
            partners: Arc::default(),
        }
    }

    /// Waits for permission to decode. `None` if the queue is full.
    pub(super) async fn permit(&self, requester: Requester) -> Option<Permit> {
        let partner = self.partner(requester.partner_id);
        let _place = self.places.try_acquire().ok()?;
        let _place_of_partner = partner.places.try_acquire().ok()?;
        let turn_of_card = partner.card(requester.card_id).acquire_owned().await.ok()?;
        let turn = Arc::clone(&partner.turn).acquire_owned().await.ok()?;
        let slot = Arc::clone(&self.slots).acquire_owned().await.ok()?;
        Some(Permit { _slot: slot, _turn: turn, _turn_of_card: turn_of_card, _partner: Arc::clone(&partner) })
    }

    /// Returns a partner, and forgets the partners without a photo in the queue.
    fn partner(&self, id: Uuid) -> Arc<Partner> {
        let mut partners = self.partners.lock().unwrap_or_else(PoisonError::into_inner);
        partners.retain(|_, partner| Arc::strong_count(partner) > 1);
        Arc::clone(partners.entry(id).or_insert_with(|| Arc::new(Partner::new())))
    }
}

impl Partner {
    fn new() -> Self {
        Self {
            places: Semaphore::new(limits::RENDERINGS_WAITING_PER_PARTNER_MAX),
            turn: Arc::new(Semaphore::new(limits::RENDERINGS_AT_ONCE_PER_PARTNER)),
            cards: Mutex::default(),
        }
    }

    /// Returns the turn of a card, and forgets cards that have no photo in the queue.
    fn card(&self, id: Option<Uuid>) -> Arc<Semaphore> {
        let mut cards = self.cards.lock().unwrap_or_else(PoisonError::into_inner);
        cards.retain(|_, turn| Arc::strong_count(turn) > 1);
        Arc::clone(cards.entry(id).or_insert_with(|| Arc::new(Semaphore::new(1))))
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt as _;

    use super::*;

    const A: Uuid = Uuid::from_u128(1);
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

    async fn start(queue: &Queue, requester: Requester) -> Permit {
        queue.permit(requester).await.expect("a place is free")
    }

    #[tokio::test]
    async fn card_does_not_wait_for_all_photos_of_its_partner() {
        let queue = Queue::new();
        let first = start(&queue, Requester::partner(A)).await;
        let mut many: Vec<_> = (0..3).map(|_| Photo::new(&queue, Requester::partner(A))).collect();
        let mut of_card: Vec<_> = (0..2).map(|_| Photo::new(&queue, Requester::card(A, CARD))).collect();
        drop(first);
        assert!(many.iter_mut().all(|photo| photo.permit().is_none()));
        let permit = of_card[0].permit().expect("the card has had none yet");
        drop(permit);
        assert!(of_card[1].permit().is_none() && many[0].permit().is_some());
    }

    #[tokio::test]
    async fn partner_with_many_photos_does_not_hold_up_another() {
        let (queue, other) = (Queue::new(), Requester::partner(Uuid::from_u128(2)));
        let first = start(&queue, Requester::partner(A)).await;
        let mut many: Vec<_> = (0..8).map(|_| Photo::new(&queue, Requester::partner(A))).collect();
        let permit = queue.permit(other).now_or_never().flatten().expect("one slot is left for other partners");
        drop(first);
        let second = many[0].permit().expect("its own slot is free again");
        drop(permit);
        assert!(many[1].permit().is_none(), "one photo of a partner at a time");
        drop(second);
        assert!(many[1].permit().is_some());
    }

    #[tokio::test]
    async fn queue_is_bounded_for_each_partner_and_in_all() {
        let queue = Queue::new();
        let mut running = Vec::new();
        for number in 1..=limits::RENDERINGS_AT_ONCE as u128 {
            running.push(start(&queue, Requester::partner(Uuid::from_u128(number << 64))).await);
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
        assert_eq!(queue.places.available_permits(), limits::RENDERINGS_WAITING_MAX - 1);
        drop((waiting, running));
        drop(start(&queue, Requester::partner(A)).await);
        assert_eq!(queue.partners.lock().expect("no panic").len(), 1, "the others are forgotten");
    }
}
