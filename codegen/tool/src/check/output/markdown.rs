//! A table in GitHub's Markdown, for a comment on a pull request or the summary of a job.

use crate::check::finding::{Finding, Findings};

pub(super) fn write(findings: &Findings) -> String {
    let list = findings.list();
    if list.is_empty() {
        return "No findings.\n".to_owned();
    }
    let mut text = format!("{}.\n\n", findings.counts());
    text.push_str("| | Rule | Where | What |\n|---|---|---|---|\n");
    for finding in list {
        let what = [&finding.message].into_iter().chain(&finding.notes).chain(&finding.help);
        let what: Vec<String> = what.map(|text| cell(text)).collect();
        text.push_str(&format!(
            "| {} | {} | {} | {} |\n",
            finding.severity.as_str(),
            rule(findings, finding.rule),
            location(findings, finding),
            what.join("<br>")
        ));
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
