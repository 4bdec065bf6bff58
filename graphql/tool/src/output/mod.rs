//! Output formats for findings.

mod json;
mod sarif;
mod text;

use crate::finding::Findings;

/// An output format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// Text with carets, for a terminal.
    Text,
    Json,
    /// SARIF 2.1.0, for code scanning.
    Sarif,
}

/// Writes findings in a format.
pub fn write(findings: &Findings, format: Format) -> String {
    match format {
        Format::Text => text::write(findings),
        Format::Json => json::write(findings),
        Format::Sarif => sarif::write(findings),
    }
}
