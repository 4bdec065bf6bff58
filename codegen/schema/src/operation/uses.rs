//! What an operation uses of a schema, by coordinate, and what it leaves out.

use std::cell::Cell;
use std::collections::{BTreeSet, HashMap, HashSet};

use crate::coordinate;
use crate::diagnostic::Span;
use crate::model::{Input, Kind, Schema, Type};
use cynic_parser::common::{OperationType, WrappingType};
use cynic_parser::executable::{FieldSelection, FragmentDefinition, OperationDefinition, Selection};
use cynic_parser::values::Value;

/// The number of selection sets in each other, fragments written out.
const NESTING_MAX: usize = 64;

const TOO_MUCH: &str = "not checked: this and the operations before it have too many fields, fragments and values";

/// One use of a coordinate. Uses are ordered by their place.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Use {
    pub span: Span,
    pub coordinate: String,
    pub how: How,
}

/// How an operation uses a coordinate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum How {
    /// A field that it asks for, a type that it names, an input type that it sends.
    Named,
    /// An argument, an input field or an enum value that it sends.
    Sent,
    /// An argument or an input field that it sends from a variable that may be null.
    SentFromNullable,
    /// An argument or an input field that it does not send.
    LeftOut,
    /// A part of a variable, which each request may send or leave out.
    InVariable,
}

/// Why an operation does not fit a schema.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Misfit {
    /// The coordinate that is not there, or of what does not fit.
    pub coordinate: String,
    pub message: String,
    pub span: Span,
    /// Whether it may fit: there was too much to look at all of it.
    pub unchecked: bool,
}

/// Fragments by name.
pub(super) type FragmentsByName<'d> = HashMap<&'d str, FragmentDefinition<'d>>;

/// The fragments that an operation can spread.
pub(super) struct Fragments<'a, 'd> {
    /// Those of its document, which come before those of the same name elsewhere.
    pub own: &'a FragmentsByName<'d>,
    /// Those of all documents.
    pub shared: &'a FragmentsByName<'d>,
}

impl<'d> Fragments<'_, 'd> {
    /// Returns a fragment, and whether it is in the document of the operation.
    fn get(&self, name: &str) -> Option<(FragmentDefinition<'d>, bool)> {
        let own = self.own.get(name).map(|found| (*found, true));
        own.or_else(|| self.shared.get(name).map(|found| (*found, false)))
    }
}

/// Returns the uses of an operation, each once. Those of a fragment of another document stand where it is spread.
pub(super) fn uses(
    schema: &Schema,
    operation: OperationDefinition<'_>,
    fragments: &Fragments<'_, '_>,
    steps: &Cell<usize>,
) -> Result<Vec<Use>, Misfit> {
    let mut walk = Walk {
        schema,
        fragments,
        spread: HashSet::new(),
        at_spread: None,
        nullable: HashSet::new(),
        in_variables: HashSet::new(),
        steps,
        nesting: 0,
        uses: BTreeSet::new(),
    };
    for variable in operation.variable_definitions() {
        let at = span(variable.ty().span());
        walk.step(1, variable.ty().name(), at)?;
        if variable.ty().wrappers().next() != Some(WrappingType::NonNull) {
            walk.nullable.insert(variable.name());
        }
        walk.in_variable(walk.named(variable.ty().name(), at)?, at);
        if let Some(default) = variable.default_value() {
            walk.value(walk.named(variable.ty().name(), at)?, default.into(), span(default.span()))?;
        }
    }
    let at = span(operation.operation_type_span().unwrap_or(operation.selection_set_span()));
    let root = match operation.operation_type() {
        OperationType::Query => Some(&schema.query),
        OperationType::Mutation => schema.mutation.as_ref(),
        OperationType::Subscription => schema.subscription.as_ref(),
    };
    let Some(root) = root.and_then(|name| schema.get(name)) else {
        return walk.misfit(coordinate::SCHEMA, "there are no operations of this kind".to_owned(), at);
    };
    walk.selections(root, operation.selection_set())?;
    Ok(walk.uses.into_iter().collect())
}

fn span(span: cynic_parser::Span) -> Span {
    Span { start: span.start, end: span.end }
}

