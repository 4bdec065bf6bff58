//! Operations are of a kind that the schema has.
//!
//! <https://spec.graphql.org/September2025/#sec-Operation-Type-Existence>. There are no subscriptions here: the
//! service has webhooks.

use crate::graphql::ast::{Operation, OperationKind};
use crate::graphql::visit::{Cx, Rule};

#[derive(Default)]
pub(super) struct KnownOperationTypes;

impl<'a> Rule<'a> for KnownOperationTypes {
    fn operation(&mut self, cx: &mut Cx<'a>, operation: &'a Operation<'a>) {
        if cx.model.root(operation.kind).is_none() {
            let kind = match operation.kind {
                OperationKind::Query => "query",
                OperationKind::Mutation => "mutation",
                OperationKind::Subscription => "subscription",
            };
            cx.errors.add(&[operation.at], || format!("The {kind} operation is not supported by the schema."));
        }
    }
}
