//! An operation uses the variables that it defines.
//!
//! <https://spec.graphql.org/September2025/#sec-All-Variables-Used>

use super::Definitions;
use crate::ast::Operation;
use crate::visit::RuleContext;

pub(super) fn check<'a>(cx: &mut RuleContext<'a>, operation: &'a Operation<'a>, definitions: &Definitions<'a>) {
    for variable in &operation.variables {
        let name = variable.name.text;
        if definitions.get(name).is_some_and(|definition| !definition.used) {
            cx.errors.add(&[variable.at], || match operation.name {
                Some(of) => format!("Variable \"${name}\" is never used in operation \"{}\".", of.text),
                None => format!("Variable \"${name}\" is never used."),
            });
        }
    }
}
