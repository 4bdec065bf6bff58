//! JSON: an object with the counts and the findings. New versions only add fields.

use serde::Serialize;

use crate::check::finding::{Finding, Findings, Location, Severity};

#[derive(Serialize)]
struct Document<'a> {
    /// Changes only if a field changes its meaning.
    format: u32,
    errors: usize,
    warnings: usize,
    notes: usize,
    findings: Vec<Entry<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Entry<'a> {
    rule: &'a str,
    severity: &'static str,
    level: Option<&'static str>,
    coordinate: Option<&'a str>,
    message: &'a str,
    place: Option<Place<'a>>,
    related: Option<Place<'a>>,
    notes: &'a [String],
    help: Option<&'a str>,
    rule_page: String,
    /// The reason of the waiver that allows the finding.
    waived: Option<&'a str>,
    /// The waiver that would allow it.
    waiver: Option<&'a str>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Place<'a> {
    path: &'a str,
    line: usize,
    column: usize,
    end_line: usize,
    end_column: usize,
    label: &'a str,
}

pub(super) fn write(findings: &Findings) -> String {
    let document = Document {
        format: 1,
        errors: findings.count(Severity::Error),
        warnings: findings.count(Severity::Warning),
        notes: findings.count(Severity::Note),
        findings: findings.list().into_iter().map(|finding| entry(findings, finding)).collect(),
    };
    serde_json::to_string_pretty(&document).expect("texts and numbers can be written") + "\n"
}

fn entry<'a>(findings: &Findings, finding: &'a Finding) -> Entry<'a> {
    Entry {
        rule: finding.rule,
        severity: finding.severity.as_str(),
        level: finding.level.map(|level| level.as_str()),
        coordinate: finding.coordinate.as_deref(),
        message: &finding.message,
        place: finding.at.as_ref().and_then(|at| place(findings, at, &finding.label)),
        related: finding.related.as_ref().and_then(|(at, label)| place(findings, at, label)),
        notes: &finding.notes,
        help: finding.help.as_deref(),
        rule_page: findings.rule_address(finding.rule),
        waived: finding.waived.as_ref().map(|waived| &*waived.reason),
        waiver: finding.waiver.as_deref(),
    }
}

fn place<'a>(findings: &Findings, at: &'a Location, label: &'a str) -> Option<Place<'a>> {
    let position = findings.position(at)?;
    Some(Place {
        path: &at.path,
        line: position.line,
        column: position.column,
        end_line: position.end_line,
        end_column: position.end_column,
        label,
    })
}
