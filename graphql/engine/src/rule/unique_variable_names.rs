//! No two variables of an operation have the same name.
//!
//! <https://spec.graphql.org/September2025/#sec-Variable-Uniqueness>

use super::report_repeated;
use crate::ast::Operation;
use crate::visit::{Rule, RuleContext};

#[derive(Default)]
pub(super) struct UniqueVariableNames;

impl<'a> Rule<'a> for UniqueVariableNames {
    fn operation(&mut self, cx: &mut RuleContext<'a>, operation: &'a Operation<'a>) {
        report_repeated(cx, operation.variables.iter().map(|variable| variable.name), |name| {
            format!("There can be only one variable named \"${name}\".")
        });
    }
}
