//! Directives exist in the schema and are allowed at their location.
//!
//! <https://spec.graphql.org/September2025/#sec-Directives-Are-Defined>,
//! <https://spec.graphql.org/September2025/#sec-Directives-Are-in-Valid-Locations>

use crate::ast::Directive;
use crate::visit::{Rule, RuleContext};

#[derive(Default)]
pub(super) struct KnownDirectives;

impl<'a> Rule<'a> for KnownDirectives {
    fn directives(&mut self, cx: &mut RuleContext<'a>, directives: &'a [Directive<'a>], place: &'static str) {
        for directive in directives {
            let name = directive.name.text;
            match cx.model.directive(name) {
                None => cx.errors.add(&[directive.at], || format!("Unknown directive \"@{name}\".")),
                Some(definition) if !definition.locations.contains(&place) => {
                    let detail = || format!("Directive \"@{name}\" may not be used on {place}.");
                    cx.errors.add(&[directive.at], detail);
                }
                Some(_) => {}
            }
        }
    }
}
