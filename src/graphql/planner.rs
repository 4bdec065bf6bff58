//! Makes a plan of a checked operation (GraphQL specification, sections 5.8.5 and 6.3).

use std::cell::Cell;

use async_graphql::indexmap::IndexMap;
use async_graphql::parser::types::{
    BaseType, Directive, ExecutableDocument, Field as AstField, OperationDefinition, OperationType,
    Selection as AstSelection, SelectionSet, Type as AstType,
};
use async_graphql::{Name, Pos, Positioned};
use async_graphql_value::Value as AstValue;
use codegen::model::{Ty, Wrap};

use super::code;
use super::cost::Cost;
use super::error::{Location, RefusalError};
use super::introspect::Introspection;
use super::literal::{self, Wrong};
use super::model::{FieldDefinition, InputDefinition, Model};
use super::plan::{Argument, Field, Given, Plan, Selection, Template, VariableDefinition};
use super::value::Value;
use super::write::Out;
use crate::base::limits::PLANNED_FIELDS_MAX;

/// The variables that `@skip` and `@include` look at: each combination of them has its own plan.
pub(super) fn conditions(document: &ExecutableDocument) -> Vec<Name> {
    fn below(set: &SelectionSet, names: &mut Vec<Name>) {
        for item in &set.items {
            for directive in item.node.directives().iter().filter(|d| wanted(d).is_some()) {
                if let Some(AstValue::Variable(name)) = directive.node.get_argument("if").map(|v| &v.node)
                    && !names.contains(name)
                {
                    names.push(name.clone());
                }
            }
            match &item.node {
                AstSelection::Field(f) => below(&f.node.selection_set.node, names),
                AstSelection::InlineFragment(f) => below(&f.node.selection_set.node, names),
                AstSelection::FragmentSpread(_) => {}
            }
        }
    }
    let mut names = vec![];
    for (_, operation) in document.operations.iter() {
        below(&operation.node.selection_set.node, &mut names);
    }
    for fragment in document.fragments.values() {
        below(&fragment.node.selection_set.node, &mut names);
    }
    names
}

/// What a directive wants its condition to be; `None` when it sets no condition.
fn wanted(directive: &Positioned<Directive>) -> Option<bool> {
    match &*directive.node.name.node {
        "skip" => Some(false),
        "include" => Some(true),
        _ => None,
    }
}

/// Makes a plan. `holds` tells which of the operation's conditions are true in this request.
pub(super) fn plan(
    model: &Model,
    introspection: &Introspection,
    document: &ExecutableDocument,
    operation: &OperationDefinition,
    holds: &dyn Fn(&Name) -> bool,
) -> Result<Plan, RefusalError> {
    let variables = variables(model, operation)?;
    let planner = Planner { model, introspection, document, holds, variables: &variables, planned: Cell::new(0) };
    let root = match model.root(operation.ty) {
        Some(root) => planner.select(root, &[&operation.selection_set.node])?,
        None => Selection::default(),
    };
    let mutation = operation.ty == OperationType::Mutation;
    Ok(Plan { mutation, cost: Cost::of(&root, mutation), root, variables })
}

/// The variables of an operation. Their types are known to be input types.
pub(super) fn variables(
    model: &Model,
    operation: &OperationDefinition,
) -> Result<Vec<VariableDefinition>, RefusalError> {
    let mut variables = vec![];
    for definition in &operation.variable_definitions {
        let (at, definition) = (definition.pos, &definition.node);
        let ty = ast_type(&definition.var_type.node);
        let default = match &definition.default_value {
            None => None,
            Some(literal) => Some(constant(model, &ty, &literal.node.clone().into_value()).map_err(|wrong| {
                invalid(&wrong, &format!("The default of variable \"${}\"", definition.name.node), at)
            })?),
        };
        variables.push(VariableDefinition { name: definition.name.node.clone(), ty, default, location: at.into() });
    }
    Ok(variables)
}

fn constant(model: &Model, ty: &Ty, literal: &AstValue) -> Result<Value, Wrong> {
    match literal::coerce(model, ty, literal, &[])? {
        Template::Constant(value) => Ok(value),
        _ => Err(Wrong::new("must not hold a variable")),
    }
}

fn invalid(wrong: &Wrong, what: &str, at: Pos) -> RefusalError {
    RefusalError::new(code::GRAPHQL_VALIDATION_FAILED, wrong.of(what)).at(at)
}

/// A type as a document writes it.
pub(super) fn ast_type(ty: &AstType) -> Ty {
    let (mut wrap, mut ty) = (vec![], ty);
    loop {
        if !ty.nullable {
            wrap.push(Wrap::NonNull);
        }
        match &ty.base {
            BaseType::Named(name) => return Ty { wrap, name: name.to_string() },
            BaseType::List(inner) => {
                wrap.push(Wrap::List);
                ty = inner;
            }
        }
    }
}

struct Planner<'a> {
    model: &'a Model,
    introspection: &'a Introspection,
    document: &'a ExecutableDocument,
    holds: &'a dyn Fn(&Name) -> bool,
    variables: &'a [VariableDefinition],
    /// Fields planned so far: one for each object type that can be there.
    planned: Cell<usize>,
}

/// The fields of one response key.
#[derive(Default)]
struct Merged<'a> {
    fields: Vec<&'a Positioned<AstField>>,
}

