//! Visits a document once and calls the rules for each part, with type information.
//!
//! The parts are visited in document order. A fragment is visited once, at its definition and not at its spreads, so the visit
//! takes time linear in the document.

use std::fmt;

use dated_graphql_syntax::{Wrap, write_type};

use super::ast::{
    Argument, Directive, Document, Field, Fragment, Inline, Literal, Operation, OperationKind, Selection, SelectionSet,
    Spread, Value, Variable,
};
use super::code;
use super::definition::{DirectiveDefinition, FieldDefinition, InputDefinition, Type};
use super::error::{Location, REFUSAL_ERRORS_MAX, Refusal, RefusalError};
use super::limit::Limits;
use super::model::Model;

/// What rules look things up in and report errors to.
pub(super) struct RuleContext<'a> {
    pub model: &'static Model,
    pub document: &'a Document<'a>,
    pub limits: &'a Limits,
    pub errors: Errors,
}

/// The first errors of a document, and the number of further ones.
#[derive(Default)]
pub(super) struct Errors {
    pub list: Vec<RefusalError>,
    more: usize,
}

/// The position of a value.
#[derive(Clone, Copy, Debug)]
pub(super) struct Input<'a> {
    /// The wrappers around the named type, outermost first.
    pub wrap: &'a [Wrap],
    pub name: &'a str,
    /// Whether the schema defines a default.
    pub has_default: bool,
    /// The OneOf input type that defines this field, if any.
    pub one_of: Option<&'a str>,
}

/// The owner of arguments.
#[derive(Clone, Copy)]
pub(super) enum Owner<'a> {
    Field(&'static Type, &'static FieldDefinition),
    Directive(&'static DirectiveDefinition, &'a Directive<'a>),
    /// Not defined by the schema.
    Unknown,
}

/// A field with type information.
#[derive(Clone, Copy)]
pub(super) struct TypedField<'a> {
    pub field: &'a Field<'a>,
    /// The type of the enclosing selection set.
    pub parent: Option<&'static Type>,
    pub definition: Option<&'static FieldDefinition>,
}

/// An inline fragment with type information.
#[derive(Clone, Copy)]
pub(super) struct TypedInline<'a> {
    pub inline: &'a Inline<'a>,
    /// The type of the enclosing selection set.
    pub parent: Option<&'static Type>,
    /// The type of its selection set.
    pub on: Option<&'static Type>,
}

