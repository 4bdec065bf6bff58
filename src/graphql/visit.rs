//! Goes over a checked-for-size document once, and tells every rule what it meets, with its type.
//!
//! Rules are told in the order of the document and see no fragment in the place where it is spread: a fragment is visited
//! once, as a definition, so that the visit takes time linear in the document.

use std::fmt;

use schema::model::Wrap;

use super::ast::{
    Argument, Directive, Document, Field, Fragment, Inline, Literal, Operation, OperationKind, Selection, SelectionSet,
    Spread, Value, Variable, write_type,
};
use super::code;
use super::error::{Location, Refusal, RefusalError};
use super::model::{Composite, DirectiveDefinition, FieldDefinition, InputDefinition, Model};
use crate::base::limits::REFUSAL_ERRORS_MAX;

/// What every rule looks things up in, and where it reports what is wrong.
pub(super) struct Cx<'a> {
    pub model: &'static Model,
    pub document: &'a Document<'a>,
    pub errors: Errors,
}

/// What is wrong with a document: the first errors, and how many more there are.
#[derive(Default)]
pub(super) struct Errors {
    pub list: Vec<RefusalError>,
    more: usize,
}

/// A place in which a value stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Input<'a> {
    /// Its type: what is wrapped around the named type, outermost first.
    pub wrap: &'a [Wrap],
    pub name: &'a str,
    /// Whether the schema has a default for it.
    pub has_default: bool,
    /// The OneOf input type of which it is a field.
    pub one_of: Option<&'a str>,
}

/// What arguments are given to.
#[derive(Clone, Copy)]
pub(super) enum Owner<'a> {
    Field(&'static Composite, &'static FieldDefinition),
    Directive(&'static DirectiveDefinition, &'a Directive<'a>),
    /// Something that the schema does not have.
    Unknown,
}

/// A field with what the schema knows of it.
#[derive(Clone, Copy)]
pub(super) struct TypedField<'a> {
    pub field: &'a Field<'a>,
    /// The type of the selection set that the field is in.
    pub parent: Option<&'static Composite>,
    pub definition: Option<&'static FieldDefinition>,
}

/// An inline fragment with what the schema knows of it.
#[derive(Clone, Copy)]
pub(super) struct TypedInline<'a> {
    pub inline: &'a Inline<'a>,
    /// The type of the selection set that the fragment is in.
    pub parent: Option<&'static Composite>,
    /// The type of its own selection set.
    pub on: Option<&'static Composite>,
}

