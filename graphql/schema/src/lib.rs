//! The model of a GraphQL schema: read from SDL, checked by the rules of the specification, formatted and compared.
//!
//! Every other crate of the framework uses this one. Nothing here touches a file.

#![warn(missing_docs)]

pub mod coordinate;
pub mod deprecation;
pub mod diagnostic;
pub mod diff;
pub mod format;
pub mod graph;
pub mod model;
mod nearest;
pub mod numbers;
pub mod parse;
pub mod rule;
pub mod sdl;
pub mod span_index;
mod syntax_error;
mod version_status;
pub mod walk;

pub use diagnostic::{Diagnostic, Report, Span};
pub use nearest::nearest;
pub use sdl::Sdl;
pub use version_status::VersionStatus;
