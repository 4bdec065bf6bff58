//! The reference model: what the database must hold after each step, computed without it.
//!
//! It uses the rows of `card_service::model` and repeats the rules of the specification in the simplest way. A step asks the
//! model first, then calls the service, and `check` compares.

mod card;
mod delivery;
mod key;

use std::collections::{BTreeMap, BTreeSet};

use card_service::base::Timestamp;
use card_service::model::{Actor, Card, Event, SigningSecret, Topic, UserErrorCode};
use uuid::Uuid;

pub use self::card::apply;
pub use self::delivery::{
    Expected, Notification, Place, Sent, Subscription, Subscriptions, id_before, is_first, retry_window,
};
pub use self::key::{Answer, KeyName, KeyRecord};

/// The expected contents of the database.
#[derive(Clone)]
pub struct Model {
    pub partners: Vec<Account>,
    pub themes: Vec<Uuid>,
    pub cards: BTreeMap<Uuid, Dossier>,
    pub keys: BTreeMap<KeyName, KeyRecord>,
    pub subscriptions: Subscriptions,
    /// The cards with unfinished deliveries to subscriptions that were deleted.
    pub left: BTreeSet<Uuid>,
    /// Whether a subscription was changed since the order of deliveries was checked.
    pub unordered: bool,
}

/// A partner with its signing secret.
#[derive(Clone)]
pub struct Account {
    pub partner_id: Uuid,
    pub secret: SigningSecret,
}

/// A card with its events.
#[derive(Clone)]
pub struct Dossier {
    pub card: Card,
    pub events: Vec<Event>,
}

impl Dossier {
    pub fn new(card: Card) -> Self {
        Self { card, events: Vec::new() }
    }

    /// Writes a changed card, and its event if a field of the schema changed. The id of the event is not known yet.
    pub fn change(&mut self, after: Card, topic: Topic, actor: Actor, now: Timestamp) {
        if after == self.card {
            return;
        }
        let fields = after.changed_fields(&self.card);
        self.card = Card { updated_at: now, ..after };
        if !fields.is_empty() {
            self.happened(topic, actor, fields, now);
        }
    }

    /// Adds an event.
    pub fn happened(&mut self, topic: Topic, actor: Actor, changed: Vec<&'static str>, now: Timestamp) {
        self.card.event_count += 1;
        self.events.push(Event {
            id: Uuid::nil(),
            partner_id: self.card.partner_id,
            card_id: self.card.id,
            topic,
            sequence: self.card.event_count,
            actor,
            changed_fields: changed.into_iter().map(str::to_owned).collect(),
            test: self.card.test,
            occurred_at: now,
        });
    }
}

impl Model {
    pub fn new(partners: Vec<Account>, themes: Vec<Uuid>) -> Self {
        Self {
            partners,
            themes,
            cards: BTreeMap::new(),
            keys: BTreeMap::new(),
            subscriptions: BTreeMap::new(),
            left: BTreeSet::new(),
            unordered: false,
        }
    }

    pub fn account(&self, partner_id: Uuid) -> &Account {
        self.partners.iter().find(|account| account.partner_id == partner_id).expect("a card has a partner")
    }

    /// The card, if it is the partner's.
    pub fn reached(&self, partner_id: Uuid, card_id: Uuid) -> Option<&Dossier> {
        self.cards.get(&card_id).filter(|dossier| dossier.card.partner_id == partner_id)
    }

    /// The partner's card with this number.
    pub fn holder(&self, partner_id: Uuid, number: &str) -> Option<&Dossier> {
        let mut cards = self.cards.values();
        cards.find(|held| held.card.partner_id == partner_id && held.card.external_dossier_id == number)
    }
}

/// A user error: its code, and its path joined with dots.
pub type Refusal = (UserErrorCode, String);
