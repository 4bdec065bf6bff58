//! A fragment is spread where its type condition can apply.
//!
//! <https://spec.graphql.org/September2025/#sec-Fragment-Spread-Is-Possible>

use crate::ast::Spread;
use crate::definition::Type;
use crate::visit::{Rule, RuleContext, TypedInline};

#[derive(Default)]
pub(super) struct PossibleFragmentSpreads;

impl<'a> Rule<'a> for PossibleFragmentSpreads {
    fn inline(&mut self, cx: &mut RuleContext<'a>, TypedInline { inline, parent, on }: TypedInline<'a>) {
        if let (Some(parent), Some(on)) = (parent, on)
            && !parent.overlaps(on)
        {
            cx.errors.add(&[inline.at], || format!("Fragment {}", never(parent, on)));
        }
    }

    fn spread(&mut self, cx: &mut RuleContext<'a>, spread: &'a Spread<'a>, parent: Option<&'static Type>) {
        let fragment = cx.document.fragment(spread.name.text);
        let on = fragment.and_then(|(_, fragment)| cx.model.composite(fragment.on.text));
        if let (Some(parent), Some(on)) = (parent, on)
            && !parent.overlaps(on)
        {
            cx.errors.add(&[spread.at], || format!("Fragment \"{}\" {}", spread.name.text, never(parent, on)));
        }
    }
}

fn never(parent: &Type, on: &Type) -> String {
    let (parent, on) = (parent.name, on.name);
    format!("cannot be spread here as objects of type \"{parent}\" can never be of type \"{on}\".")
}
