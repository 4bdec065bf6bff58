//! Output formats for findings.

mod github;
mod human;
mod json;
mod markdown;
mod sarif;

use super::branch::BranchChanges;
use super::finding::Findings;

/// An output format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Text with carets, for a terminal.
    Human,
    Json,
    /// Workflow commands, which GitHub shows at the changed lines.
    Github,
    /// SARIF 2.1.0, for code scanning.
    Sarif,
    /// A table, for a comment on a pull request.
    Markdown,
}

impl Format {
    /// Every format, with its name on the command line.
    pub const ALL: [(&'static str, Format); 5] = [
        ("human", Format::Human),
        ("json", Format::Json),
        ("github", Format::Github),
        ("sarif", Format::Sarif),
        ("markdown", Format::Markdown),
    ];
}

/// Writes what a branch changes, and findings, in Markdown.
pub fn write_with_changes(changes: Option<&BranchChanges>, findings: &Findings) -> String {
    changes.map(markdown::changes).unwrap_or_default() + &markdown::write(findings)
}

/// Writes findings in a format.
pub fn write(findings: &Findings, format: Format) -> String {
    match format {
        Format::Human => human::write(findings),
        Format::Json => json::write(findings),
        Format::Github => github::write(findings),
        Format::Sarif => sarif::write(findings),
        Format::Markdown => markdown::write(findings),
    }
}
