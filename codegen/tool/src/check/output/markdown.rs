//! Tables in GitHub's Markdown, for a comment on a pull request or the summary of a job.

use crate::check::branch::BranchChanges;
use crate::check::finding::{Finding, Findings};

/// The rows of a table, so that two of them fit into a comment of GitHub, which has 65,536 characters.
const ROWS_MAX: usize = 100;

pub(super) fn write(findings: &Findings) -> String {
    if findings.list().is_empty() {
        return "No findings.\n".to_owned();
    }
    format!("{}.\n\n{}", findings.counts(), table(findings, |finding| finding.severity.as_str()))
}

/// Writes what a branch changes.
pub(super) fn changes(changes: &BranchChanges) -> String {
    let BranchChanges { version, compared_with, findings } = changes;
    let counts = findings.count_levels();
    if counts.is_empty() {
        return format!("### {version}\n\nThis branch does not change it ({compared_with}).\n\n");
    }
    let table = table(findings, |finding| finding.level.map_or("", |level| level.as_str()));
    format!("### {version}\n\nThis branch changes it: {counts} ({compared_with}).\n\n{table}\n")
}

fn table(findings: &Findings, kind: impl Fn(&Finding) -> &'static str) -> String {
    let mut text = "| | Rule | Where | What |\n|---|---|---|---|\n".to_owned();
    let list = findings.list();
    for finding in list.iter().take(ROWS_MAX) {
        let what = [&finding.message].into_iter().chain(&finding.notes).chain(&finding.help);
        let what: Vec<String> = what.map(|text| cell(text)).collect();
        text.push_str(&format!(
            "| {} | {} | {} | {} |\n",
            kind(finding),
            rule(findings, finding.rule),
            location(findings, finding),
            what.join("<br>")
        ));
    }
    if list.len() > ROWS_MAX {
        text.push_str(&format!("\nAnd {} more.\n", list.len() - ROWS_MAX));
    }
    text
}

/// The name of a rule, which leads to its description if the address is known.
fn rule(findings: &Findings, id: &str) -> String {
    match findings.rules_page {
        Some(_) => format!("[`{id}`]({})", findings.rule_address(id)),
        None => format!("`{id}`"),
    }
}

fn location(findings: &Findings, finding: &Finding) -> String {
    let coordinate = finding.coordinate.as_ref().map(|coordinate| format!("`{}`", cell(coordinate)));
    let at = finding.at.as_ref().map(|at| match findings.position(at) {
        Some(position) => format!("{}:{}:{}", cell(&at.path), position.line, position.column),
        None => cell(&at.path),
    });
    coordinate.into_iter().chain(at).collect::<Vec<_>>().join("<br>")
}

/// Text that ends neither the cell nor the row.
fn cell(text: &str) -> String {
    text.replace('\\', "\\\\").replace('|', "\\|").replace('<', "&lt;").replace(['\n', '\r'], " ")
}
