//! Collects the schema coordinates that a document uses, and the variables of its conditions, during validation.
//!
//! All operations and fragments count, with any conditions: removing any coordinate from the schema would make the whole
//! document invalid. Coordinates inside variables are collected when the request's variables are coerced.

use super::ast::{Argument, Directive, Fragment, Literal, Operation, Value, Variable};
use super::coordinate::CoordinateSet;
use super::definition::Type;
use super::visit::{Input, Owner, Rule, RuleContext, TypedField, TypedInline};

/// The coordinates that a document uses.
#[derive(Default)]
pub(super) struct UsedCoordinates(pub CoordinateSet);

impl<'a> Rule<'a> for UsedCoordinates {
    fn operation(&mut self, cx: &mut RuleContext<'a>, operation: &'a Operation<'a>) {
        self.0.insert(cx.model.root(operation.kind).and_then(|root| root.coordinate));
    }

    fn fragment(&mut self, _: &mut RuleContext<'a>, _: &'a Fragment<'a>, on: Option<&'static Type>) {
        self.0.insert(on.and_then(|on| on.coordinate));
    }

    fn variable(&mut self, cx: &mut RuleContext<'a>, variable: &'a Variable<'a>) {
        self.0.insert(cx.model.ty(variable.ty.name.text).and_then(|ty| ty.coordinate));
    }

    /// A field of an interface counts as the interface's: `Node.id`.
    fn field(&mut self, _: &mut RuleContext<'a>, TypedField { definition, .. }: TypedField<'a>) {
        self.0.insert(definition.and_then(|definition| definition.coordinate));
    }

    fn inline(&mut self, _: &mut RuleContext<'a>, TypedInline { inline, on, .. }: TypedInline<'a>) {
        self.0.insert(on.filter(|_| inline.on.is_some()).and_then(|on| on.coordinate));
    }

    fn arguments(&mut self, _: &mut RuleContext<'a>, arguments: &'a [Argument<'a>], owner: Owner<'a>) {
        for argument in arguments {
            self.0.insert(owner.argument(argument.name.text).and_then(|argument| argument.coordinate));
        }
    }

    fn inner_value(&mut self, cx: &mut RuleContext<'a>, value: &'a Value<'a>, input: Option<Input<'a>>) {
        let Some(input) = input else { return };
        match &value.literal {
            Literal::Enum(name) => {
                self.0.insert(cx.model.enum_value(input.name, name).and_then(|value| value.coordinate));
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

/// The variables of `@skip` and `@include`: each combination of their values has its own plan.
#[derive(Default)]
pub(super) struct Conditions<'a>(pub Vec<&'a str>);

impl<'a> Rule<'a> for Conditions<'a> {
    /// The number of directives is limited, so a list is searched.
    fn directives(&mut self, _: &mut RuleContext<'a>, directives: &'a [Directive<'a>], _: &'static str) {
        for directive in directives.iter().filter(|directive| wanted(directive).is_some()) {
            if let Some(Literal::Variable(name)) = directive.argument("if")
                && !self.0.contains(name)
            {
                self.0.push(name);
            }
        }
    }
}

/// Returns the value of `if` that keeps the selection; `None` for other directives.
pub(super) fn wanted(directive: &Directive<'_>) -> Option<bool> {
    match directive.name.text {
        "skip" => Some(false),
        "include" => Some(true),
        _ => None,
    }
}
