//! Findings written down: for people, and for the tools that show them to people.

mod github;
mod human;
mod json;
mod junit;
mod markdown;
mod sarif;

use super::finding::Findings;

/// A way to write findings down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Pictures with carets.
    Human,
    Json,
    /// Workflow commands, which GitHub shows beside the changed lines.
    Github,
    /// SARIF 2.1.0, for code scanning.
    Sarif,
    /// JUnit's XML, which every CI shows.
    Junit,
    /// A table, for a comment on a pull request.
    Markdown,
}

impl Format {
    /// Every format, with the name that the command line gives it.
    pub const ALL: [(&'static str, Format); 6] = [
        ("human", Format::Human),
        ("json", Format::Json),
        ("github", Format::Github),
        ("sarif", Format::Sarif),
        ("junit", Format::Junit),
        ("markdown", Format::Markdown),
    ];
}

/// Writes findings down. The same findings always give the same text.
pub fn write(findings: &Findings, format: Format) -> String {
    match format {
        Format::Human => human::write(findings),
        Format::Json => json::write(findings),
        Format::Github => github::write(findings),
        Format::Sarif => sarif::write(findings),
        Format::Junit => junit::write(findings),
        Format::Markdown => markdown::write(findings),
    }
}
