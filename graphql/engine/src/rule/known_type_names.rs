//! Types named in a document exist in the schema.
//!
//! <https://spec.graphql.org/September2025/#sec-Fragment-Spread-Type-Existence>; for variables
//! <https://spec.graphql.org/September2025/#sec-Variables-Are-Input-Types>.

use super::did_you_mean;
use crate::ast::{Fragment, Name, Variable};
use crate::model::{Composite, META};
use crate::visit::{Rule, RuleContext, TypedInline};

#[derive(Default)]
pub(super) struct KnownTypeNames;

impl<'a> Rule<'a> for KnownTypeNames {
    fn fragment(&mut self, cx: &mut RuleContext<'a>, fragment: &'a Fragment<'a>, on: Option<&'static Composite>) {
        if on.is_none() {
            check(cx, fragment.on);
        }
    }

    fn variable(&mut self, cx: &mut RuleContext<'a>, variable: &'a Variable<'a>) {
        check(cx, variable.ty.name);
    }

    fn inline(&mut self, cx: &mut RuleContext<'a>, TypedInline { inline, on, .. }: TypedInline<'a>) {
        if let (Some(name), None) = (inline.on, on) {
            check(cx, name);
        }
    }
}

fn check(cx: &mut RuleContext<'_>, name: Name<'_>) {
    if cx.model.ty(name.text).is_none() {
        let known = || cx.model.schema.types.iter().chain(&META.types).map(|ty| &*ty.name);
        let detail = || format!("Unknown type \"{}\".{}", name.text, did_you_mean("", name.text, known()));
        cx.errors.add(&[name.at], detail);
    }
}
