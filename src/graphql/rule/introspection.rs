//! Introspection does not go round and round: fields of types of fields of types … grow with every round, and are
//! exempt from the depth of an operation. The reference implementation draws the same line
//! (MaxIntrospectionDepthRule).

use async_graphql::parser::types::{ExecutableDocument, Selection, SelectionSet};

use super::invalid;
use crate::graphql::error::RefusalError;

/// Lists inside each other that lead from a type to more types.
const LISTS_MAX: usize = 2;

pub(super) fn check(document: &ExecutableDocument, errors: &mut Vec<RefusalError>) {
    for (_, operation) in document.operations.iter() {
        if lists(&operation.node.selection_set.node, document, false) > LISTS_MAX {
            let detail = format!("Introspection nests lists of types deeper than {LISTS_MAX} levels.");
            errors.push(invalid(detail).at(operation.pos));
        }
    }
}

/// How many of those lists are inside each other. Fragments are few and known to end.
fn lists(set: &SelectionSet, document: &ExecutableDocument, inside: bool) -> usize {
    let deepest = set.items.iter().map(|item| match &item.node {
        Selection::Field(field) => {
            let name = &*field.node.name.node;
            let inside = inside || matches!(name, "__schema" | "__type");
            let list = inside && matches!(name, "fields" | "interfaces" | "possibleTypes" | "inputFields");
            usize::from(list) + lists(&field.node.selection_set.node, document, inside)
        }
        Selection::InlineFragment(fragment) => lists(&fragment.node.selection_set.node, document, inside),
        Selection::FragmentSpread(spread) => {
            let fragment = document.fragments.get(&spread.node.fragment_name.node);
            fragment.map_or(0, |fragment| lists(&fragment.node.selection_set.node, document, inside))
        }
    });
    deepest.max().unwrap_or(0)
}
