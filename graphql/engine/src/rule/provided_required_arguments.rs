//! Required arguments are given.
//!
//! <https://spec.graphql.org/September2025/#sec-Required-Arguments>

use crate::ast::Directive;
use crate::definition::InputDefinition;
use crate::visit::{Rule, RuleContext, TypedField};

#[derive(Default)]
pub(super) struct ProvidedRequiredArguments;

impl<'a> Rule<'a> for ProvidedRequiredArguments {
    fn field(&mut self, cx: &mut RuleContext<'a>, TypedField { field, definition, .. }: TypedField<'a>) {
        let Some(definition) = definition else { return };
        for required in definition.arguments.iter().filter(|argument| argument.required()) {
            if !field.arguments.iter().any(|given| given.name.text == required.name) {
                let name = field.name;
                cx.errors.add(&[field.at], || format!("Field \"{name}\" {}", missing(required)));
            }
        }
    }

    fn directives(&mut self, cx: &mut RuleContext<'a>, directives: &'a [Directive<'a>], _: &'static str) {
        for directive in directives {
            let name = directive.name.text;
            let Some(definition) = cx.model.directive(name) else { continue };
            for required in definition.arguments.iter().filter(|argument| argument.required()) {
                if directive.argument(required.name).is_none() {
                    cx.errors.add(&[directive.at], || format!("Directive \"@{name}\" {}", missing(required)));
                }
            }
        }
    }
}

fn missing(argument: &InputDefinition) -> String {
    let InputDefinition { name, ty, .. } = argument;
    format!("argument \"{name}\" of type \"{ty}\" is required, but it was not provided.")
}
