//! How a command ends: the exit codes that CI reads, and why the tool could not do its work.

use std::error::Error;
use std::process::ExitCode;

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    Fine,
    /// The tool could not do its work.
    Tool,
    /// Generated files do not say what the schema says.
    Stale,
    /// There is something to mend.
    Findings,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        match exit {
            Exit::Fine => ExitCode::SUCCESS,
            Exit::Tool => ExitCode::from(1),
            Exit::Stale => ExitCode::from(4),
            Exit::Findings => ExitCode::from(100),
        }
    }
}

/// Why a command could not do its work, with every cause.
#[derive(Debug)]
pub struct Failure(pub String);

impl<E: Error> From<E> for Failure {
    fn from(error: E) -> Self {
        let mut text = error.to_string();
        let mut cause = error.source();
        while let Some(error) = cause {
            text = format!("{text}: {error}");
            cause = error.source();
        }
        Self(text)
    }
}
