//! The exit codes that CI reads, and the error of a command that could not run.

use std::error::Error;
use std::io::{self, Write as _};
use std::process::ExitCode;

use crate::finding::Findings;
use crate::output;

/// The result of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    Ok,
    /// The command could not run.
    ToolFailed,
    /// Generated files differ from the schema.
    Stale,
    /// There are errors to fix.
    Findings,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        match exit {
            Exit::Ok => ExitCode::SUCCESS,
            Exit::ToolFailed => ExitCode::from(1),
            Exit::Stale => ExitCode::from(4),
            Exit::Findings => ExitCode::from(100),
        }
    }
}

/// Why a command could not run.
#[derive(Debug)]
pub(crate) enum Failure {
    /// An error with its sources.
    Message(String),
    /// The errors of files that were to be read.
    Mistakes(Findings),
}

impl Failure {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self::Message(message.into())
    }
}

impl From<Findings> for Failure {
    fn from(findings: Findings) -> Self {
        Self::Mistakes(findings)
    }
}

impl<E: Error> From<E> for Failure {
    fn from(error: E) -> Self {
        let mut text = error.to_string();
        let mut cause = error.source();
        while let Some(error) = cause {
            text = format!("{text}: {error}");
            cause = error.source();
        }
        Self::Message(text)
    }
}

/// Writes findings to standard output.
pub(crate) fn print_findings(findings: &Findings) -> Result<(), Failure> {
    print(&output::write(findings, &output::for_stdout()))
}

/// Writes a long text to standard output. A reader that has enough, such as `head`, is not an error.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    match io::stdout().write_all(text.as_bytes()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(()),
    }
}
