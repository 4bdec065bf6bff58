//! Introspection does not go round and round: fields of types of fields of types … grow with every round, and are
//! exempt from the depth of an operation.
//!
//! A rule of the reference implementation (MaxIntrospectionDepthRule), not of the specification. Every fragment is
//! looked at once.

use crate::graphql::ast::{Document, Field, Selection};
use crate::graphql::visit::{Cx, Rule, TypedField};

/// Lists inside each other that lead from a type to more types.
const LISTS_MAX: usize = 2;

/// The fields at which introspection begins.
#[derive(Default)]
pub(super) struct MaxIntrospectionDepth<'a>(Vec<&'a Field<'a>>);

impl<'a> Rule<'a> for MaxIntrospectionDepth<'a> {
    fn field(&mut self, _: &mut Cx<'a>, TypedField { field, .. }: TypedField<'a>) {
        if matches!(field.name.text, "__schema" | "__type") {
            self.0.push(field);
        }
    }
}

impl<'a> MaxIntrospectionDepth<'a> {
    /// Checks what was collected; the document has no cycle of fragments.
    pub fn check(self, cx: &mut Cx<'a>) {
        let mut depth = Depth { document: cx.document, known: vec![None; cx.document.fragments.len()] };
        for field in self.0 {
            if depth.lists(field.items()) > LISTS_MAX {
                cx.errors.add(&[field.at()], || "Maximum introspection depth exceeded".to_owned());
            }
        }
    }
}

struct Depth<'a> {
    document: &'a Document<'a>,
    /// Of each fragment, once it is known.
    known: Vec<Option<usize>>,
}

impl<'a> Depth<'a> {
    /// How many of those lists are inside each other.
    fn lists(&mut self, items: &'a [Selection<'a>]) -> usize {
        let mut deepest = 0;
        for item in items {
            let lists = match item {
                Selection::Field(field) => {
                    let name = field.name.text;
                    let is_list = matches!(name, "fields" | "interfaces" | "possibleTypes" | "inputFields");
                    usize::from(is_list) + self.lists(field.items())
                }
                Selection::Inline(inline) => self.lists(&inline.set.items),
                Selection::Spread(spread) => self.fragment(spread.name.text),
            };
            deepest = deepest.max(lists);
        }
        deepest
    }

    fn fragment(&mut self, name: &str) -> usize {
        let document = self.document;
        let Some((at, fragment)) = document.fragment(name) else { return 0 };
        if let Some(known) = self.known[at] {
            return known;
        }
        let lists = self.lists(&fragment.set.items);
        self.known[at] = Some(lists);
        lists
    }
}
