//! Compares the database with the model.

use card_service::model::{Delivery, DeliveryState, Event};
use card_service::store::StoreError;
use uuid::Uuid;

use crate::model::Dossier;
use crate::run::Sim;

impl Sim {
    /// Takes over a changed card, or, if the call was lost, what became of it; then checks it.
    pub fn changed(&mut self, after: Dossier, lost: bool) {
        let id = after.card.id;
        let made = !lost || {
            let row = self.read(async |store| store.any_card(id).await).expect("an acknowledged card is there");
            row.event_count == after.card.event_count && row.updated_at == after.card.updated_at
        };
        if made {
            self.model.cards.insert(id, after);
        }
        self.check_card(id);
    }

    /// Compares a card and its events, and the notifications of new events.
    pub fn check_card(&mut self, id: Uuid) {
        let (row, events) =
            self.read(async |store| Ok::<_, StoreError>((store.any_card(id).await?, store.events_of(id).await?)));
        let row = row.expect("an acknowledged card is there");
        let mut dossier = self.model.cards[&id].clone();
        if dossier.card.slug.as_deref() == Some("") {
            // The address of an active card is random.
            assert!(row.slug.as_ref().is_some_and(|slug| slug.len() == 43));
            dossier.card.slug.clone_from(&row.slug);
        }
        assert_eq!(*row, dossier.card, "the card");
        let new = adopt_events(&mut dossier.events, &events);
        assert_eq!(events, dossier.events, "the events");
        let card = dossier.card.clone();
        self.model.cards.insert(id, dossier);
        for event in new {
            self.model.notify(&event, &card);
        }
    }

    /// The stored deliveries of a subscription, by card and sequence.
    pub fn rows(&self, id: Uuid) -> Vec<Delivery> {
        let mut rows = Vec::new();
        for state in DeliveryState::ALL {
            rows.extend(self.read(async |store| store.deliveries_in_state(id, state, usize::MAX).await));
        }
        rows.sort_by_key(|row| (row.card_id, row.sequence));
        rows
    }

    /// Compares the subscriptions and all their deliveries.
    pub fn check_subscriptions(&self) {
        for (id, subscription) in &self.model.subscriptions {
            let row = self.read(async |store| store.any_subscription(*id).await).expect("the subscription is there");
            assert_eq!(row, subscription.row, "the subscription");
            let wanted: Vec<&Delivery> = subscription.notifications.values().map(|one| &one.row).collect();
            assert_eq!(self.rows(*id).iter().collect::<Vec<_>>(), wanted, "the deliveries of {id}");
        }
    }

    /// Compares everything.
    pub fn audit(&mut self) {
        let cards: Vec<Uuid> = self.model.cards.keys().copied().collect();
        cards.into_iter().for_each(|id| self.check_card(id));
        self.check_subscriptions();
    }
}

/// Takes over the ids of new events, and returns these.
fn adopt_events(events: &mut [Event], stored: &[Event]) -> Vec<Event> {
    let mut new = Vec::new();
    for (event, row) in events.iter_mut().zip(stored) {
        if event.id.is_nil() {
            event.id = row.id;
            new.push(event.clone());
        }
    }
    new
}
