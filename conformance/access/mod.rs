//! Who sees what: no answer of any root field tells an object out of reach, another partner's or a live one for a test key,
//! from a missing one, and no id breaks anything
//! (specification, sections 1 and 5; decisions K3, K4).

mod foreign;
mod malformed;
mod mode;
mod root_field;

pub use root_field::QUESTIONS;