impl<'a> Planner<'a> {
    fn included(&self, directives: &[Positioned<Directive>]) -> bool {
        directives.iter().all(|directive| {
            let Some(wanted) = wanted(directive) else { return true };
            let holds = match directive.node.get_argument("if").map(|v| &v.node) {
                Some(AstValue::Boolean(value)) => *value,
                Some(AstValue::Variable(name)) => (self.holds)(name),
                _ => false,
            };
            holds == wanted
        })
    }

    /// GraphQL specification, section 6.3.2: CollectFields.
    fn collect(&self, ty: &str, set: &'a SelectionSet, merged: &mut IndexMap<&'a Name, Merged<'a>>) {
        for item in set.items.iter().filter(|item| self.included(item.node.directives())) {
            match &item.node {
                AstSelection::Field(field) => {
                    merged.entry(&field.node.response_key().node).or_default().fields.push(field);
                }
                AstSelection::InlineFragment(fragment) => {
                    let condition = fragment.node.type_condition.as_ref();
                    if condition.is_none_or(|c| self.applies(ty, &c.node.on.node)) {
                        self.collect(ty, &fragment.node.selection_set.node, merged);
                    }
                }
                AstSelection::FragmentSpread(spread) => {
                    if let Some(fragment) = self.document.fragments.get(&spread.node.fragment_name.node)
                        && self.applies(ty, &fragment.node.type_condition.node.on.node)
                    {
                        self.collect(ty, &fragment.node.selection_set.node, merged);
                    }
                }
            }
        }
    }

    fn applies(&self, ty: &str, condition: &str) -> bool {
        ty == condition || self.model.composite(condition).is_some_and(|c| c.possible.contains(&ty))
    }

    fn select(&self, ty: &str, sets: &[&'a SelectionSet]) -> Result<Selection, RefusalError> {
        let mut merged = IndexMap::new();
        for set in sets {
            self.collect(ty, set, &mut merged);
        }
        self.planned.set(self.planned.get() + merged.len());
        if self.planned.get() > PLANNED_FIELDS_MAX {
            let detail =
                format!("The operation has more than {PLANNED_FIELDS_MAX} fields, one for each type they can be on.");
            return Err(RefusalError::new(code::MAX_COST_EXCEEDED, detail));
        }
        let mut selection = Selection::default();
        for (key, merged) in merged {
            let first = merged.fields[0];
            let field = if first.node.name.node == "__typename" {
                self.field(key, "__typename", &merged)
            } else {
                match self.model.field(ty, &first.node.name.node) {
                    Some(definition) => self.defined(key, definition, &merged)?,
                    // The rules refuse a field that the type does not have.
                    None => continue,
                }
            };
            selection.resolved += usize::from(field.resolved);
            selection.fields.push(field);
        }
        Ok(selection)
    }

    /// A field with nothing below it.
    fn field(&self, key: &Name, name: &'static str, merged: &Merged<'_>) -> Field {
        Field {
            name,
            key: format!(",\"{key}\":").into_bytes().into(),
            response_key: key.clone(),
            arguments: vec![],
            select: vec![],
            nullable: false,
            resolved: false,
            waits_below: false,
            locations: merged.fields.iter().map(|f| Location::from(f.pos)).collect(),
            constant: None,
        }
    }

    fn defined(&self, key: &Name, definition: &'a FieldDefinition, merged: &Merged<'a>) -> Result<Field, RefusalError> {
        let mut field = self.field(key, &definition.field.name, merged);
        field.nullable = !definition.field.ty.is_non_null();
        field.resolved = definition.resolved;
        let given = &merged.fields[0].node.arguments;
        for argument in &definition.arguments {
            let given = given.iter().find(|(name, _)| name.node == argument.name).map(|(_, value)| value);
            let location = given.map(|given| given.pos.into());
            let given = self.given(argument, given)?;
            field.arguments.extend(given.map(|given| Argument { name: argument.name, given, location }));
        }
        let sets: Vec<_> = merged.fields.iter().map(|f| &f.node.selection_set.node).collect();
        if let Some(composite) = self.model.composite(&definition.field.ty.name) {
            for possible in &composite.possible {
                let selection = self.select(possible, &sets)?;
                field.waits_below |= selection.fields.iter().any(|f| f.resolved || f.waits_below);
                field.select.push((possible, selection));
            }
        }
        if field.name.starts_with("__") && !varies(&field) {
            let mut out = Out::default();
            self.introspection.root(&field, &[], &mut out);
            field.constant = Some(out.json.into());
        }
        Ok(field)
    }

    fn given(
        &self,
        definition: &InputDefinition,
        given: Option<&Positioned<AstValue>>,
    ) -> Result<Option<Given>, RefusalError> {
        let default = || definition.default_value(self.model);
        let Some(given) = given else { return Ok(default().map(Given::Constant)) };
        let template = literal::coerce_argument(self.model, definition, &given.node, self.variables);
        let template =
            template.map_err(|wrong| invalid(&wrong, &format!("Argument \"{}\"", definition.name), given.pos))?;
        Ok(Some(match template {
            Template::Constant(value) => Given::Constant(value),
            Template::Variable { index, non_null } => Given::Variable { index, default: default(), non_null },
            template => Given::Template(template),
        }))
    }
}

/// Whether anything in an introspection field depends on a variable.
fn varies(field: &Field) -> bool {
    !field.arguments.iter().all(|argument| matches!(argument.given, Given::Constant(_)))
        || field.select.iter().any(|(_, selection)| selection.fields.iter().any(varies))
}