/// A rule, or whatever else is read off a document on the way.
pub(super) trait Rule<'a> {
    fn operation(&mut self, _: &mut Cx<'a>, _: &'a Operation<'a>) {}

    fn fragment(&mut self, _: &mut Cx<'a>, _: &'a Fragment<'a>, _on: Option<&'static Composite>) {}

    fn variable(&mut self, _: &mut Cx<'a>, _: &'a Variable<'a>) {}

    fn field(&mut self, _: &mut Cx<'a>, _: TypedField<'a>) {}

    fn inline(&mut self, _: &mut Cx<'a>, _: TypedInline<'a>) {}

    fn spread(&mut self, _: &mut Cx<'a>, _: &'a Spread<'a>, _parent: Option<&'static Composite>) {}

    /// The directives of one part of the document; `place` is its name among the locations of directives.
    fn directives(&mut self, _: &mut Cx<'a>, _: &'a [Directive<'a>], _place: &'static str) {}

    /// All arguments of one owner.
    fn arguments(&mut self, _: &mut Cx<'a>, _: &'a [Argument<'a>], _: Owner<'a>) {}

    /// The value of an argument, or the default of a variable; what it holds is told to `inner_value`.
    fn value(&mut self, _: &mut Cx<'a>, _: &'a Value<'a>, _: Option<Input<'a>>) {}

    /// A value, or a part of one.
    fn inner_value(&mut self, _: &mut Cx<'a>, _: &'a Value<'a>, _: Option<Input<'a>>) {}
}

impl Errors {
    /// Adds an error; `detail` is made only where it is going to be shown.
    #[cold]
    pub fn add(&mut self, locations: &[Location], detail: impl FnOnce() -> String) {
        if self.list.len() == REFUSAL_ERRORS_MAX {
            self.more += 1;
            return;
        }
        let mut error = RefusalError::new(code::GRAPHQL_VALIDATION_FAILED, detail());
        error.locations = locations.to_vec();
        self.list.push(error);
    }

    /// How many errors there are.
    pub fn count(&self) -> usize {
        self.list.len() + self.more
    }

    /// The refusal, where there is an error; in the order of the document.
    pub fn refuse(mut self) -> Result<(), Refusal> {
        self.list.sort_by(|a, b| a.locations.cmp(&b.locations));
        if self.list.is_empty() { Ok(()) } else { Err(Refusal::of(self.list, self.more)) }
    }
}

impl<'a> Input<'a> {
    /// The place of an argument, or of a field of an input type.
    pub fn of(definition: &'static InputDefinition) -> Self {
        let InputDefinition { ty, default, .. } = definition;
        Self { wrap: &ty.wrap, name: &ty.name, has_default: default.is_some(), one_of: None }
    }

    /// Its type without the mark that null is no value of it.
    pub fn nullable(&self) -> &'a [Wrap] {
        match self.wrap {
            [Wrap::NonNull, inner @ ..] => inner,
            wrap => wrap,
        }
    }

    /// Whether null is no value of its type.
    pub fn is_non_null(&self) -> bool {
        self.wrap.first() == Some(&Wrap::NonNull)
    }

    /// Whether its type is a list.
    pub fn is_list(&self) -> bool {
        self.nullable().first() == Some(&Wrap::List)
    }

    /// The place of an item of a list that stands here. One that stands where no list is expected is taken for an item.
    pub fn item(&self) -> Self {
        let wrap = match self.nullable() {
            [Wrap::List, inner @ ..] => inner,
            wrap => wrap,
        };
        Self { wrap, name: self.name, has_default: false, one_of: None }
    }

    /// The place of a field of an object that stands here; `None` where the type has no such field.
    pub fn field(&self, model: &'static Model, name: &str) -> Option<Self> {
        let object = model.input(self.name)?;
        let one_of = object.one_of.then_some(self.name);
        object.field(name).map(|field| Self { one_of, ..Self::of(field) })
    }
}

impl fmt::Display for Input<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_type(f, self.wrap, self.name)
    }
}

/// The name that a kind of operation has among the locations of directives.
fn place(kind: OperationKind) -> &'static str {
    match kind {
        OperationKind::Query => "QUERY",
        OperationKind::Mutation => "MUTATION",
        OperationKind::Subscription => "SUBSCRIPTION",
    }
}

/// Visits every definition of a document.
pub(super) fn visit<'a>(cx: &mut Cx<'a>, rule: &mut impl Rule<'a>) {
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
    cx: &'v mut Cx<'a>,
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

    /// Sets nest as deep as brackets may.
    fn set(&mut self, set: &'a SelectionSet<'a>, parent: Option<&'static Composite>) {
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

    fn field(&mut self, field: &'a Field<'a>, parent: Option<&'static Composite>) {
        let model = self.cx.model;
        let definition = parent.and_then(|parent| model.field(parent, field.name.text));
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
        self.rule.arguments(self.cx, arguments, owner);
        for argument in arguments {
            self.value(&argument.value, owner.argument(argument.name.text).map(Input::of));
        }
    }

    fn value(&mut self, value: &'a Value<'a>, input: Option<Input<'a>>) {
        self.rule.value(self.cx, value, input);
        self.inner_value(value, input);
    }

    /// Lists and objects nest as deep as brackets may.
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
    /// The definition of the argument called `name`.
    pub fn argument(&self, name: &str) -> Option<&'static InputDefinition> {
        self.definitions().iter().find(|definition| definition.name == name)
    }

    /// The arguments that it has.
    pub fn definitions(&self) -> &'static [InputDefinition] {
        match self {
            Owner::Field(_, definition) => &definition.arguments,
            Owner::Directive(definition, _) => &definition.arguments,
            Owner::Unknown => &[],
        }
    }
}
