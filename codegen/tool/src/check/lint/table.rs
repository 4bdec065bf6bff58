//! All rules of lint, and how their findings count. Called by the checks and by the registry of rules.

use std::collections::BTreeSet;

use super::definition::Rule;
use super::{deprecation, description, mutation, name, relay, structure};
use crate::check::finding::{Finding, Severity};
use schema::coordinate;
use schema::diff::{self, Pair};
use schema::sdl::Sdl;

/// Every rule, in the order of docs/schema-rules.md.
pub static RULES: &[&Rule] = &[
    &description::MISSING,
    &description::SENTENCE,
    &description::LIMIT_STATED,
    &name::TYPE_NAME,
    &name::INPUT_NAME,
    &name::FIELD_NAME,
    &name::ENUM_VALUE_NAME,
    &structure::LIST_ITEM_NULL,
    &relay::NODE_ID,
    &relay::CONNECTION_SHAPE,
    &relay::CONNECTION_ARGUMENTS,
    &relay::EDGE_SHAPE,
    &relay::PAGE_INFO_SHAPE,
    &mutation::MUTATION_PAYLOAD,
    &mutation::USER_ERROR_SHAPE,
    &deprecation::REASON,
    &deprecation::REPLACEMENT,
    &structure::TYPE_UNREACHABLE,
];

/// Which findings are errors: all, or those in what changed since another schema.
pub enum Scope<'a> {
    Everything,
    Since(&'a Sdl),
}

/// Returns everything that the rules find in a schema.
pub fn lint(sdl: &Sdl, scope: &Scope<'_>) -> Vec<Finding> {
    let changed: BTreeSet<String> = match scope {
        Scope::Everything => BTreeSet::new(),
        Scope::Since(old) => diff::find(Pair { old, new: sdl }).into_iter().map(|change| change.coordinate).collect(),
    };
    let is_old = |at: &str| match scope {
        Scope::Everything => false,
        // All of an added element is new; of a changed one, only the element itself.
        Scope::Since(old) => !std::iter::successors(Some(at), |at| coordinate::parent(at))
            .any(|around| changed.contains(around) && (around == at || old.spans.get(around).is_none())),
    };
    let mut findings = vec![];
    for rule in RULES {
        let mut hits = vec![];
        (rule.check)(sdl, &mut hits);
        for hit in hits {
            let severity = if is_old(&hit.coordinate) { Severity::Warning } else { Severity::Error };
            let name = sdl.spans.get(&hit.coordinate).map(|spans| spans.name);
            let span = hit.span.or(name).unwrap_or_else(|| sdl.top());
            let finding = Finding::new(rule.id, severity, hit.message).coordinate(&hit.coordinate);
            findings.push(Finding { help: hit.help, ..finding.at(&sdl.path, span, hit.label) });
        }
    }
    findings
}
