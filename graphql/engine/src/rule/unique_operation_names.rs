//! No two operations have the same name.
//!
//! <https://spec.graphql.org/September2025/#sec-Operation-Name-Uniqueness>

use crate::ast::Operation;
use crate::error::Location;
use crate::small_map::SmallMap;
use crate::visit::{Rule, RuleContext};

#[derive(Default)]
pub(super) struct UniqueOperationNames<'a> {
    known: SmallMap<'a, Location>,
}

impl<'a> Rule<'a> for UniqueOperationNames<'a> {
    fn operation(&mut self, cx: &mut RuleContext<'a>, operation: &'a Operation<'a>) {
        let Some(name) = operation.name else { return };
        if let Some(first) = self.known.add(name.text, name.at) {
            let detail = || format!("There can be only one operation named \"{}\".", name.text);
            cx.errors.add(&[*first, name.at], detail);
        }
    }
}
