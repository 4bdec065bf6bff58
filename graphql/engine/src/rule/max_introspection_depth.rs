//! Introspection does not nest lists of types or fields deeper than [`LISTS_MAX`]: the answer grows with each level, and the
//! depth limit of operations does not count introspection.
//!
//! A rule of the reference implementation (MaxIntrospectionDepthRule), not of the specification. Each fragment is
//! visited once.

use crate::ast::{Document, Field, Selection};
use crate::visit::{Rule, RuleContext, TypedField};

/// The maximum nesting of lists that lead from a type to other types.
const LISTS_MAX: usize = 2;

/// Collects the introspection fields of the query root.
#[derive(Default)]
pub(super) struct MaxIntrospectionDepth<'a>(Vec<&'a Field<'a>>);

impl<'a> Rule<'a> for MaxIntrospectionDepth<'a> {
    fn field(&mut self, _: &mut RuleContext<'a>, TypedField { field, .. }: TypedField<'a>) {
        if matches!(field.name, "__schema" | "__type") {
            self.0.push(field);
        }
    }
}

impl<'a> MaxIntrospectionDepth<'a> {
    /// Checks the collected fields. The document must have no cycle of fragments.
    pub(super) fn check(self, cx: &mut RuleContext<'a>) {
        let mut depth = Depth { document: cx.document, known: vec![None; cx.document.fragments.len()] };
        for field in self.0 {
            if depth.lists(field.items()) > LISTS_MAX {
                cx.errors.add(&[field.at], || "Maximum introspection depth exceeded".to_owned());
            }
        }
    }
}

struct Depth<'a> {
    document: &'a Document<'a>,
    /// The depth of each fragment visited so far.
    known: Vec<Option<usize>>,
}

impl<'a> Depth<'a> {
    /// Returns how deep such lists nest.
    fn lists(&mut self, items: &'a [Selection<'a>]) -> usize {
        let mut deepest = 0;
        for item in items {
            let lists = match item {
                Selection::Field(field) => {
                    let name = field.name;
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
