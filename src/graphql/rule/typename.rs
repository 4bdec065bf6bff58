//! `__typename` has no arguments and nothing below it (GraphQL specification, section 4.1). The checker passes over it.

use async_graphql::parser::types::{ExecutableDocument, Field, Selection, SelectionSet};

use super::invalid;
use crate::graphql::error::RefusalError;

pub(super) fn check(document: &ExecutableDocument, errors: &mut Vec<RefusalError>) {
    let operations = document.operations.iter().map(|(_, operation)| &operation.node.selection_set.node);
    let fragments = document.fragments.values().map(|fragment| &fragment.node.selection_set.node);
    operations.chain(fragments).for_each(|set| below(set, errors));
}

fn below(set: &SelectionSet, errors: &mut Vec<RefusalError>) {
    for item in &set.items {
        match &item.node {
            Selection::Field(field) if field.node.name.node == "__typename" => typename(&field.node, errors),
            Selection::Field(field) => below(&field.node.selection_set.node, errors),
            Selection::InlineFragment(fragment) => below(&fragment.node.selection_set.node, errors),
            Selection::FragmentSpread(_) => {}
        }
    }
}

fn typename(field: &Field, errors: &mut Vec<RefusalError>) {
    if !field.arguments.is_empty() || !field.selection_set.node.items.is_empty() {
        errors.push(invalid("The field \"__typename\" has no arguments and no fields.").at(field.name.pos));
    }
}
