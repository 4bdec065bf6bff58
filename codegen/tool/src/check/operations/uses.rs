//! What an operation uses of a schema, by coordinate, and what it leaves out.

use std::collections::{BTreeMap, BTreeSet};

use cynic_parser::common::OperationType;
use cynic_parser::executable::{FieldSelection, FragmentDefinition, OperationDefinition, Selection};
use cynic_parser::values::Value;
use schema::coordinate;
use schema::diagnostic::Span;
use schema::model::{Input, Kind, Schema, Type};

/// One use of a coordinate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Use {
    pub coordinate: String,
    pub how: How,
    pub span: Span,
}

/// How an operation uses a coordinate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
    pub message: String,
    pub span: Span,
}

/// Fragments by name.
pub(super) type Fragments<'d> = BTreeMap<&'d str, FragmentDefinition<'d>>;

/// Returns the uses of an operation, each once. Those of a fragment that is not in `own` stand where it is spread.
pub(super) fn uses(
    schema: &Schema,
    operation: OperationDefinition<'_>,
    fragments: &Fragments<'_>,
    own: &BTreeSet<&str>,
) -> Result<Vec<Use>, Misfit> {
    let (spread, nullable) = (BTreeSet::new(), vec![]);
    let mut walk = Walk { schema, fragments, own, spread, at_spread: None, nullable, uses: vec![] };
    for variable in operation.variable_definitions() {
        let at = span(variable.ty().span());
        if !variable.ty().to_string().ends_with('!') {
            walk.nullable.push(variable.name());
        }
        walk.in_variable(walk.named(variable.ty().name(), at)?, at);
        if let Some(default) = variable.default_value() {
            walk.value(walk.named(variable.ty().name(), at)?, default.into(), span(default.span()));
        }
    }
    let at = span(operation.operation_type_span().unwrap_or(operation.selection_set_span()));
    let root = match operation.operation_type() {
        OperationType::Query => Some(&schema.query),
        OperationType::Mutation => schema.mutation.as_ref(),
        OperationType::Subscription => schema.subscription.as_ref(),
    };
    let Some(root) = root.and_then(|name| schema.get(name)) else {
        return Err(Misfit { message: "there are no operations of this kind".to_owned(), span: at });
    };
    walk.selections(root, operation.selection_set())?;
    Ok(walk.uses)
}

fn span(span: cynic_parser::Span) -> Span {
    Span { start: span.start, end: span.end }
}

struct Walk<'a, 'd> {
    schema: &'a Schema,
    fragments: &'a Fragments<'d>,
    /// The names of the fragments of the operation's document.
    own: &'a BTreeSet<&'d str>,
    /// The fragments that were walked.
    spread: BTreeSet<&'d str>,
    /// Where a fragment of another document is spread that is being walked.
    at_spread: Option<Span>,
    /// The variables that may be null.
    nullable: Vec<&'d str>,
    uses: Vec<Use>,
}

impl<'a, 'd> Walk<'a, 'd> {
    fn add(&mut self, coordinate: impl Into<String>, how: How, span: Span) {
        let found = Use { coordinate: coordinate.into(), how, span: self.at_spread.unwrap_or(span) };
        if !self.uses.contains(&found) {
            self.uses.push(found);
        }
    }

    fn misfit<T>(&self, message: String, span: Span) -> Result<T, Misfit> {
        Err(Misfit { message, span: self.at_spread.unwrap_or(span) })
    }