/// A rule, or a collector of facts, called during the visit.
pub(super) trait Rule<'a> {
    fn operation(&mut self, _: &mut RuleContext<'a>, _: &'a Operation<'a>) {}

    fn fragment(&mut self, _: &mut RuleContext<'a>, _: &'a Fragment<'a>, _on: Option<&'static Type>) {}

    fn variable(&mut self, _: &mut RuleContext<'a>, _: &'a Variable<'a>) {}

    fn field(&mut self, _: &mut RuleContext<'a>, _: TypedField<'a>) {}

    fn inline(&mut self, _: &mut RuleContext<'a>, _: TypedInline<'a>) {}

    fn spread(&mut self, _: &mut RuleContext<'a>, _: &'a Spread<'a>, _parent: Option<&'static Type>) {}

    /// Called for the directives at one location; `place` is its name in the specification (`FIELD`).
    fn directives(&mut self, _: &mut RuleContext<'a>, _: &'a [Directive<'a>], _place: &'static str) {}

    /// Called for all arguments of a field or directive that has some.
    fn arguments(&mut self, _: &mut RuleContext<'a>, _: &'a [Argument<'a>], _: Owner<'a>) {}

    /// Called for the value of an argument or the default of a variable.
    fn value(&mut self, _: &mut RuleContext<'a>, _: &'a Value<'a>, _: Option<Input<'a>>) {}

    /// Called for each value, including list items and object fields.
    fn inner_value(&mut self, _: &mut RuleContext<'a>, _: &'a Value<'a>, _: Option<Input<'a>>) {}
}

impl Errors {
    /// Adds an error. `detail` is called only if the error is kept.
    #[cold]
    pub(super) fn add(&mut self, locations: &[Location], detail: impl FnOnce() -> String) {
        if self.list.len() == REFUSAL_ERRORS_MAX {
            self.more += 1;
            return;
        }
        let mut error = RefusalError::new(code::GRAPHQL_VALIDATION_FAILED, detail());
        error.locations = locations.to_vec();
        self.list.push(error);
    }

    /// Returns the number of errors.
    pub(super) fn count(&self) -> usize {
        self.list.len() + self.more
    }

    /// Returns the refusal if there are errors, in document order.
    pub(super) fn refuse(mut self) -> Result<(), Refusal> {
        self.list.sort_by(|a, b| a.locations.cmp(&b.locations));
        if self.list.is_empty() { Ok(()) } else { Err(Refusal::from_errors(self.list, self.more)) }
    }
}

impl<'a> Input<'a> {
    /// The position of an argument or input field.
    pub(super) fn new(definition: &'static InputDefinition) -> Self {
        let InputDefinition { ty, default, .. } = definition;
        Self { wrap: &ty.wrap, name: ty.name, has_default: default.is_some(), one_of: None }
    }

    /// Returns the wrappers without an outer non-null.
    pub(super) fn nullable(&self) -> &'a [Wrap] {
        match self.wrap {
            [Wrap::NonNull, inner @ ..] => inner,
            wrap => wrap,
        }
    }

    /// Returns whether the type is non-null.
    pub(super) fn is_non_null(&self) -> bool {
        self.wrap.first() == Some(&Wrap::NonNull)
    }

    /// Returns whether the type is a list.
    pub(super) fn is_list(&self) -> bool {
        self.nullable().first() == Some(&Wrap::List)
    }

    /// Returns the position of the items of a list here. If no list is expected, items have the type itself.
    pub(super) fn item(&self) -> Self {
        let wrap = match self.nullable() {
            [Wrap::List, inner @ ..] => inner,
            wrap => wrap,
        };
        Self { wrap, name: self.name, has_default: false, one_of: None }
    }

    /// Returns the position of an input field here, or `None` if the type does not define it.
    pub(super) fn field(&self, model: &'static Model, name: &str) -> Option<Self> {
        let object = model.input(self.name)?;
        let one_of = object.one_of.then_some(self.name);
        object.field(name).map(|field| Self { one_of, ..Self::new(field) })
    }
}

impl fmt::Display for Input<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_type(f, self.wrap, self.name)
    }
}

/// Returns the name of an operation's directive location.
fn place(kind: OperationKind) -> &'static str {
    match kind {
        OperationKind::Query => "QUERY",
        OperationKind::Mutation => "MUTATION",
        OperationKind::Subscription => "SUBSCRIPTION",
    }
}

/// Visits every definition of a document.
pub(super) fn visit<'a>(cx: &mut RuleContext<'a>, rule: &mut impl Rule<'a>) {
    let document = cx.document;
    let mut visit = Visit { cx, rule };
    for operation in &document.operations {
        visit.operation(operation);
    }
    for fragment in &document.fragments {
        let on = visit.cx.model.composite(fragment.on.text);
        visit.rule.fragment(visit.cx, fragment, on);
        visit.directives(&fragment.directives, "FRAGMENT_DEFINITION");
        visit.set(&fragment.set, on);
    }
}

struct Visit<'v, 'a, R> {
    cx: &'v mut RuleContext<'a>,
    rule: &'v mut R,
}

