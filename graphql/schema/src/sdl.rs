//! A schema together with its file: the model, its text, and the span of every element.

use crate::coordinate;
use crate::diagnostic::{FileStart, Report, Span};
use crate::model::Schema;
use crate::parse::{self, Parsed};
use crate::rule::Rules;
use crate::span_index::{SpanIndex, Use};

/// One SDL file that passed every rule of GraphQL.
#[derive(Clone, Debug)]
pub struct Sdl {
    /// The model.
    pub schema: Schema,
    /// The spans of its elements in the file.
    pub spans: SpanIndex,
    /// The name of the file in reports: `schema/2026-10.graphql`.
    pub path: String,
    /// The text of the file.
    source: String,
    /// The files of the text, if it is several.
    pub files: Vec<FileStart>,
}

impl Sdl {
    /// Reads and checks the SDL of one version; `path` is the name of the file in reports.
    pub fn parse(version: &str, path: &str, source: &str) -> Result<Sdl, Report> {
        Self::parse_with(version, path, source, Rules::GraphQl)
    }

    /// Reads and checks the SDL of one version by `rules`.
    pub fn parse_with(version: &str, path: &str, source: &str, rules: Rules) -> Result<Sdl, Report> {
        let Parsed { schema, document } = parse::parse(version, path, source, rules)?;
        let spans = SpanIndex::read(&document, source);
        Ok(Sdl { schema, spans, path: path.to_owned(), source: source.to_owned(), files: vec![] })
    }

    /// Reads and checks a schema that may have subscriptions.
    pub fn parse_foreign(version: &str, path: &str, source: &str) -> Result<Sdl, Report> {
        Self::parse_with(version, path, source, Rules::Foreign)
    }

    /// Returns the name of the version.
    pub fn version(&self) -> &str {
        &self.schema.version
    }

    /// Returns the text of the file.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Returns the span of the name at a coordinate, or at the nearest coordinate around it.
    pub fn span(&self, coordinate: &str) -> Option<Span> {
        self.spans.nearest(coordinate).map(|spans| spans.name)
    }

    /// Returns the span of the schema block, or the start of the file if it has none.
    pub fn top(&self) -> Span {
        self.span(coordinate::SCHEMA).unwrap_or(Span { start: 0, end: 0 })
    }

    /// Returns the use of a directive at a coordinate.
    pub fn use_of(&self, coordinate: &str, directive: &str) -> Option<&Use> {
        self.spans.uses(coordinate).iter().find(|used| used.name == directive)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn span_is_known_for_every_coordinate() {
        let source = "schema { query: Query mutation: Change }\n\
                      directive @auth(role: String = \"any\") on OBJECT\n\
                      \"Who.\" type Query implements Node @auth(role: \"all\") {\n\
                      id: ID! book(\"Which.\" id: ID! = \"1\"): Query }\n\
                      type Change { a: Choice(x: Input): Int }\n"
            .replace("a: Choice(x: Input): Int", "a(x: Input): Choice b: Any")
            + "interface Node { id: ID! }\nunion Any = Query\nenum Choice { A B @deprecated }\n\
               input Input { f: [Int!] = [1] }\n";
        let sdl = Sdl::parse("2026-10", "a.graphql", &source).expect("the schema is right");
        let text = |span: Span| &source[span.start..span.end];
        let name = |coordinate: &str| text(sdl.spans.get(coordinate).expect(coordinate).name);
        for (coordinate, expected) in [
            ("schema", "schema"),
            ("@auth", "@auth"),
            ("@auth(role:)", "role"),
            ("Query", "Query"),
            ("Query.book", "book"),
            ("Query.book(id:)", "id"),
            ("Change.a(x:)", "x"),
            ("Choice.B", "B"),
            ("Input.f", "f"),
        ] {
            assert_eq!(name(coordinate), expected);
        }
        let field = sdl.spans.get("Input.f").expect("a field");
        assert_eq!((field.ty.map(text), field.default.map(text)), (Some("[Int!]"), Some("[1]")));
        assert_eq!(sdl.spans.get("Query").and_then(|p| p.description).map(text), Some("\"Who.\""));
        assert_eq!(sdl.spans.inside("Query", "Node").map(text), Some("Node"));
        assert_eq!(sdl.spans.inside("Any", "Query").map(text), Some("Query"));
        assert_eq!(sdl.spans.inside("schema", "mutation").map(text), Some("Change"));
        let uses = sdl.spans.uses("Query");
        assert_eq!((&*uses[0].name, &*uses[0].arguments), ("auth", &[("role".to_owned(), "\"all\"".to_owned())][..]));
        assert_eq!(sdl.spans.uses("Choice.B")[0].name, "deprecated");
        assert_eq!(sdl.spans.nearest("Query.gone(x:)").map(|p| text(p.name)), Some("Query"));
        assert!(sdl.spans.nearest("Gone.gone").is_none());
    }
}
