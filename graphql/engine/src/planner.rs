//! Plans a valid operation (GraphQL specification, section 6.3).
//!
//! The planner does once what CollectFields does for each object: it walks from the root, and for each possible object type of a field it
//! merges the selections with one response key, expands fragments that apply to the type, and drops fields whose condition is false.
//! Arguments become values, or places where a value of a variable is filled in. For example, with `$with = false`
//!
//! ```graphql
//! query ($id: ID!, $with: Boolean!) { book(id: $id) { id ...F shelf @include(if: $with) { id } } }
//! fragment F on Book { id title }
//! ```
//!
//! becomes `book(id: variable 0) { Book: [id, title] }`. A plan is cached by its document and the values of the variables in its
//! conditions, so another `$with` has another plan. Execution then runs through lists, and looks at no fragment and no directive.

use std::cell::{Cell, RefCell};

use bytes::Bytes;
use dated_graphql_schema::model::Ty;

use super::ast::{
    Directive, Document, Field as AstField, Literal, Operation, OperationKind, Selection as AstSelection, Value,
};
use super::code;
use super::definition::{FieldDefinition, InputDefinition, Type, written_key};
use super::error::{Location, RefusalError};
use super::introspect::Introspection;
use super::limit::exceeded;
use super::literal::{self, Positions};
use super::model::Model;
use super::plan::{Argument, Field, Given, PartialValue, Plan, Selection, VariableDefinition};
use super::small_map::SmallMap;
use super::used_coordinates::wanted;
use super::write::JsonWriter;

/// Makes a plan. `is_true` says which variables of conditions are true in this request.
pub(super) fn plan(
    model: &'static Model,
    introspection: &Introspection,
    document: &Document<'_>,
    operation: &Operation<'_>,
    is_true: &dyn Fn(&str) -> bool,
    planned_fields_max: usize,
) -> Result<Plan, RefusalError> {
    let mut positions = Positions::default();
    for (at, variable) in operation.variables.iter().enumerate() {
        positions.add(variable.name.text, at);
    }
    let (planned, uses) = (Cell::new(0), RefCell::new(vec![0; operation.variables.len()]));
    let planner =
        Planner { model, introspection, document, is_true, variables: &positions, uses, planned, planned_fields_max };
    let mut root = match model.root(operation.kind) {
        Some(root) => planner.select(root, &[&operation.set.items])?,
        None => Selection::default(),
    };
    let mutation = operation.kind == OperationKind::Mutation;
    let variables = variables(model, operation, &planner.uses.into_inner())?;
    let mut variables_by_name: Box<[usize]> = (0..variables.len()).collect();
    variables_by_name.sort_unstable_by_key(|at| &variables[*at].name);
    let response = constant_response(&mut root);
    let name = operation.name.map(|name| name.text.into());
    Ok(Plan { name, mutation, root, variables, variables_by_name, response })
}

/// Returns the whole response if every field of the root is constant. Their written values move into it.
fn constant_response(root: &mut Selection) -> Option<Bytes> {
    if root.fields.is_empty() || root.fields.iter().any(|field| field.constant.is_none()) {
        return None;
    }
    let mut out = JsonWriter::default();
    out.raw(b"{\"data\":{");
    for (position, field) in root.fields.iter_mut().enumerate() {
        let value = field.constant.take().unwrap_or_default();
        out.key(field, position);
        out.raw(&value);
    }
    out.raw(b"}}");
    out.json.shrink_to_fit();
    Some(out.json.into())
}

/// The variables of an operation, with the number of the uses of each.
fn variables(
    model: &Model,
    operation: &Operation<'_>,
    uses: &[usize],
) -> Result<Vec<VariableDefinition>, RefusalError> {
    let mut variables = Vec::with_capacity(operation.variables.len());
    for (variable, &uses) in operation.variables.iter().zip(uses) {
        let ty = Ty { wrap: variable.ty.wrap.clone(), name: variable.ty.name.text.to_owned() };
        let default = match &variable.default {
            None => None,
            Some(default) => {
                match literal::coerce(model, &ty.wrap, &ty.name, &default.literal, &Positions::default()) {
                    Some(PartialValue::Constant(value)) => Some(value),
                    _ => return Err(invalid(default.at)),
                }
            }
        };
        let (name, location) = (variable.name.text.into(), variable.at);
        variables.push(VariableDefinition { name, ty, default, location, uses });
    }
    Ok(variables)
}

/// The error for an invalid literal, which validation has excluded.
#[cold]
fn invalid(at: Location) -> RefusalError {
    RefusalError::new(code::GRAPHQL_VALIDATION_FAILED, "The value is not of the type that is expected.").at(at)
}

struct Planner<'a> {
    model: &'static Model,
    introspection: &'a Introspection,
    document: &'a Document<'a>,
    is_true: &'a dyn Fn(&str) -> bool,
    variables: &'a Positions<'a>,
    /// The number of the uses of each variable so far.
    uses: RefCell<Vec<usize>>,
    /// The number of planned fields so far, one for each possible object type.
    planned: Cell<usize>,
    planned_fields_max: usize,
}

/// The selected fields of one response key.
struct Merged<'a> {
    first: &'a AstField<'a>,
    others: Vec<&'a AstField<'a>>,
}

/// The fields of one object, by response key.
type Collected<'a> = SmallMap<'a, Merged<'a>>;

