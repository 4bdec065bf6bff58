//! An operation defines the variables that it uses.
//!
//! <https://spec.graphql.org/September2025/#sec-All-Variable-Uses-Defined>

use super::Definitions;
use crate::ast::Operation;
use crate::uses::Use;
use crate::visit::RuleContext;

pub(super) fn check(
    cx: &mut RuleContext<'_>,
    operation: &Operation<'_>,
    definitions: &Definitions<'_>,
    used: &Use<'_>,
) {
    if definitions.get(used.name).is_none() {
        cx.errors.add(&[used.at, operation.at], || match operation.name {
            Some(of) => format!("Variable \"${}\" is not defined by operation \"{}\".", used.name, of.text),
            None => format!("Variable \"${}\" is not defined.", used.name),
        });
    }
}
