//! Finds the changes between two schemas. Called by the checks of `cargo schema` and by the changelog of the reference.

use super::compare::compare;
use super::element::{Compared, Pair};
use super::rule::{Rule, rules_of};
use crate::diagnostic::Span;

/// One change between two schemas.
#[derive(Clone, Debug)]
pub struct Change {
    /// The kind of change.
    pub rule: &'static Rule,
    /// The schema coordinate; see [`crate::coordinate`].
    pub coordinate: String,
    /// What changed, in one line.
    pub message: String,
    /// Its span in the old file.
    pub old: Option<Span>,
    /// Its span in the new file; for a removal, that of its parent.
    pub new: Option<Span>,
    /// Whether the element is only in the old schema.
    pub removed: bool,
    /// The deprecation reason in the old schema.
    pub deprecated: Option<String>,
}

/// Returns every change from the old schema to the new one, in the order of the old.
pub fn find(pair: Pair<'_>) -> Vec<Change> {
    let compared = compare(pair);
    compared.iter().flat_map(|compared| rules_of(&compared.element).filter_map(|rule| change(rule, compared))).collect()
}

fn change(rule: &'static Rule, compared: &Compared<'_>) -> Option<Change> {
    let message = (rule.describe)(compared)?;
    let (old, new) = compared.spans(rule.aspect);
    Some(Change {
        rule,
        coordinate: compared.coordinate.clone(),
        message,
        old,
        new,
        removed: compared.presence().removed().is_some(),
        deprecated: compared.deprecated().map(str::to_owned),
    })
}
