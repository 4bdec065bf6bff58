//! Who sees what: no answer of any root field tells a foreign object from a missing one, and no id breaks anything
//! (specification, sections 1 and 5; decisions K3, K4).

mod foreign;
mod malformed;
mod root_field;

pub use root_field::QUESTIONS;
