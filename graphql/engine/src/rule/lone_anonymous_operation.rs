//! An anonymous operation is the only operation of its document.
//!
//! <https://spec.graphql.org/September2025/#sec-Lone-Anonymous-Operation>

use crate::ast::Operation;
use crate::visit::{Rule, RuleContext};

#[derive(Default)]
pub(super) struct LoneAnonymousOperation;

impl<'a> Rule<'a> for LoneAnonymousOperation {
    fn operation(&mut self, cx: &mut RuleContext<'a>, operation: &'a Operation<'a>) {
        if operation.name.is_none() && cx.document.operations.len() > 1 {
            let detail = || "This anonymous operation must be the only defined operation.".to_owned();
            cx.errors.add(&[operation.at], detail);
        }
    }
}
