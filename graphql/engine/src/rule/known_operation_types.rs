//! The schema has a root type for each operation.
//!
//! <https://spec.graphql.org/September2025/#sec-Operation-Type-Existence>. The schema has no
//! subscriptions.

use crate::ast::{Operation, OperationKind};
use crate::visit::{Rule, RuleContext};

#[derive(Default)]
pub(super) struct KnownOperationTypes;

impl<'a> Rule<'a> for KnownOperationTypes {
    fn operation(&mut self, cx: &mut RuleContext<'a>, operation: &'a Operation<'a>) {
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
