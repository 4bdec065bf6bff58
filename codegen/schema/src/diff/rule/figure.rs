//! Changes of the figures in a description, wherever it is.

use super::definition::{BREAKING, DANGEROUS, Rule};
use crate::diff::element::{Aspect, Compared};
use crate::figure::{Figure, FigureChanges};

const NOTE: Option<&str> =
    Some("Other tools do not read the figures of a description; a partner's program relies on them.");

pub(super) const RULES: &[Rule] = &[
    Rule {
        id: "limit-tightened",
        summary: "A limit in a description allows less, or is new.",
        reason: "A request that was valid is refused.",
        help: Some("keep the wider limit, or see docs/adding-a-version.md, \"A limit that differs\""),
        note: NOTE,
        aspect: Aspect::Description,
        describe: |compared| {
            let tightened = changes(compared)?.tightened.into_iter().map(|(old, new)| match old {
                Some(old) => format!("a limit of `{}` was {old} and is {new}", compared.coordinate),
                None => format!("`{}` has a new limit: {new}", compared.coordinate),
            });
            joined(tightened)
        },
        ..BREAKING
    },
    Rule {
        id: "limit-loosened",
        summary: "A limit in a description allows more.",
        reason: "A client that keeps such a value has no room for a longer one.",
        note: NOTE,
        aspect: Aspect::Description,
        describe: |compared| {
            let loosened = changes(compared)?.loosened.into_iter();
            joined(loosened.map(|(old, new)| format!("a limit of `{}` was {old} and is {new}", compared.coordinate)))
        },
        ..DANGEROUS
    },
    Rule {
        id: "limit-removed",
        summary: "A limit is no longer in the description.",
        reason: "A client no longer knows which values are refused, and which it can receive.",
        note: NOTE,
        aspect: Aspect::Description,
        describe: |compared| {
            let removed = changes(compared)?.removed.into_iter();
            joined(removed.map(|old| format!("a limit of `{}` was removed: {old}", compared.coordinate)))
        },
        ..DANGEROUS
    },
    Rule {
        id: "figure-changed",
        summary: "A figure in a description changed that is not a limit, such as a time or a default.",
        reason: "A client may be written for it.",
        note: NOTE,
        aspect: Aspect::Description,
        describe: |compared| {
            let shown = |figure: Option<Figure>| figure.map_or("none".to_owned(), |figure| figure.to_string());
            let changed = changes(compared)?.changed.into_iter();
            joined(changed.map(|(old, new)| {
                format!("a figure of `{}` was {} and is {}", compared.coordinate, shown(old), shown(new))
            }))
        },
        ..DANGEROUS
    },
];

fn changes(compared: &Compared<'_>) -> Option<FigureChanges> {
    let (old, new) = compared.descriptions()?;
    (old != new).then(|| FigureChanges::between(old, new))
}

/// Joins the messages about one description.
fn joined(messages: impl Iterator<Item = String>) -> Option<String> {
    let messages: Vec<String> = messages.collect();
    (!messages.is_empty()).then(|| messages.join("; "))
}
