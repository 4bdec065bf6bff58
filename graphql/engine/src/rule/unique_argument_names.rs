//! No two arguments of a field or directive have the same name.
//!
//! <https://spec.graphql.org/September2025/#sec-Argument-Uniqueness>

use super::report_repeated;
use crate::ast::Argument;
use crate::visit::{Owner, Rule, RuleContext};

#[derive(Default)]
pub(super) struct UniqueArgumentNames;

impl<'a> Rule<'a> for UniqueArgumentNames {
    fn arguments(&mut self, cx: &mut RuleContext<'a>, arguments: &'a [Argument<'a>], _: Owner<'a>) {
        report_repeated(cx, arguments.iter().map(|argument| argument.name), |name| {
            format!("There can be only one argument named \"{name}\".")
        });
    }
}
