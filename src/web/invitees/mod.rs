//! The invitee list: who is invited, by which link, and who has seen the card when first (decisions S6).
//!
//! Behind a session link like the customizer, or behind the lasting link of the order mail (`open.rs`). Every action is
//! a form that answers with a redirect, so that going back repeats nothing; only pasted lines of which some were wrong
//! are answered in place, because they are told line by line.

mod act;
mod open;
mod page;
mod serve;

pub(super) use open::serve as open;
pub(super) use serve::serve;