    /// Returns a type of the schema; `None` for a scalar that needs no definition.
    fn named(&self, name: &str, at: Span) -> Result<Option<&'a Type>, Misfit> {
        match self.schema.get(name) {
            None if !["ID", "Int", "Float", "String", "Boolean"].contains(&name) => {
                self.misfit(format!("there is no type `{name}`"), at)
            }
            found => Ok(found),
        }
    }

    fn selections(&mut self, ty: &'a Type, all: impl Iterator<Item = Selection<'d>>) -> Result<(), Misfit> {
        for selection in all {
            match selection {
                Selection::Field(field) => self.field(ty, field)?,
                Selection::InlineFragment(fragment) => {
                    let at = span(fragment.type_condition_span().unwrap_or(fragment.selection_set_span()));
                    let ty = fragment.type_condition().map_or(Ok(ty), |name| self.condition(ty, name, at))?;
                    self.selections(ty, fragment.selection_set())?;
                }
                Selection::FragmentSpread(spread) => {
                    let (name, at) = (spread.fragment_name(), span(spread.fragment_name_span()));
                    let Some(fragment) = self.fragments.get(name).copied() else {
                        return self.misfit(format!("there is no fragment `{name}`"), at);
                    };
                    if self.spread.insert(name) {
                        let outer = self.at_spread;
                        if !self.own.contains(name) {
                            self.at_spread = outer.or(Some(at));
                        }
                        let at = span(fragment.type_condition_span());
                        let ty = self.condition(ty, fragment.type_condition(), at)?;
                        self.selections(ty, fragment.selection_set())?;
                        self.at_spread = outer;
                    }
                }
            }
        }
        Ok(())
    }

    /// Returns the type of a type condition.
    fn condition(&mut self, parent: &'a Type, name: &str, at: Span) -> Result<&'a Type, Misfit> {
        let Some(ty) = self.schema.get(name) else { return self.misfit(format!("there is no type `{name}`"), at) };
        let possible = self.schema.possible_types(parent);
        if !self.schema.possible_types(ty).iter().any(|ty| possible.contains(ty)) {
            return self.misfit(format!("a `{}` is never a `{name}`", parent.name), at);
        }
        self.add(name, How::Named, at);
        Ok(ty)
    }

    fn field(&mut self, ty: &'a Type, field: FieldSelection<'d>) -> Result<(), Misfit> {
        let (name, at) = (field.name(), span(field.name_span()));
        if name.starts_with("__") {
            return Ok(()); // introspection is the same in every version
        }
        let Some(defined) = ty.field(name) else {
            return self.misfit(format!("`{}` has no field `{name}`", ty.name), at);
        };
        let coordinate = coordinate::member(&ty.name, name);
        self.add(&coordinate, How::Named, at);
        let sent: Vec<(&str, Span, Value<'d>)> =
            field.arguments().map(|argument| (argument.name(), span(argument.name_span()), argument.value())).collect();
        if let Some((unknown, at, _)) = sent.iter().find(|(name, ..)| !defined.args.iter().any(|arg| arg.name == *name))
        {
            return self.misfit(format!("`{coordinate}` has no argument `{unknown}`"), *at);
        }
        self.inputs(&defined.args, &sent, at, |name| coordinate::argument(&coordinate, name));
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
    ) {
        for input in defined {
            let at = coordinate(&input.name);
            let Some((_, span, value)) = sent.iter().find(|(name, ..)| *name == input.name) else {
                self.add(at, How::LeftOut, owner);
                continue;
            };
            let may_be_null = value.is_null() || value.as_variable().is_some_and(|name| self.nullable.contains(&name));
            self.add(at, if may_be_null { How::SentFromNullable } else { How::Sent }, *span);
            self.value(self.schema.get(&input.ty.name), *value, *span);
        }
    }

    /// Adds what a value names: enum values, and the fields of input objects.
    fn value(&mut self, ty: Option<&'a Type>, value: Value<'d>, at: Span) {
        let Some(ty) = ty else { return };
        match (&ty.kind, value) {
            (_, Value::List(list)) => list.items().for_each(|item| self.value(Some(ty), item, at)),
            (Kind::Enum { .. }, Value::Enum(name)) => {
                self.add(coordinate::member(&ty.name, name.name()), How::Sent, span(name.span()));
            }
            (Kind::Input { fields, .. }, Value::Object(object)) => {
                self.add(&ty.name, How::Named, at);
                let sent: Vec<_> =
                    object.fields().map(|field| (field.name(), span(field.name_span()), field.value())).collect();
                self.inputs(fields, &sent, at, |name| coordinate::member(&ty.name, name));
            }
            _ => {}
        }
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
                if self.uses.iter().any(|found| found.coordinate == ty.name) {
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
