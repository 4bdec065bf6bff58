//! Operations are of a kind that the schema has. Subscriptions are none: the service tells by webhook.

use async_graphql::parser::types::{ExecutableDocument, OperationType};

use super::invalid;
use crate::graphql::error::RefusalError;

pub(super) fn check(document: &ExecutableDocument, errors: &mut Vec<RefusalError>) {
    for (_, operation) in document.operations.iter() {
        if operation.node.ty == OperationType::Subscription {
            errors.push(invalid("The schema has no subscriptions.").at(operation.pos));
        }
    }
}
