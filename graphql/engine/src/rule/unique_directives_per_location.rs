//! A directive occurs at most once at a location, unless it is repeatable.
//!
//! <https://spec.graphql.org/September2025/#sec-Directives-Are-Unique-per-Location>. The number of
//! directives is limited, so each is compared with those before it.

use crate::ast::Directive;
use crate::visit::{Rule, RuleContext};

#[derive(Default)]
pub(super) struct UniqueDirectivesPerLocation;

impl<'a> Rule<'a> for UniqueDirectivesPerLocation {
    fn directives(&mut self, cx: &mut RuleContext<'a>, directives: &'a [Directive<'a>], _: &'static str) {
        for (i, directive) in directives.iter().enumerate().skip(1) {
            let name = directive.name.text;
            let first = directives[..i].iter().find(|first| first.name.text == name);
            let is_unique = cx.model.directive(name).is_some_and(|definition| !definition.repeatable);
            if let Some(first) = first.filter(|_| is_unique) {
                let detail = || format!("The directive \"@{name}\" can only be used once at this location.");
                cx.errors.add(&[first.at, directive.at], detail);
            }
        }
    }
}
