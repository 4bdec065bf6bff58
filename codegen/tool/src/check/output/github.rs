//! Workflow commands of GitHub Actions: `::error file=…,line=…::message`, which GitHub shows at the line. Source: GitHub's
//! documentation, "Workflow commands for GitHub Actions".

use crate::check::finding::{Findings, Severity};

pub(super) fn write(findings: &Findings) -> String {
    let mut text = String::new();
    for finding in findings.list() {
        let command = match finding.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "notice",
        };
        let mut properties = vec![];
        if let Some(at) = &finding.at {
            properties.push(("file", at.path.clone()));
            if let Some(position) = findings.position(at) {
                properties.push(("line", position.line.to_string()));
                properties.push(("col", position.column.to_string()));
                properties.push(("endLine", position.end_line.to_string()));
                properties.push(("endColumn", position.end_column.to_string()));
            }
        }
        properties.push(("title", finding.rule.to_owned()));
        let properties: Vec<String> =
            properties.into_iter().map(|(name, value)| format!("{name}={}", property(&value))).collect();
        let mut message = vec![finding.message.clone()];
        message.extend(finding.notes.iter().cloned());
        message.extend(finding.help.clone());
        message.push(findings.rule_address(finding.rule));
        text.push_str(&format!("::{command} {}::{}\n", properties.join(","), data(&message.join("\n"))));
    }
    text
}

/// What comes after `::` ends at the line.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// A property ends at `,` or `:` too.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
