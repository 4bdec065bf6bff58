//! The model of a GraphQL schema: read from SDL, checked by the rules of the specification, compared, and documented.
//!
//! The server links this crate; `codegen` generates Rust from the same model. Nothing here touches a file.

#![warn(missing_docs)]

pub mod ast;
pub mod changelog;
pub mod coordinate;
mod dated_sdl;
pub mod deprecation;
pub mod diagnostic;
pub mod diff;
pub mod docs;
mod extension;
pub mod format;
pub mod graph;
pub mod model;
mod nearest;
pub mod numbers;
pub mod parse;
pub mod payload;
pub mod rule;
pub mod sdl;
pub mod shape;
pub mod span_index;
mod string_value;
mod version_status;
pub mod walk;

pub use dated_sdl::DatedSdl;
pub use diagnostic::{Diagnostic, Report, Span};
pub use nearest::nearest;
pub use sdl::Sdl;
pub use version_status::VersionStatus;
