//! Each fragment is reached from an operation.
//!
//! <https://spec.graphql.org/September2025/#sec-Fragments-Must-Be-Used>

use crate::uses::{Used, Uses};
use crate::visit::RuleContext;

pub(super) fn check(cx: &mut RuleContext<'_>, uses: &Uses<'_>) {
    let document = cx.document;
    let spreads = uses.operations.iter().flat_map(|operation| operation.spreads.iter().copied()).collect();
    let mut used = vec![false; document.fragments.len()];
    for fragment in uses.reached(&Used { variables: vec![], spreads }) {
        used[fragment] = true;
    }
    for fragment in &document.fragments {
        let name = fragment.name.text;
        // A spread finds the first of two fragments with the same name; both count as used.
        if document.fragment(name).is_none_or(|(first, _)| !used[first]) {
            cx.errors.add(&[fragment.at], || format!("Fragment \"{name}\" is never used."));
        }
    }
}
