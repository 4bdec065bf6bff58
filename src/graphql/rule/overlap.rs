//! Fields of one response key can be merged (GraphQL specification, section 5.3.2). The checker looks at one selection
//! set at a time; this looks at what is merged below as well.
//!
//! Both halves of the rule go down level by level, over all fields of one response key at once, so that the work grows
//! with the fields of the document written out, which are limited.

use async_graphql::Positioned;
use async_graphql::indexmap::IndexMap;
use async_graphql::parser::types::{ExecutableDocument, Field, Selection, SelectionSet};
use codegen::model::{Kind, Ty};

use super::invalid;
use crate::graphql::code;
use crate::graphql::error::RefusalError;
use crate::graphql::model::{FieldDefinition, Model};

/// Fields that may be compared before a document is refused as too intricate; honest ones need some hundreds.
const STEPS_MAX: usize = 50_000;

pub(super) fn check(model: &Model, document: &ExecutableDocument, errors: &mut Vec<RefusalError>) {
    for (_, operation) in document.operations.iter() {
        let Some(root) = model.root(operation.node.ty) else { continue };
        let mut overlap = Overlap { model, document, steps: 0 };
        let mut fields = vec![];
        overlap.collect(root, &operation.node.selection_set.node, &mut fields);
        let checked = overlap.same_shape(fields.clone()).and_then(|()| overlap.same_field(fields));
        errors.extend(checked.err());
    }
}

/// A field where it is selected.
#[derive(Clone, Copy)]
struct Use<'a> {
    /// The type of the selection set that it stands in.
    parent: &'a str,
    field: &'a Positioned<Field>,
    /// `None` is `__typename`.
    definition: Option<&'a FieldDefinition>,
}

struct Overlap<'a> {
    model: &'a Model,
    document: &'a ExecutableDocument,
    steps: usize,
}

impl<'a> Overlap<'a> {
    /// The fields of a selection set, fragments written out.
    fn collect(&self, parent: &'a str, set: &'a SelectionSet, fields: &mut Vec<Use<'a>>) {
        for item in &set.items {
            match &item.node {
                Selection::Field(field) => {
                    let definition = self.model.field(parent, &field.node.name.node);
                    fields.push(Use { parent, field, definition });
                }
                Selection::InlineFragment(fragment) => {
                    let condition = fragment.node.type_condition.as_ref();
                    let parent = condition.map_or(parent, |c| c.node.on.node.as_str());
                    self.collect(parent, &fragment.node.selection_set.node, fields);
                }
                Selection::FragmentSpread(spread) => {
                    if let Some(fragment) = self.document.fragments.get(&spread.node.fragment_name.node) {
                        let parent = fragment.node.type_condition.node.on.node.as_str();
                        self.collect(parent, &fragment.node.selection_set.node, fields);
                    }
                }
            }
        }
    }

    /// Whatever object is there, one response key has one shape of value.
    fn same_shape(&mut self, fields: Vec<Use<'a>>) -> Result<(), RefusalError> {
        for (key, group) in self.by_key(fields)? {
            let first = group[0];
            if let Some(other) = group.iter().find(|other| !self.shapes_agree(first, **other)) {
                return Err(conflict(key, "their types differ", first, *other));
            }
            let below = self.below(&group);
            self.same_shape(below)?;
        }
        Ok(())
    }

    /// On one and the same object, one response key is one field with the same arguments.
    fn same_field(&mut self, fields: Vec<Use<'a>>) -> Result<(), RefusalError> {
        for (key, group) in self.by_key(fields)? {
            for together in self.on_one_object(group) {
                let first = together[0];
                for other in &together[1..] {
                    if first.field.node.name.node != other.field.node.name.node {
                        return Err(conflict(key, "they are different fields", first, *other));
                    }
                    if !same_arguments(&first.field.node, &other.field.node) {
                        return Err(conflict(key, "their arguments differ", first, *other));
                    }
                }
                let below = self.below(&together);
                self.same_field(below)?;
            }
        }
        Ok(())
    }

    fn by_key(&mut self, fields: Vec<Use<'a>>) -> Result<IndexMap<&'a str, Vec<Use<'a>>>, RefusalError> {
        self.steps += fields.len();
        if self.steps > STEPS_MAX {
            let detail = "The document merges too many fields of different types.";
            return Err(RefusalError::new(code::MAX_COST_EXCEEDED, detail));
        }
        let mut groups: IndexMap<&'a str, Vec<Use<'a>>> = IndexMap::new();
        for field in fields {
            groups.entry(field.field.node.response_key().node.as_str()).or_default().push(field);
        }
        Ok(groups)
    }

    /// The fields that can meet on one object: those on the same object type, each with all those on abstract types.
    fn on_one_object(&self, group: Vec<Use<'a>>) -> Vec<Vec<Use<'a>>> {
        let is_object =
            |field: &Use<'_>| matches!(self.model.ty(field.parent).map(|t| &t.kind), Some(Kind::Object { .. }));
        let (on_objects, on_any): (Vec<_>, Vec<_>) = group.into_iter().partition(is_object);
        let mut by_object: IndexMap<&str, Vec<Use<'a>>> = IndexMap::new();
        for field in on_objects {
            by_object.entry(field.parent).or_insert_with(|| on_any.clone()).push(field);
        }
        if by_object.is_empty() { vec![on_any] } else { by_object.into_values().collect() }
    }

    fn below(&self, group: &[Use<'a>]) -> Vec<Use<'a>> {
        let mut fields = vec![];
        for Use { field, definition, .. } in group {
            if let Some(definition) = definition {
                self.collect(&definition.field.ty.name, &field.node.selection_set.node, &mut fields);
            }
        }
        fields
    }

    /// GraphQL specification, section 5.3.2: SameResponseShape, without what is below.
    fn shapes_agree(&self, a: Use<'_>, b: Use<'_>) -> bool {
        let typename = Ty { wrap: vec![codegen::model::Wrap::NonNull], name: "String".to_owned() };
        let a = a.definition.map_or(&typename, |d| &d.field.ty);
        let b = b.definition.map_or(&typename, |d| &d.field.ty);
        let composite = |ty: &Ty| self.model.composite(&ty.name).is_some();
        a.wrap == b.wrap && (a.name == b.name || (composite(a) && composite(b)))
    }
}

fn same_arguments(a: &Field, b: &Field) -> bool {
    a.arguments.len() == b.arguments.len()
        && a.arguments.iter().all(|(name, value)| b.get_argument(&name.node).is_some_and(|v| v.node == value.node))
}

fn conflict(key: &str, why: &str, first: Use<'_>, other: Use<'_>) -> RefusalError {
    let detail = format!("The fields of the response key \"{key}\" conflict: {why}. Give them different aliases.");
    invalid(detail).at(first.field.pos).at(other.field.pos)
}
