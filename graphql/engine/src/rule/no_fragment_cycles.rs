//! Fragments do not spread themselves, directly or indirectly.
//!
//! <https://spec.graphql.org/September2025/#sec-Fragment-Spreads-Must-Not-Form-Cycles>. Every spread is followed once.

use crate::error::Location;
use crate::uses::Uses;
use crate::visit::RuleContext;

/// A fragment on the current path of spreads.
struct Open {
    fragment: usize,
    /// The position of its next spread.
    next: usize,
}

#[derive(Clone, Copy, PartialEq)]
enum Visit {
    New,
    /// On the path, at this position.
    Open(usize),
    Done,
}

pub(super) fn check(cx: &mut RuleContext<'_>, uses: &Uses<'_>) {
    let mut visits = vec![Visit::New; uses.fragments.len()];
    for first in 0..uses.fragments.len() {
        if visits[first] != Visit::New {
            continue;
        }
        visits[first] = Visit::Open(0);
        // An explicit stack: the path may be longer than the call stack allows.
        let mut path = vec![Open { fragment: first, next: 0 }];
        while let Some(open) = path.last_mut() {
            let Some((fragment, _)) = uses.fragments[open.fragment].spreads.get(open.next).copied() else {
                visits[open.fragment] = Visit::Done;
                path.pop();
                continue;
            };
            open.next += 1;
            match visits[fragment] {
                Visit::New => {
                    visits[fragment] = Visit::Open(path.len());
                    path.push(Open { fragment, next: 0 });
                }
                Visit::Open(begin) => report(cx, uses, fragment, &path[begin..]),
                Visit::Done => {}
            }
        }
    }
}

#[cold]
fn report(cx: &mut RuleContext<'_>, uses: &Uses<'_>, fragment: usize, cycle: &[Open]) {
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

/// The maximum number of fragments that an error names.
const SHOWN_MAX: usize = 20;
