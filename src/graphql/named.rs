//! Which coordinates a document names: of all its operations and fragments, whatever the conditions in it.
//!
//! Removing any of them would make the document wrong as a whole, whichever part of it runs. Called by the engine, once for
//! a document that passed every rule.

use async_graphql::parser::types::{BaseType, ExecutableDocument, Field, Selection, SelectionSet, Type};
use async_graphql_value::Value;

use super::coordinate::CoordinateSet;
use super::model::Model;

/// The coordinates of a document.
pub(super) fn named(model: &Model, document: &ExecutableDocument) -> CoordinateSet {
    let mut walk = Walk { model, named: CoordinateSet::default() };
    for (_, operation) in document.operations.iter() {
        for definition in &operation.node.variable_definitions {
            let ty = type_name(&definition.node.var_type.node);
            walk.ty(ty);
            if let Some(default) = &definition.node.default_value {
                walk.literal(ty, &default.node.clone().into_value());
            }
        }
        if let Some(root) = model.root(operation.node.ty) {
            walk.ty(root);
            walk.set(root, &operation.node.selection_set.node);
        }
    }
    for fragment in document.fragments.values() {
        let on = &fragment.node.type_condition.node.on.node;
        walk.ty(on);
        walk.set(on, &fragment.node.selection_set.node);
    }
    walk.named
}

struct Walk<'a> {
    model: &'a Model,
    named: CoordinateSet,
}

impl Walk<'_> {
    fn ty(&mut self, name: &str) {
        self.named.insert(self.model.coordinates.number(name));
    }

    /// What is selected of a type, as the document sees it: `Node.id` where it asks a node for its id.
    fn set(&mut self, parent: &str, set: &SelectionSet) {
        for item in &set.items {
            match &item.node {
                Selection::Field(field) => self.field(parent, &field.node),
                Selection::InlineFragment(fragment) => {
                    let on = fragment.node.type_condition.as_ref().map(|condition| &*condition.node.on.node);
                    on.into_iter().for_each(|on| self.ty(on));
                    self.set(on.unwrap_or(parent), &fragment.node.selection_set.node);
                }
                Selection::FragmentSpread(_) => {}
            }
        }
    }

    fn field(&mut self, parent: &str, field: &Field) {
        // `__typename` is a field of no type.
        let Some(definition) = self.model.field(parent, &field.name.node) else { return };
        self.named.insert(definition.coordinate);
        for (name, value) in &field.arguments {
            if let Some(argument) = definition.arguments.iter().find(|argument| name.node == argument.name) {
                self.named.insert(argument.coordinate);
                self.literal(&argument.ty.name, &value.node);
            }
        }
        self.set(&definition.field.ty.name, &field.selection_set.node);
    }

    /// What a literal holds. What a variable holds is known with the request.
    fn literal(&mut self, ty: &str, literal: &Value) {
        match literal {
            Value::List(items) => items.iter().for_each(|item| self.literal(ty, item)),
            Value::Enum(value) => {
                self.named.insert(self.model.enum_value(ty, value).and_then(|(_, coordinate)| coordinate));
            }
            Value::Object(entries) => {
                let Some(input) = self.model.input(ty) else { return };
                for (name, value) in entries {
                    if let Some(field) = input.fields.iter().find(|field| *field.name == **name) {
                        self.named.insert(field.coordinate);
                        self.literal(&field.ty.name, value);
                    }
                }
            }
            _ => {}
        }
    }
}

/// The name in a type, under its lists and marks.
fn type_name(ty: &Type) -> &str {
    match &ty.base {
        BaseType::Named(name) => name,
        BaseType::List(inner) => type_name(inner),
    }
}
