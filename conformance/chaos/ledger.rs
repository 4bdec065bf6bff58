//! A record of the clients: every acknowledged write, every link, and every wrong answer.

use std::collections::BTreeMap;
use std::sync::Mutex;

use serde_json::Value;

/// The record of all callers.
#[derive(Default)]
pub struct Ledger {
    /// By dossier number, which is the idempotency key too.
    cards: Mutex<BTreeMap<String, Entry>>,
    links: Mutex<Vec<Link>>,
    faults: Mutex<Vec<String>>,
    counts: Mutex<BTreeMap<&'static str, usize>>,
}

/// A card, as its caller last saw it.
#[derive(Clone, Debug)]
pub struct Entry {
    pub id: String,
    /// The text that the last acknowledged update left.
    pub text: Option<String>,
    /// The texts of later updates with an unknown result.
    pub doubtful: Vec<String>,
    pub updates: usize,
    /// The number of updates with an unknown result.
    pub untold: usize,
    /// The address of its portrait, if it has one.
    pub photo: Option<String>,
}

/// A session link, and the result of opening it at all replicas at once.
#[derive(Clone, Debug)]
pub struct Link {
    pub path: String,
    pub opened: usize,
    /// Whether an answer was lost, which may have been the one that opened the link.
    pub doubtful: bool,
}

impl Ledger {
    /// Records an acknowledged creation, and checks that a key always has the same card.
    pub fn created(&self, key: &str, payload: &Value) -> String {
        let (card, errors) = (&payload["card"], &payload["userErrors"]);
        let Some(id) = card["id"].as_str().filter(|_| errors.as_array().is_some_and(Vec::is_empty)) else {
            self.fault(format!("{key} was refused: {payload}"));
            return String::new();
        };
        let photo = card["deceased"]["photoUrl"].as_str().map(str::to_owned);
        let mut cards = self.cards.lock().expect("nobody panics with it");
        let new = || Entry { id: id.to_owned(), text: None, doubtful: Vec::new(), updates: 0, untold: 0, photo };
        let known = cards.entry(key.to_owned()).or_insert_with(new).id.clone();
        drop(cards);
        if known != id {
            self.fault(format!("{key} has two cards: {known} and {id}"));
        }
        known
    }

    /// Changes the entry of a card.
    pub fn of_card(&self, key: &str, change: impl FnOnce(&mut Entry)) {
        if let Some(entry) = self.cards.lock().expect("nobody panics with it").get_mut(key) {
            change(entry);
        }
    }

    /// Checks what was read of a card: an acknowledged value, or one with an unknown result.
    pub fn read(&self, key: &str, card: &Value) {
        let entry = self.cards.lock().expect("nobody panics with it").get(key).cloned();
        let Some(entry) = entry else { return };
        if let Err(fault) = entry.agrees(card) {
            self.fault(format!("{key}: {fault}"));
        }
    }

    pub fn link(&self, link: Link) {
        self.links.lock().expect("nobody panics with it").push(link);
    }

    /// Records an answer that no client may get.
    pub fn fault(&self, fault: String) {
        self.faults.lock().expect("nobody panics with it").push(fault);
    }

    pub fn count(&self, what: &'static str) {
        *self.counts.lock().expect("nobody panics with it").entry(what).or_default() += 1;
    }

    pub fn cards(&self) -> BTreeMap<String, Entry> {
        self.cards.lock().expect("nobody panics with it").clone()
    }

    pub fn links(&self) -> Vec<Link> {
        self.links.lock().expect("nobody panics with it").clone()
    }

    pub fn counts(&self) -> BTreeMap<&'static str, usize> {
        self.counts.lock().expect("nobody panics with it").clone()
    }

    /// Asserts that no caller saw a wrong answer.
    #[track_caller]
    pub fn assert_faultless(&self) {
        let faults = self.faults.lock().expect("nobody panics with it");
        let shown: Vec<_> = faults.iter().take(12).collect();
        assert!(faults.is_empty(), "{} faults: {shown:#?}", faults.len());
    }
}

impl Entry {
    /// Returns whether a card has its acknowledged values.
    pub fn agrees(&self, card: &Value) -> Result<(), String> {
        if card["id"] != self.id.as_str() {
            return Err(format!("{} was lost: {card}", self.id));
        }
        let text = card["externalFuneralDirectorId"].as_str();
        let is_known = text == self.text.as_deref() || self.doubtful.iter().any(|doubtful| text == Some(doubtful));
        if is_known {
            Ok(())
        } else {
            Err(format!("{:?} (or {:?}) was acknowledged, not {text:?}", self.text, self.doubtful))
        }
    }
}
