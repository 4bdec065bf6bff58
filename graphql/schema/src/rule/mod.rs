//! The rules of a type system document (GraphQL specification, section 3), by subject.
//!
//! Every rule sees the whole document and reports everything it finds, so that all mistakes are shown at once. It ignores
//! what another rule reports. `graphql/codegen/tests/diagnostic` has a case for each.

mod default;
mod definition;
mod directive;
mod document;
mod extension;
mod input;
mod interface;
mod reference;
mod table;
mod value;

pub use dated_graphql_syntax::TypeKind;
pub use default::{DEFAULT_LEVELS_MAX, DEFAULT_VALUES_MAX};
pub use document::{BUILT_IN, Document};
pub(crate) use extension::known_extension;
pub(crate) use table::check;
pub use table::{Check, Rules, names};