impl<'a> Planner<'a> {
    fn is_included(&self, directives: &[Directive<'_>]) -> bool {
        directives.iter().all(|directive| {
            let Some(wanted) = wanted(directive) else { return true };
            let value = match directive.argument("if") {
                Some(Literal::Boolean(value)) => *value,
                Some(Literal::Variable(name)) => (self.is_true)(name),
                _ => false,
            };
            value == wanted
        })
    }

    /// GraphQL specification, section 6.3.2: CollectFields. A fragment is visited once.
    fn collect(
        &self,
        ty: &Type,
        items: &'a [AstSelection<'a>],
        collected: &mut Collected<'a>,
        seen: &mut SmallMap<'a, ()>,
    ) {
        for item in items.iter().filter(|item| self.is_included(item.directives())) {
            match item {
                AstSelection::Field(field) => {
                    let merged = Merged { first: field, others: Vec::new() };
                    if let Some(merged) = collected.add(field.response_key(), merged) {
                        merged.others.push(field);
                    }
                }
                AstSelection::Inline(inline) => {
                    if inline.on.is_none_or(|on| self.applies(ty, on.text)) {
                        self.collect(ty, &inline.set.items, collected, seen);
                    }
                }
                AstSelection::Spread(spread) => {
                    if let Some((_, fragment)) = self.document.fragment(spread.name.text)
                        && seen.add(fragment.name.text, ()).is_none()
                        && self.applies(ty, fragment.on.text)
                    {
                        self.collect(ty, &fragment.set.items, collected, seen);
                    }
                }
            }
        }
    }

    fn applies(&self, ty: &Type, condition: &str) -> bool {
        ty.name == condition || self.model.composite(condition).is_some_and(|condition| condition.includes(ty))
    }

    fn select(&self, ty: &'static Type, sets: &[&'a [AstSelection<'a>]]) -> Result<Selection, RefusalError> {
        let selected = sets.first().map_or(0, |set| set.len());
        let (mut collected, mut seen) = (Collected::with_capacity(selected), SmallMap::default());
        for set in sets {
            self.collect(ty, set, &mut collected, &mut seen);
        }
        self.planned.set(self.planned.get() + collected.entries.len());
        if self.planned.get() > self.planned_fields_max {
            let max = self.planned_fields_max;
            return Err(exceeded(format!(
                "The operation has more than {max} fields, one for each type they can be on."
            )));
        }
        let mut selection = Selection { fields: Vec::with_capacity(collected.entries.len()), async_fields: 0 };
        for (_, merged) in &collected.entries {
            // Validation has refused undefined fields.
            let Some(definition) = self.model.definition(ty, merged.first) else { continue };
            self.add(&mut selection.fields, ty, definition, merged)?;
            selection.async_fields += usize::from(definition.is_async);
        }
        Ok(selection)
    }

    /// Plans a field of one object type, with the fields below it, and adds it to `planned`.
    fn add(
        &self,
        planned: &mut Vec<Field>,
        parent: &Type,
        definition: &'static FieldDefinition,
        merged: &Merged<'a>,
    ) -> Result<(), RefusalError> {
        let key = merged.first.alias.map_or_else(|| (&*definition.key).into(), |alias| written_key(alias).into());
        let mut arguments = Vec::with_capacity(definition.arguments.len());
        let (mut select, mut async_below) = (Vec::new(), false);
        for argument in &definition.arguments {
            let given = merged.first.arguments.iter().find(|given| given.name.text == argument.name);
            let given = given.map(|given| &given.value);
            let location = given.map(|given| given.at);
            let given = self.given(argument, given)?;
            arguments.extend(given.map(|given| Argument { name: argument.name, given, location }));
        }
        if let Some(composite) = self.model.type_of(definition) {
            let sets = std::iter::once(merged.first).chain(merged.others.iter().copied());
            let sets: Vec<_> = sets.map(|field| field.set.as_ref().map_or(&[][..], |set| &set.items)).collect();
            let possible = self.model.possible(composite);
            select.reserve_exact(possible.len());
            for possible in possible {
                let selection = self.select(possible, &sets)?;
                async_below |= selection.fields.iter().any(|f| f.is_async || f.async_below);
                select.push((possible.name, selection));
            }
        }
        planned.push(Field {
            name: definition.name,
            parent: parent.name,
            key,
            arguments,
            select,
            nullable: !definition.ty.is_non_null(),
            is_async: definition.is_async,
            async_below,
            location: merged.first.at,
            other_locations: merged.others.iter().map(|field| field.at).collect(),
            constant: None,
        });
        // Introspection that depends on no variable is written once.
        if let Some(field) = planned.last_mut()
            && matches!(field.name, "__schema" | "__type")
            && !varies(field)
        {
            let mut out = JsonWriter::default();
            self.introspection.root(field, &[], &mut out);
            field.constant = Some(out.json.into());
        }
        Ok(())
    }

    fn given(&self, definition: &InputDefinition, given: Option<&Value<'_>>) -> Result<Option<Given>, RefusalError> {
        let default = || definition.default_value().cloned();
        let Some(given) = given else { return Ok(default().map(Given::Constant)) };
        let template = definition.coerce(self.model, &given.literal, self.variables);
        let template = template.ok_or_else(|| invalid(given.at))?;
        template.each_use(&mut |index| self.uses.borrow_mut()[index] += 1);
        Ok(Some(match template {
            PartialValue::Constant(value) => Given::Constant(value),
            PartialValue::Variable { index, non_null } => Given::Variable { index, default: default(), non_null },
            template => Given::Partial(template),
        }))
    }
}

/// Returns whether an introspection field depends on variables.
fn varies(field: &Field) -> bool {
    !field.arguments.iter().all(|argument| matches!(argument.given, Given::Constant(_)))
        || field.select.iter().any(|(_, selection)| selection.fields.iter().any(varies))
}