struct Walk<'a, 'd> {
    schema: &'a Schema,
    fragments: &'a Fragments<'a, 'd>,
    /// The fragments that were walked.
    spread: HashSet<&'d str>,
    /// Where a fragment of another document is spread that is being walked.
    at_spread: Option<Span>,
    /// The variables that may be null.
    nullable: HashSet<&'d str>,
    /// The input types of variables that were walked.
    in_variables: HashSet<&'a str>,
    /// The number of further fields, fragments and values that are looked at, in this operation and those after it.
    steps: &'a Cell<usize>,
    /// The number of selection sets around the next one, which bounds the recursion.
    nesting: usize,
    uses: BTreeSet<Use>,
}

impl<'a, 'd> Walk<'a, 'd> {
    fn add(&mut self, coordinate: impl Into<String>, how: How, span: Span) {
        let found = Use { coordinate: coordinate.into(), how, span: self.at_spread.unwrap_or(span) };
        self.uses.insert(found);
    }

    /// Counts fields, fragments or values.
    fn step(&self, count: usize, coordinate: &str, at: Span) -> Result<(), Misfit> {
        match self.steps.get().checked_sub(count) {
            Some(left) => {
                self.steps.set(left);
                Ok(())
            }
            None => {
                self.steps.set(0);
                let span = self.at_spread.unwrap_or(at);
                Err(Misfit { coordinate: coordinate.to_owned(), message: TOO_MUCH.to_owned(), span, unchecked: true })
            }
        }
    }

    fn misfit<T>(&self, coordinate: &str, message: String, span: Span) -> Result<T, Misfit> {
        let span = self.at_spread.unwrap_or(span);
        Err(Misfit { coordinate: coordinate.to_owned(), message, span, unchecked: false })
    }

