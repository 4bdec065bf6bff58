//! Variables that an operation defines are used by it.
//!
//! <https://spec.graphql.org/September2025/#sec-All-Variables-Used>

use super::Definitions;
use crate::graphql::ast::Operation;
use crate::graphql::visit::Cx;

pub(super) fn check<'a>(cx: &mut Cx<'a>, operation: &'a Operation<'a>, definitions: &Definitions<'a>) {
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
