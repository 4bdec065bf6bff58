//! A schema together with its file: the model, its text, and where everything stands in it.

use crate::coordinate;
use crate::diagnostic::{Report, Span};
use crate::model::Schema;
use crate::parse;
use crate::place::{Places, Use};
use crate::rule::Rules;

/// One SDL file that passed every rule of GraphQL.
#[derive(Clone, Debug)]
pub struct Sdl {
    pub schema: Schema,
    pub places: Places,
    /// As a report calls it: `schema/2026-10.graphql`.
    pub path: String,
}

impl Sdl {
    /// Reads and checks the SDL of one version; `path` is what a report calls it.
    pub fn parse(version: &str, path: &str, source: &str) -> Result<Sdl, Report> {
        parse::sdl(version, path, source, Rules::GraphQl)
    }

    /// The name of the version.
    pub fn version(&self) -> &str {
        &self.schema.version
    }

    /// The text of the file.
    pub fn source(&self) -> &str {
        &self.schema.source
    }

    /// Where a coordinate stands, or the nearest one around it.
    pub fn span(&self, coordinate: &str) -> Option<Span> {
        self.places.nearest(coordinate).map(|place| place.name)
    }

    /// Where the schema block stands; the start of the file when it has none.
    pub fn top(&self) -> Span {
        self.span(coordinate::SCHEMA).unwrap_or(Span { start: 0, end: 0 })
    }

    /// A directive on a coordinate.
    pub fn use_of(&self, coordinate: &str, directive: &str) -> Option<&Use> {
        self.places.uses(coordinate).iter().find(|used| used.name == directive)
    }
}