    /// Returns a type of the schema; `None` for a scalar that needs no definition.
    fn named(&self, name: &str, at: Span) -> Result<Option<&'a Type>, Misfit> {
        match self.schema.get(name) {
            None if !["ID", "Int", "Float", "String", "Boolean"].contains(&name) => {
                self.misfit(name, format!("there is no type `{name}`"), at)
            }
            found => Ok(found),
        }
    }

    fn selections(&mut self, ty: &'a Type, all: impl Iterator<Item = Selection<'d>>) -> Result<(), Misfit> {
        self.nesting += 1;
        for selection in all {
            let at = span(match selection {
                Selection::Field(field) => field.name_span(),
                Selection::InlineFragment(fragment) => fragment.selection_set_span(),
                Selection::FragmentSpread(spread) => spread.fragment_name_span(),
            });
            if self.nesting > NESTING_MAX {
                return self.misfit(&ty.name, "the operation nests too deeply, fragments written out".to_owned(), at);
            }
            self.step(1, &ty.name, at)?;
            match selection {
                Selection::Field(field) => self.field(ty, field)?,
                Selection::InlineFragment(fragment) => {
                    let at = span(fragment.type_condition_span().unwrap_or(fragment.selection_set_span()));
                    let ty = fragment.type_condition().map_or(Ok(ty), |name| self.condition(ty, name, at))?;
                    self.selections(ty, fragment.selection_set())?;
                }
                Selection::FragmentSpread(spread) => self.spread(ty, spread.fragment_name(), at)?,
            }
        }
        self.nesting -= 1;
        Ok(())
    }

    fn spread(&mut self, ty: &'a Type, name: &'d str, at: Span) -> Result<(), Misfit> {
        let Some((fragment, is_own)) = self.fragments.get(name) else {
            return self.misfit(&ty.name, format!("there is no fragment `{name}`"), at);
        };
        if !self.spread.insert(name) {
            return Ok(());
        }
        let outer = self.at_spread;
        if !is_own {
            self.at_spread = outer.or(Some(at));
        }
        let ty = self.condition(ty, fragment.type_condition(), span(fragment.type_condition_span()))?;
        self.selections(ty, fragment.selection_set())?;
        self.at_spread = outer;
        Ok(())
    }

    /// Returns the type of a type condition.
    fn condition(&mut self, parent: &'a Type, name: &str, at: Span) -> Result<&'a Type, Misfit> {
        let Some(ty) = self.schema.get(name) else {
            return self.misfit(name, format!("there is no type `{name}`"), at);
        };
        let possible = self.schema.possible_types(parent);
        if !self.schema.possible_types(ty).iter().any(|ty| possible.contains(ty)) {
            return self.misfit(name, format!("a `{}` is never a `{name}`", parent.name), at);
        }
        self.add(name, How::Named, at);
        Ok(ty)
    }

    fn field(&mut self, ty: &'a Type, field: FieldSelection<'d>) -> Result<(), Misfit> {
        let (name, at) = (field.name(), span(field.name_span()));
        if name.starts_with("__") {
            return Ok(()); // introspection is the same in every version
        }
        let coordinate = coordinate::member(&ty.name, name);
        let Some(defined) = ty.field(name) else {
            return self.misfit(&coordinate, format!("`{}` has no field `{name}`", ty.name), at);
        };
        self.add(&coordinate, How::Named, at);
        let sent: Vec<(&str, Span, Value<'d>)> =
            field.arguments().map(|argument| (argument.name(), span(argument.name_span()), argument.value())).collect();
        self.step(sent.len(), &coordinate, at)?;
        let is_unknown = |name: &str| defined.args.iter().all(|argument| argument.name != name);
        if let Some((unknown, at, _)) = sent.iter().find(|(name, ..)| is_unknown(name)) {
            let argument = coordinate::argument(&coordinate, unknown);
            return self.misfit(&argument, format!("`{coordinate}` has no argument `{unknown}`"), *at);
        }
        self.inputs(&defined.args, &sent, at, |name| coordinate::argument(&coordinate, name))?;
        let inner = self.named(&defined.ty.name, at)?;
        inner.map_or(Ok(()), |inner| self.selections(inner, field.selection_set()))
    }

    /// Adds the arguments of a field or the fields of an input object: what is sent, and what is left out.
    fn inputs(
        &mut self,
        defined: &'a [Input],
        sent: &[(&str, Span, Value<'d>)],
        owner: Span,
        coordinate: impl Fn(&str) -> String,
    ) -> Result<(), Misfit> {
        for input in defined {
            let at = coordinate(&input.name);
            let Some((_, span, value)) = sent.iter().find(|(name, ..)| *name == input.name) else {
                self.add(at, How::LeftOut, owner);
                continue;
            };
            let may_be_null = value.is_null() || value.as_variable().is_some_and(|name| self.nullable.contains(name));
            self.add(at, if may_be_null { How::SentFromNullable } else { How::Sent }, *span);
            self.value(self.schema.get(&input.ty.name), *value, *span)?;
        }
        Ok(())
    }

    /// Adds what a value names: enum values, and the fields of input objects.
    fn value(&mut self, ty: Option<&'a Type>, value: Value<'d>, at: Span) -> Result<(), Misfit> {
        let Some(ty) = ty else { return Ok(()) };
        self.step(1, &ty.name, at)?;
        match (&ty.kind, value) {
            (_, Value::List(list)) => return list.items().try_for_each(|item| self.value(Some(ty), item, at)),
            (Kind::Enum { .. }, Value::Enum(name)) => {
                self.add(coordinate::member(&ty.name, name.name()), How::Sent, span(name.span()));
            }
            (Kind::Input { fields, .. }, Value::Object(object)) => {
                self.add(&ty.name, How::Named, at);
                let sent: Vec<_> =
                    object.fields().map(|field| (field.name(), span(field.name_span()), field.value())).collect();
                self.step(sent.len(), &ty.name, at)?;
                let is_unknown = |name: &str| fields.iter().all(|field| field.name != name);
                if let Some((unknown, at, _)) = sent.iter().find(|(name, ..)| is_unknown(name)) {
                    let message = format!("`{}` has no input field `{unknown}`", ty.name);
                    return self.misfit(&coordinate::member(&ty.name, unknown), message, *at);
                }
                return self.inputs(fields, &sent, at, |name| coordinate::member(&ty.name, name));
            }
            _ => {}
        }
        Ok(())
    }

    /// Adds what a variable of this type may hold.
    fn in_variable(&mut self, ty: Option<&'a Type>, at: Span) {
        let Some(ty) = ty else { return };
        match &ty.kind {
            Kind::Enum { values } => {
                for value in values {
                    self.add(coordinate::member(&ty.name, &value.name), How::InVariable, at);
                }
            }
            Kind::Input { fields, .. } => {
                // Also ends at a type that contains itself.
                if !self.in_variables.insert(&ty.name) {
                    return;
                }
                self.add(&ty.name, How::Named, at);
                for field in fields {
                    self.add(coordinate::member(&ty.name, &field.name), How::InVariable, at);
                    self.in_variable(self.schema.get(&field.ty.name), at);
                }
            }
            _ => {}
        }
    }
}
