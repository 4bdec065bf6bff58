//! What is read off a right document in the visit of the rules: which coordinates of the schema it names, and which
//! variables its conditions look at.
//!
//! Coordinates are of all its operations and fragments, whatever the conditions in it: removing any of them would make the
//! document wrong as a whole, whichever part of it runs. What variables hold is known with the request.

use super::ast::{Argument, Directive, Fragment, Literal, Operation, Value, Variable};
use super::coordinate::CoordinateSet;
use super::model::Composite;
use super::visit::{Cx, Input, Owner, Rule, TypedField, TypedInline};

/// The coordinates that a document names.
#[derive(Default)]
pub(super) struct Named(pub CoordinateSet);

impl<'a> Rule<'a> for Named {
    fn operation(&mut self, cx: &mut Cx<'a>, operation: &'a Operation<'a>) {
        self.0.insert(cx.model.root(operation.kind).and_then(|root| root.coordinate));
    }

    fn fragment(&mut self, _: &mut Cx<'a>, _: &'a Fragment<'a>, on: Option<&'static Composite>) {
        self.0.insert(on.and_then(|on| on.coordinate));
    }

    fn variable(&mut self, cx: &mut Cx<'a>, variable: &'a Variable<'a>) {
        self.0.insert(cx.model.coordinates.number(variable.ty.name.text));
    }

    /// A field as the document sees it: `Node.id` where it asks a node for its id.
    fn field(&mut self, _: &mut Cx<'a>, TypedField { definition, .. }: TypedField<'a>) {
        self.0.insert(definition.and_then(|definition| definition.coordinate));
    }

    fn inline(&mut self, _: &mut Cx<'a>, TypedInline { inline, on, .. }: TypedInline<'a>) {
        self.0.insert(on.filter(|_| inline.on.is_some()).and_then(|on| on.coordinate));
    }

    fn arguments(&mut self, _: &mut Cx<'a>, arguments: &'a [Argument<'a>], owner: Owner<'a>) {
        for argument in arguments {
            self.0.insert(owner.argument(argument.name.text).and_then(|argument| argument.coordinate));
        }
    }

    fn inner_value(&mut self, cx: &mut Cx<'a>, value: &'a Value<'a>, input: Option<Input<'a>>) {
        let Some(input) = input else { return };
        match &value.literal {
            Literal::Enum(name) => {
                self.0.insert(cx.model.enum_value(input.name, name).and_then(|(_, coordinate)| coordinate));
            }
            Literal::Object(fields) => {
                let Some(object) = cx.model.input(input.name) else { return };
                for field in fields {
                    self.0.insert(object.field(field.name.text).and_then(|field| field.coordinate));
                }
            }
            _ => {}
        }
    }
}

/// The variables that `@skip` and `@include` look at: each combination of them has its own plan.
#[derive(Default)]
pub(super) struct Conditions<'a>(pub Vec<&'a str>);

impl<'a> Rule<'a> for Conditions<'a> {
    /// Directives, and so conditions, are limited to a small number.
    fn directives(&mut self, _: &mut Cx<'a>, directives: &'a [Directive<'a>], _: &'static str) {
        for directive in directives.iter().filter(|directive| wanted(directive).is_some()) {
            if let Some(Literal::Variable(name)) = directive.argument("if")
                && !self.0.contains(name)
            {
                self.0.push(name);
            }
        }
    }
}

/// What a directive wants its condition to be; `None` when it sets no condition.
pub(super) fn wanted(directive: &Directive<'_>) -> Option<bool> {
    match directive.name.text {
        "skip" => Some(false),
        "include" => Some(true),
        _ => None,
    }
}
