//! The text of findings for a terminal: each with its line and a caret, and the counts.

use annotate_snippets::Level;

use crate::finding::{Finding, Findings, Location, Severity};
use dated_graphql_codegen::drawing::{Drawing, Mark};

/// Writes findings as text.
pub fn write(findings: &Findings) -> String {
    let mut text: String = findings.list().into_iter().map(|finding| drawing(findings, finding)).collect();
    text.extend(findings.closing.iter().map(|sentence| format!("{sentence}\n")));
    text.push_str(&format!("{}\n", findings.counts()));
    text
}

fn drawing(findings: &Findings, finding: &Finding) -> String {
    let level = match finding.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    };
    let mut notes = finding.notes.clone();
    notes.extend(finding.waiver.as_ref().map(|waiver| format!("to allow it, add to schema/project.toml:\n{waiver}")));
    let drawing = Drawing {
        level,
        id: Some(finding.rule),
        title: &finding.message,
        primary: finding.at.as_ref().and_then(|at| mark(findings, at, &finding.label)),
        related: finding.related.as_ref().and_then(|(at, label)| mark(findings, at, label)),
        notes: &notes,
        help: finding.help.as_deref(),
    };
    drawing.draw()
}

fn mark<'a>(findings: &'a Findings, at: &'a Location, label: &'a str) -> Option<Mark<'a>> {
    let (source, lines) = findings.text(&at.path)?;
    Some(Mark { path: &at.path, source, lines, span: at.span, label })
}
