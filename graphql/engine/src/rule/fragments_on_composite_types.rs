//! Type conditions of fragments are objects, interfaces or unions.
//!
//! <https://spec.graphql.org/September2025/#sec-Fragments-on-Object-Interface-or-Union-Types>

use crate::ast::Fragment;
use crate::definition::Type;
use crate::visit::{Rule, RuleContext, TypedInline};

#[derive(Default)]
pub(super) struct FragmentsOnCompositeTypes;

impl<'a> Rule<'a> for FragmentsOnCompositeTypes {
    fn fragment(&mut self, cx: &mut RuleContext<'a>, fragment: &'a Fragment<'a>, on: Option<&'static Type>) {
        if on.is_none() && cx.model.ty(fragment.on.text).is_some() {
            let (name, on) = (fragment.name.text, fragment.on);
            let detail = || format!("Fragment \"{name}\" cannot condition on non composite type \"{}\".", on.text);
            cx.errors.add(&[on.at], detail);
        }
    }

    fn inline(&mut self, cx: &mut RuleContext<'a>, TypedInline { inline, on, .. }: TypedInline<'a>) {
        let Some(name) = inline.on.filter(|_| on.is_none()) else { return };
        if cx.model.ty(name.text).is_some() {
            let detail = || format!("Fragment cannot condition on non composite type \"{}\".", name.text);
            cx.errors.add(&[name.at], detail);
        }
    }
}
