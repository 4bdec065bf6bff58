//! What changed between two schemas: [`find`] walks both and names each change by a [`Rule`]. The tool's checks decide what
//! a change means for a version.

mod affected;
mod compare;
mod compatible;
mod default;
mod rule;

use crate::diagnostic::Span;
use crate::sdl::Sdl;
pub use affected::affected;
pub use compare::find;
pub use rule::{Level, RULES, Rule};

/// Two schemas of which the second may follow the first.
#[derive(Clone, Copy)]
pub struct Pair<'a> {
    /// The older version.
    pub old: &'a Sdl,
    /// The newer version.
    pub new: &'a Sdl,
}

/// One change between two schemas.
#[derive(Clone, Debug)]
pub struct Change {
    /// The kind of change.
    pub rule: &'static Rule,
    /// The schema coordinate; see [`crate::coordinate`].
    pub coordinate: String,
    /// What changed, in one line.
    pub message: String,
    /// Its span in the old file.
    pub old: Option<Span>,
    /// Its span in the new file; for a removal, the span of its parent.
    pub new: Option<Span>,
    /// Whether the element is only in the old schema.
    pub removed: bool,
    /// The deprecation reason in the old schema, of a removed element.
    pub deprecated: Option<String>,
}
