//! A field, as the hooks see it.

use super::path::Path;
use super::plan::Field;

/// A field that is read.
#[derive(Clone, Copy)]
pub struct FieldInfo<'a> {
    pub(super) field: &'a Field,
    pub(super) path: &'a Path<'a>,
}

impl FieldInfo<'_> {
    /// Returns the name of the object type.
    pub fn parent(&self) -> &'static str {
        self.field.parent
    }

    /// Returns the name in the schema.
    pub fn name(&self) -> &'static str {
        self.field.name
    }

    /// Returns the coordinate in the schema, such as `Query.hero`.
    pub fn coordinate(&self) -> String {
        [self.parent(), ".", self.name()].concat()
    }

    /// Returns the path in the response, with dots: `hero.friends.0.name`.
    pub fn path(&self) -> String {
        self.path.to_string()
    }

    /// Returns a span of `tracing` for the resolver, at the level `debug`.
    pub fn span(&self) -> tracing::Span {
        tracing::debug_span!("resolve", parent = self.parent(), field = self.name(), path = %self.path)
    }
}
