//! The text of findings: each with its line and a caret, and the counts.

use std::io::IsTerminal as _;
use std::{env, io};

use annotate_snippets::{Level, Renderer};

use crate::finding::{Finding, Findings, Location, Severity};
use dated_graphql_codegen::drawing::{Drawing, Mark};

/// Returns a renderer for stdout: in colour on a terminal, unless NO_COLOR is set (https://no-color.org).
#[allow(clippy::disallowed_methods)] // a build tool without settings
pub(crate) fn for_stdout() -> Renderer {
    let is_plain = env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    if io::stdout().is_terminal() && !is_plain { Renderer::styled() } else { Renderer::plain() }
}

/// Writes findings as text.
pub fn write(findings: &Findings, renderer: &Renderer) -> String {
    let mut text: String = findings.list().into_iter().map(|finding| draw(findings, finding, renderer)).collect();
    text.extend(findings.closing.iter().map(|sentence| format!("{sentence}\n")));
    text.push_str(&format!("{}\n", findings.counts()));
    text
}

fn draw(findings: &Findings, finding: &Finding, renderer: &Renderer) -> String {
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
    drawing.draw(renderer)
}

fn mark<'a>(findings: &'a Findings, at: &'a Location, label: &'a str) -> Option<Mark<'a>> {
    let (source, lines) = findings.text(&at.path)?;
    Some(Mark { path: &at.path, source, lines, span: at.span, label })
}
