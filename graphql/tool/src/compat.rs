//! Compatibility: decides which changes are errors and which are warnings. [`dated_graphql_schema::diff`] finds and describes them.

use dated_graphql_schema::coordinate;
use dated_graphql_schema::diff::{self, Change, Level, Pair, affected};

use crate::deprecated_before_removal::reason;
use crate::finding::{Finding, Location, Severity};
use crate::registry;

/// The rules of members that can be deprecated before they are removed.
pub(crate) const DEPRECATABLE: [&str; 4] =
    ["field-removed", "argument-removed", "input-field-removed", "enum-value-removed"];

/// Returns every change between two schemas by the level of its kind: the output of `cargo schema diff`.
pub fn compare(pair: Pair<'_>) -> Vec<Finding> {
    diff::find(pair).iter().map(|change| finding(pair, change)).collect()
}

/// Returns every change from a published version to the next: the output of `cargo schema check`.
pub fn compare_published(pair: Pair<'_>) -> Vec<Finding> {
    let changes = diff::find(pair);
    changes.iter().map(|change| weigh_removal(pair, change, finding(pair, change))).collect()
}

/// Makes an announced removal a warning, and the removal of an element that was not deprecated a `removed-without-deprecation`.
fn weigh_removal(pair: Pair<'_>, change: &Change, finding: Finding) -> Finding {
    if change.rule.level == Level::Safe {
        return finding;
    }
    let version = pair.old.version();
    if let Some(deprecated) = reason(pair, change) {
        let reason = deprecated.map(|reason| format!(": {reason}")).unwrap_or_default();
        return Finding { severity: Severity::Warning, ..finding.note(format!("{version} announced it{reason}")) };
    }
    if !DEPRECATABLE.contains(&change.rule.id) {
        return finding;
    }
    let help = format!(
        "keep it in {}, deprecated with a reason and a replacement, and remove it in the version after",
        pair.new.version()
    );
    let message = format!("{}, and {version} did not deprecate it", finding.message);
    Finding { rule: "removed-without-deprecation", message, ..finding.help(help) }
}

/// Converts a change by the level of its kind.
pub(crate) fn finding(pair: Pair<'_>, change: &Change) -> Finding {
    let Change { rule, coordinate, message, old, new, .. } = change;
    let mut finding = Finding::new(rule.id, registry::severity(rule.level), message).coordinate(coordinate);
    finding.help = rule.help.map(str::to_owned);
    finding.level = Some(rule.level);
    finding.affected = affected(pair, change);
    finding.notes.push(rule.reason.to_owned());
    let label = match coordinate::parent(coordinate) {
        _ if !change.removed => "here".to_owned(),
        Some(around) => format!("it is gone from `{around}`"),
        None => "it is gone".to_owned(),
    };
    let old = old.map(|span| Location { path: pair.old.path.clone(), span });
    match new {
        Some(span) => {
            finding = finding.at(&pair.new.path, *span, label);
            finding.related = old.map(|at| (at, format!("as it was in {}", pair.old.version())));
        }
        None => {
            finding.label = "it stood here".to_owned();
            finding.at = old;
        }
    }
    finding
}
