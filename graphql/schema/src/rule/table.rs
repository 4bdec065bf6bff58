//! All rules. Called by [`crate::parse`].

use dated_graphql_syntax::TypeSystemDocument;

use super::document::Document;
use super::{default, definition, directive, input, interface, reference};
use crate::diagnostic::Diagnostic;

/// Which rules a document must obey.
#[derive(Clone, Copy)]
pub enum Rules {
    /// All of GraphQL; the schema has its subscriptions, which the engine does not serve.
    Foreign,
    /// All of GraphQL; the schema is without its subscriptions.
    GraphQl,
    /// All of GraphQL, and the caller's own; the schema is without its subscriptions.
    Extended(Check),
}

/// Adds the mistakes that a rule finds in a document.
pub type Check = fn(&Document<'_>, &mut Vec<Diagnostic>);

/// The rules for every document, by name.
const RULES: [(&str, Check); 20] = [
    ("duplicate_type", definition::duplicate_type),
    ("duplicate_field", definition::duplicate_field),
    ("duplicate_argument", definition::duplicate_argument),
    ("duplicate_value", definition::duplicate_value),
    ("known_type", reference::known_type),
    ("position", reference::position),
    ("interface_field", interface::interface_field),
    ("interface_cycle", interface::interface_cycle),
    ("default_value", input::default_value),
    ("default_cycle", default::default_cycle),
    ("default_size", default::default_size),
    ("directive", directive::check),
    ("directive_cycle", directive::directive_cycle),
    ("deprecation", input::deprecation),
    ("empty_type", definition::empty_type),
    ("input_cycle", input::input_cycle),
    ("one_of", input::one_of),
    ("duplicate_type", definition::built_in_type),
    ("reserved_name", definition::reserved_name),
    ("root", reference::root),
];

/// Returns the names of the rules; each has a test case of its name.
pub fn names() -> impl Iterator<Item = &'static str> {
    RULES.iter().map(|(name, _)| *name)
}

/// Returns every mistake in a document.
pub(crate) fn check(document: &TypeSystemDocument<'_>, source: &str, rules: Rules) -> Vec<Diagnostic> {
    let document = Document::new(document, source);
    let mut found = vec![];
    RULES.iter().for_each(|(_, check)| check(&document, &mut found));
    if let Rules::Extended(check) = rules {
        check(&document, &mut found);
    }
    found
}
