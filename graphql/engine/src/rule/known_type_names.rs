//! Types named in a document exist in the schema.
//!
//! <https://spec.graphql.org/September2025/#sec-Fragment-Spread-Type-Existence>; for variables
//! <https://spec.graphql.org/September2025/#sec-Variables-Are-Input-Types>.

use super::did_you_mean;
use crate::ast::{Fragment, Name, Variable};
use crate::definition::Type;
use crate::visit::{Rule, RuleContext, TypedInline};

#[derive(Default)]
pub(super) struct KnownTypeNames;

impl<'a> Rule<'a> for KnownTypeNames {
    fn fragment(&mut self, cx: &mut RuleContext<'a>, fragment: &'a Fragment<'a>, on: Option<&'static Type>) {
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
        let model = cx.model;
        let detail = || format!("Unknown type \"{}\".{}", name.text, did_you_mean("", name.text, model.type_names()));
        cx.errors.add(&[name.at], detail);
    }
}
