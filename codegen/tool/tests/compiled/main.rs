//! The golden cases, compiled and asked: the generated code of each stands on a small engine, its traits are implemented
//! by hand as a developer would, and every version answers as its SDL says.
//!
//! Compiling is half of the test: what a version shares with the one before it is implemented only once here.

#![allow(clippy::unwrap_used)] // a failure of a test

// A case uses what it needs of the engine, of the model and of what a version re-exports.
#![allow(dead_code, unused_imports)]

mod engine;
mod model;

mod added_field;
mod changed_argument;
mod changed_type;
mod enum_value_added;
mod field_removed;
mod input;
mod names;
mod recursive_entity;
mod unchanged_type;
mod union_and_interface;

/// Who asks.
pub struct Context {
    cards: Vec<model::Card>,
}

impl Context {
    fn new() -> Self {
        let card = |id, title: &str| model::Card { id, title: title.to_owned(), theme: id + 100 };
        Self { cards: vec![card(1, "one"), card(2, "two")] }
    }

    fn card(&self, id: &str) -> Option<model::Card> {
        self.cards.iter().find(|card| card.id.to_string() == id).cloned()
    }
}
