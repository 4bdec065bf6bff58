//! What a command says on stdout: text for people, or one JSON object.

use std::io::{self, Write};

use serde::Serialize;

/// What the operator asked for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stdout {
    pub json: bool,
    /// Name of the database that the command changes; None for a command that only reads.
    pub database: Option<&'static str>,
}

impl Stdout {
    /// The same for a command that changes this database.
    pub fn of_database(self, name: String) -> Self {
        // A process runs one command: the name is kept until it ends.
        Self { database: Some(Box::leak(name.into_boxed_str())), ..self }
    }

    /// Shows a result: the object with `--json`, else the text. A change names its database: in the object, or on stderr.
    pub fn show(self, object: &impl Serialize, text: impl FnOnce() -> String) -> io::Result<()> {
        let line = match self.database {
            _ if !self.json => text(),
            None => serde_json::to_string(object)?,
            Some(database) => with_database(object, database)?,
        };
        let mut out = io::stdout().lock();
        let written = writeln!(out, "{}", line.trim_end_matches('\n')).and_then(|()| out.flush());
        match written {
            // Whoever reads has read enough, as in `key list | head -1`.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {}
            other => other?,
        }
        if let Some(database) = self.database.filter(|_| !self.json) {
            // With stderr closed there is nobody to tell.
            let _ = writeln!(io::stderr(), "Database: {database}");
        }
        Ok(())
    }
}

/// The JSON of an object, with the member `database`.
fn with_database(object: &impl Serialize, database: &str) -> io::Result<String> {
    let mut object = serde_json::to_value(object)?;
    if let Some(members) = object.as_object_mut() {
        members.insert("database".to_owned(), database.into());
    }
    Ok(serde_json::to_string(&object)?)
}
