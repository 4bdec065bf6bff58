//! Fragments do not spread themselves, directly or through others.
//!
//! <https://spec.graphql.org/September2025/#sec-Fragment-Spreads-Must-Not-Form-Cycles>. Every spread is looked at once.

use crate::graphql::error::Location;
use crate::graphql::uses::Uses;
use crate::graphql::visit::Cx;

/// A fragment that is being looked at.
struct Open {
    fragment: usize,
    /// Which of its spreads comes next.
    next: usize,
}

pub(super) fn check(cx: &mut Cx<'_>, uses: &Uses<'_>) {
    let mut seen = vec![false; uses.fragments.len()];
    for first in 0..uses.fragments.len() {
        if std::mem::replace(&mut seen[first], true) {
            continue;
        }
        // The path of fragments to where we are: a list of its own, because it may be long.
        let mut path = vec![Open { fragment: first, next: 0 }];
        while let Some(open) = path.last_mut() {
            let Some((fragment, _)) = uses.fragments[open.fragment].spreads.get(open.next).copied() else {
                path.pop();
                continue;
            };
            open.next += 1;
            if !std::mem::replace(&mut seen[fragment], true) {
                path.push(Open { fragment, next: 0 });
            } else if let Some(begin) = path.iter().position(|open| open.fragment == fragment) {
                report(cx, uses, fragment, &path[begin..]);
            }
        }
    }
}

#[cold]
fn report(cx: &mut Cx<'_>, uses: &Uses<'_>, fragment: usize, cycle: &[Open]) {
    let spreads = cycle.iter().map(|open| uses.fragments[open.fragment].spreads[open.next - 1]);
    let (through, places): (Vec<usize>, Vec<Location>) = spreads.take(SHOWN_MAX).unzip();
    let document = cx.document;
    cx.errors.add(&places, || {
        let name = |fragment: usize| format!("\"{}\"", document.fragments[fragment].name.text);
        let via: Vec<String> = through[..through.len() - 1].iter().map(|fragment| name(*fragment)).collect();
        let via = if via.is_empty() { String::new() } else { format!(" via {}", via.join(", ")) };
        format!("Cannot spread fragment {} within itself{via}.", name(fragment))
    });
}

/// How many fragments of a cycle are told.
const SHOWN_MAX: usize = 20;