impl<'a, R: Rule<'a>> Visit<'_, 'a, R> {
    fn operation(&mut self, operation: &'a Operation<'a>) {
        self.rule.operation(self.cx, operation);
        for variable in &operation.variables {
            self.rule.variable(self.cx, variable);
            if let Some(default) = &variable.default {
                let (wrap, name) = (&*variable.ty.wrap, variable.ty.name.text);
                let input = Input { wrap, name, has_default: false, one_of: None };
                self.value(default, Some(input).filter(|_| self.cx.model.is_input(name)));
            }
            self.directives(&variable.directives, "VARIABLE_DEFINITION");
        }
        self.directives(&operation.directives, place(operation.kind));
        self.set(&operation.set, self.cx.model.root(operation.kind));
    }

    /// The recursion is bounded by the nesting limit.
    fn set(&mut self, set: &'a SelectionSet<'a>, parent: Option<&'static Type>) {
        for item in &set.items {
            match item {
                Selection::Field(field) => self.field(field, parent),
                Selection::Spread(spread) => {
                    self.rule.spread(self.cx, spread, parent);
                    self.directives(&spread.directives, "FRAGMENT_SPREAD");
                }
                Selection::Inline(inline) => {
                    let on = inline.on.map_or(parent, |on| self.cx.model.composite(on.text));
                    self.rule.inline(self.cx, TypedInline { inline, parent, on });
                    self.directives(&inline.directives, "INLINE_FRAGMENT");
                    self.set(&inline.set, on);
                }
            }
        }
    }

    fn field(&mut self, field: &'a Field<'a>, parent: Option<&'static Type>) {
        let model = self.cx.model;
        let definition = parent.and_then(|parent| model.field(parent, field.name));
        field.definition.set(definition);
        self.rule.field(self.cx, TypedField { field, parent, definition });
        let owner = match (parent, definition) {
            (Some(parent), Some(definition)) => Owner::Field(parent, definition),
            _ => Owner::Unknown,
        };
        self.arguments(&field.arguments, owner);
        self.directives(&field.directives, "FIELD");
        if let Some(set) = &field.set {
            self.set(set, definition.and_then(|definition| model.type_of(definition)));
        }
    }

    fn directives(&mut self, directives: &'a [Directive<'a>], place: &'static str) {
        if directives.is_empty() {
            return;
        }
        self.rule.directives(self.cx, directives, place);
        for directive in directives {
            let definition = self.cx.model.directive(directive.name.text);
            let owner = definition.map_or(Owner::Unknown, |definition| Owner::Directive(definition, directive));
            self.arguments(&directive.arguments, owner);
        }
    }

    fn arguments(&mut self, arguments: &'a [Argument<'a>], owner: Owner<'a>) {
        if arguments.is_empty() {
            return;
        }
        self.rule.arguments(self.cx, arguments, owner);
        for argument in arguments {
            self.value(&argument.value, owner.argument(argument.name.text).map(Input::new));
        }
    }

    fn value(&mut self, value: &'a Value<'a>, input: Option<Input<'a>>) {
        self.rule.value(self.cx, value, input);
        self.inner_value(value, input);
    }

    /// The recursion is bounded by the nesting limit.
    fn inner_value(&mut self, value: &'a Value<'a>, input: Option<Input<'a>>) {
        self.rule.inner_value(self.cx, value, input);
        match &value.literal {
            Literal::List(items) => items.iter().for_each(|item| self.inner_value(item, input.map(|i| i.item()))),
            Literal::Object(fields) => {
                let model = self.cx.model;
                for field in fields {
                    let place = input.and_then(|input| input.field(model, field.name.text));
                    self.inner_value(&field.value, place);
                }
            }
            _ => {}
        }
    }
}

impl Owner<'_> {
    /// Returns the definition of the argument called `name`.
    pub(super) fn argument(&self, name: &str) -> Option<&'static InputDefinition> {
        self.definitions().iter().find(|definition| definition.name == name)
    }

    /// Returns the defined arguments.
    pub(super) fn definitions(&self) -> &'static [InputDefinition] {
        match self {
            Owner::Field(_, definition) => &definition.arguments,
            Owner::Directive(definition, _) => &definition.arguments,
            Owner::Unknown => &[],
        }
    }
}
