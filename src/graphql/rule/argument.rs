//! Literals are values of the types of their places, and variables stand where their types allow it (GraphQL
//! specification, sections 5.6 and 5.8.5).

use async_graphql::parser::types::{Directive, ExecutableDocument, Field, Selection, SelectionSet};
use async_graphql::{Name, Positioned};
use async_graphql_value::Value as AstValue;

use super::invalid;
use crate::graphql::error::RefusalError;
use crate::graphql::literal;
use crate::graphql::model::{InputDefinition, Model};
use crate::graphql::plan::VariableDefinition;
use crate::graphql::planner;

pub(super) fn check(model: &Model, document: &ExecutableDocument, errors: &mut Vec<RefusalError>) {
    for (_, operation) in document.operations.iter() {
        let operation = &operation.node;
        match planner::variables(model, operation) {
            Ok(variables) => {
                let mut walk = Walk { model, document, variables: &variables, seen: vec![], errors };
                walk.directives(&operation.directives);
                if let Some(root) = model.root(operation.ty) {
                    walk.set(root, &operation.selection_set.node);
                }
            }
            Err(error) => errors.push(error),
        }
    }
}

/// One operation, its fragments once each.
struct Walk<'a> {
    model: &'a Model,
    document: &'a ExecutableDocument,
    variables: &'a [VariableDefinition],
    seen: Vec<&'a str>,
    errors: &'a mut Vec<RefusalError>,
}

impl<'a> Walk<'a> {
    fn set(&mut self, ty: &'a str, set: &'a SelectionSet) {
        for item in &set.items {
            self.directives(item.node.directives());
            match &item.node {
                Selection::Field(field) => self.field(ty, &field.node),
                Selection::InlineFragment(fragment) => {
                    let condition = fragment.node.type_condition.as_ref();
                    let ty = condition.map_or(ty, |c| c.node.on.node.as_str());
                    self.set(ty, &fragment.node.selection_set.node);
                }
                Selection::FragmentSpread(spread) => {
                    let name = spread.node.fragment_name.node.as_str();
                    if let Some(fragment) = self.document.fragments.get(name).filter(|_| !self.seen.contains(&name)) {
                        self.seen.push(name);
                        self.directives(&fragment.node.directives);
                        self.set(&fragment.node.type_condition.node.on.node, &fragment.node.selection_set.node);
                    }
                }
            }
        }
    }

    fn field(&mut self, ty: &'a str, field: &'a Field) {
        // `__typename` has no definition; what may stand with it is a rule of its own.
        let Some(definition) = self.model.field(ty, &field.name.node) else { return };
        self.arguments(&definition.arguments, &field.arguments);
        self.set(&definition.field.ty.name, &field.selection_set.node);
    }

    fn directives(&mut self, directives: &'a [Positioned<Directive>]) {
        let model = self.model;
        for directive in directives {
            if let Some(arguments) = model.directive(&directive.node.name.node) {
                self.arguments(arguments, &directive.node.arguments);
            }
        }
    }

    fn arguments(&mut self, definitions: &[InputDefinition], given: &[(Positioned<Name>, Positioned<AstValue>)]) {
        for (name, value) in given {
            let Some(definition) = definitions.iter().find(|d| *d.name == *name.node) else { continue };
            if let Err(wrong) = literal::coerce_argument(self.model, definition, &value.node, self.variables) {
                self.errors.push(invalid(wrong.of(&format!("Argument \"{}\"", name.node))).at(value.pos));
            }
        }
    }
}
