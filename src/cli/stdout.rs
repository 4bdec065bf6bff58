//! What a command says on stdout: text for people, or one JSON object.

use std::io::{self, Write};

use serde::Serialize;

/// What the operator asked for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stdout {
    pub json: bool,
}

impl Stdout {
    /// Shows a result: the object with `--json`, else the text.
    pub fn show(self, object: &impl Serialize, text: impl FnOnce() -> String) -> io::Result<()> {
        let line = if self.json { serde_json::to_string(object)? } else { text() };
        let mut out = io::stdout().lock();
        let written = writeln!(out, "{}", line.trim_end_matches('\n')).and_then(|()| out.flush());
        match written {
            // Whoever reads has read enough, as in `key list | head -1`.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
            other => other,
        }
    }
}
