//! An operation without a name is the only one.
//!
//! <https://spec.graphql.org/September2025/#sec-Lone-Anonymous-Operation>

use crate::graphql::ast::Operation;
use crate::graphql::visit::{Cx, Rule};

#[derive(Default)]
pub(super) struct LoneAnonymousOperation;

impl<'a> Rule<'a> for LoneAnonymousOperation {
    fn operation(&mut self, cx: &mut Cx<'a>, operation: &'a Operation<'a>) {
        if operation.name.is_none() && cx.document.operations.len() > 1 {
            let detail = || "This anonymous operation must be the only defined operation.".to_owned();
            cx.errors.add(&[operation.at], detail);
        }
    }
}
