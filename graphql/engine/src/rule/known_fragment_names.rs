//! Spread fragments exist.
//!
//! <https://spec.graphql.org/September2025/#sec-Fragment-Spread-Target-Defined>

use crate::ast::Spread;
use crate::definition::Type;
use crate::visit::{Rule, RuleContext};

#[derive(Default)]
pub(super) struct KnownFragmentNames;

impl<'a> Rule<'a> for KnownFragmentNames {
    fn spread(&mut self, cx: &mut RuleContext<'a>, spread: &'a Spread<'a>, _: Option<&'static Type>) {
        let name = spread.name;
        if cx.document.fragment(name.text).is_none() {
            cx.errors.add(&[name.at], || format!("Unknown fragment \"{}\".", name.text));
        }
    }
}
