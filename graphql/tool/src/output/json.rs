//! JSON: an object with the counts and the findings. New versions only add fields; `format` changes if a field changes its
//! meaning.

use serde_json::{Value, json};

use crate::finding::{Finding, Findings, Location, Severity};

pub(super) fn write(findings: &Findings) -> String {
    let list: Vec<Value> = findings.list().into_iter().map(|finding| entry(findings, finding)).collect();
    let document = json!({
        "format": 1,
        "errors": findings.count(Severity::Error),
        "warnings": findings.count(Severity::Warning),
        "notes": findings.count(Severity::Note),
        "findings": list,
    });
    format!("{document:#}\n")
}

fn entry(findings: &Findings, finding: &Finding) -> Value {
    json!({
        "rule": finding.rule,
        "severity": finding.severity.as_str(),
        "level": finding.level,
        "coordinate": finding.coordinate,
        "message": finding.message,
        "place": finding.at.as_ref().and_then(|at| place(findings, at, &finding.label)),
        "related": finding.related.as_ref().and_then(|(at, label)| place(findings, at, label)),
        "notes": finding.notes,
        "help": finding.help,
        // The waiver that would allow it.
        "waiver": finding.waiver,
    })
}

fn place(findings: &Findings, at: &Location, label: &str) -> Option<Value> {
    let position = findings.position(at)?;
    Some(json!({
        "path": at.path,
        "line": position.line,
        "column": position.column,
        "endLine": position.end_line,
        "endColumn": position.end_column,
        "label": label,
    }))
}
