//! The result of a command on stdout: text for people, or one JSON object with `--json`. Neither holds a character that a
//! terminal would obey.

use std::io::{self, Write};

use serde::Serialize;

use super::failure::CliFailure;
use super::table::{escaped, escaped_json};

/// How to print a result.
#[derive(Clone, Copy, Debug)]
pub(super) struct Output {
    pub json: bool,
    /// The name of the database that the command changes; `None` for a command that only reads.
    pub database: Option<&'static str>,
}

impl Output {
    /// Names the database that the command changes.
    pub(super) fn of_database(self, name: String) -> Self {
        // A process runs one command, so the leak is bounded.
        Self { database: Some(Box::leak(name.into_boxed_str())), ..self }
    }

    /// Prints the object with `--json`, otherwise the text. A change also names its database, in the object or on stderr.
    pub(super) fn show(self, object: &impl Serialize, text: impl FnOnce() -> String) -> Result<(), CliFailure> {
        let line = match self.database {
            _ if !self.json => escaped(&text()),
            None => escaped_json(&serde_json::to_string(object).map_err(io::Error::from)?),
            Some(database) => escaped_json(&with_database(object, database)?),
        };
        let mut out = io::stdout().lock();
        let written = writeln!(out, "{}", line.trim_end_matches('\n')).and_then(|()| out.flush());
        match written {
            // The reader closed the pipe, as in `key list | head -1`.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {}
            other => other?,
        }
        if let Some(database) = self.database.filter(|_| !self.json) {
            // A closed stderr loses the line.
            let _ = writeln!(io::stderr(), "Database: {database}");
        }
        Ok(())
    }
}

/// Returns the object as JSON with the member `database`.
fn with_database(object: &impl Serialize, database: &str) -> io::Result<String> {
    let mut object = serde_json::to_value(object)?;
    if let Some(members) = object.as_object_mut() {
        members.insert("database".to_owned(), database.into());
    }
    Ok(serde_json::to_string(&object)?)
}
