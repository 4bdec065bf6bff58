//! Compiles and runs the generated code of the cases on a small engine, with hand-written implementations of the traits.
//! Every version responds as its SDL defines.
//!
//! The build script generates the code, `cases/<case>` to the module `generated::<case>`. Compiling is half of the test:
//! what two versions share is implemented only once.

// No case uses all of the engine, the model and the re-exports of a version.
#![allow(dead_code, unreachable_pub, unused_imports, clippy::unwrap_used)]

mod engine;
mod generated {
    include!(concat!(env!("OUT_DIR"), "/cases.rs"));
}
mod model;

mod added_field;
mod changed_argument;
mod changed_type;
mod enum_value_added;
mod field_removed;
mod input;
mod names;
mod recursive_entity;
mod recursive_value;
mod resolved_field;
mod skeleton;
mod unchanged_type;
mod union_and_interface;

/// The request context.
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
