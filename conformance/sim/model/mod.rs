//! The reference model: what the database must hold after each step, computed without it.
//!
//! It uses the rows of `card_service::model` and repeats the rules of the specification in the simplest way. A step asks the
//! model first, then calls the service, and `check` compares.

mod card;
mod delivery;
mod key;
mod mail;
pub mod photo;
mod session;

use std::collections::{BTreeMap, BTreeSet};

use card_service::base::{GlobalId, Kind, Timestamp};
use card_service::model::{
    Actor, Card, CardActivation, Event, Invitee, KeyMode, Mail, Order, Partner, Topic, UserErrorCode, WebhookSecret,
};
use chrono::NaiveDate;
use uuid::Uuid;

pub use self::card::{Edited, NotOrdered, Refusals};
pub use self::delivery::{Expected, Sent, Subscription, finished, id_before, retry_window};
pub use self::key::{Answer, KeyName, KeyRecord};
pub use self::mail::Prepared;
pub use self::photo::{Photo, Shown};
pub use self::session::{Browser, Link, LinkEnd, ListLink};

/// What the database must hold.
#[derive(Clone)]
pub struct Model {
    pub activation: CardActivation,
    pub partners: Vec<Account>,
    pub themes: Vec<Theme>,
    pub cards: BTreeMap<Uuid, Dossier>,
    pub deleted: BTreeSet<Uuid>,
    pub keys: BTreeMap<KeyName, KeyRecord>,
    pub subscriptions: BTreeMap<Uuid, Subscription>,
    /// Subscriptions that were deleted: nothing is sent to them.
    pub unsubscribed: BTreeSet<Uuid>,
    pub links: Vec<Link>,
    pub list_links: Vec<ListLink>,
    pub browsers: Vec<Browser>,
    /// Invitations to an address for a card, and the time of the last.
    pub invited: BTreeMap<[u8; 32], (i32, Timestamp)>,
    /// Invitations of a partner or card, of test cards or not, on a day.
    pub invited_on: BTreeMap<(Uuid, bool, NaiveDate), i32>,
    /// By the name of their key.
    pub photos: BTreeMap<String, Photo>,
    /// The start of the hour in which a browser session uploads, and how often it did.
    pub uploads: BTreeMap<[u8; 32], (Timestamp, i64)>,
}

/// A partner with its keys and secrets.
#[derive(Clone)]
pub struct Account {
    pub partner: Partner,
    /// Newest first.
    pub secrets: Vec<WebhookSecret>,
    /// The ids of the current live and test key.
    pub live_key: Uuid,
    pub test_key: Uuid,
}

#[derive(Clone)]
pub struct Theme {
    pub id: Uuid,
    pub number: i64,
    pub retired: bool,
}

/// A card with what belongs to it.
#[derive(Clone)]
pub struct Dossier {
    pub card: Card,
    pub events: Vec<Event>,
    pub order: Option<Order>,
    /// Oldest first.
    pub mails: Vec<Mail>,
    /// In the order in which they were added.
    pub invitees: Vec<Invitee>,
    /// Whether a job is to activate the card.
    pub activation: bool,
}

impl Theme {
    pub fn gid(&self) -> String {
        GlobalId::new(Kind::Theme, self.id).to_string()
    }
}

impl Account {
    pub fn key(&self, mode: KeyMode) -> Uuid {
        match mode {
            KeyMode::Live => self.live_key,
            KeyMode::Test => self.test_key,
        }
    }

    /// The secrets that sign for subscriptions of a mode at `now`.
    pub fn signing(&self, mode: KeyMode, now: Timestamp) -> Vec<&WebhookSecret> {
        let signs = |secret: &&WebhookSecret| {
            let of_mode = if mode == KeyMode::Live { secret.live_ends_at } else { secret.test_ends_at };
            [secret.revoked_at, secret.expires_at, of_mode].into_iter().flatten().all(|end| now < end)
        };
        self.secrets.iter().filter(signs).collect()
    }
}

impl Dossier {
    pub fn new(card: Card) -> Self {
        let (events, mails, invitees) = (Vec::new(), Vec::new(), Vec::new());
        Self { card, events, order: None, mails, invitees, activation: false }
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
    pub fn new(activation: CardActivation, partners: Vec<Account>, themes: Vec<Theme>) -> Self {
        Self {
            activation,
            partners,
            themes,
            cards: BTreeMap::new(),
            deleted: BTreeSet::new(),
            keys: BTreeMap::new(),
            subscriptions: BTreeMap::new(),
            unsubscribed: BTreeSet::new(),
            links: Vec::new(),
            list_links: Vec::new(),
            browsers: Vec::new(),
            invited: BTreeMap::new(),
            invited_on: BTreeMap::new(),
            photos: BTreeMap::new(),
            uploads: BTreeMap::new(),
        }
    }

    pub fn account(&self, partner_id: Uuid) -> &Account {
        self.partners.iter().find(|account| account.partner.id == partner_id).expect("a card has a partner")
    }

    /// The ids of the cards.
    pub fn card_ids(&self) -> BTreeSet<Uuid> {
        self.cards.keys().copied().collect()
    }

    /// The card that a key of this partner and mode reaches.
    pub fn reached(&self, partner_id: Uuid, mode: KeyMode, card_id: Uuid) -> Option<&Dossier> {
        let reaches =
            |dossier: &&Dossier| dossier.card.partner_id == partner_id && (mode == KeyMode::Live || dossier.card.test);
        self.cards.get(&card_id).filter(reaches)
    }

    /// The partner's card with this number.
    pub fn holder(&self, partner_id: Uuid, number: &str) -> Option<&Dossier> {
        let mut cards = self.cards.values();
        cards.find(|held| held.card.partner_id == partner_id && held.card.external_dossier_id == number)
    }

    /// Removes a deleted card with everything that names it.
    pub fn delete(&mut self, card_id: Uuid, now: Timestamp) {
        self.show_photo(card_id, None, now);
        self.cards.remove(&card_id);
        self.deleted.insert(card_id);
        self.keys.retain(|_, record| !record.names(card_id));
        self.links.retain(|link| link.card_id != card_id);
        self.list_links.retain(|link| link.card_id != card_id);
        self.browsers.retain(|browser| browser.card_id != card_id);
        self.invited_on.retain(|(owner, ..), _| *owner != card_id);
        for subscription in self.subscriptions.values_mut() {
            subscription.forget(card_id);
        }
    }
}

/// A user error: its code, and its path joined with dots.
pub type Refusal = (UserErrorCode, String);
