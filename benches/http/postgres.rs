//! A PostgreSQL server of our own, so that the processor time of all its processes can be counted.

use std::process::Command;

use tempfile::TempDir;

use crate::database::execute;
use crate::process::on_first_core;

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/.ci/postgres");

/// A server on the first core, with fsync; stopped when dropped.
pub(crate) struct Postgres {
    folder: TempDir,
    pub url: String,
    /// The process id of the postmaster, whose children are all processes of the server.
    pub id: u32,
}

impl Postgres {
    pub(crate) fn start() -> Self {
        let folder = TempDir::new().expect("a folder");
        let output = on_first_core("bash").args([SCRIPT, "start"]).arg(folder.path()).output().expect("bash runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let url = String::from_utf8(output.stdout).expect("text").trim().to_owned();
        let pid_file = std::fs::read_to_string(folder.path().join("data/postmaster.pid"));
        let id = pid_file.ok().and_then(|text| text.lines().next()?.parse().ok()).expect("a process id");
        Self { folder, url, id }
    }

    /// Turns autovacuum on, with a look at every database each 10 seconds, or off.
    pub(crate) fn set_autovacuum(&self, on: bool) {
        execute(&self.url, &format!("ALTER SYSTEM SET autovacuum = {on}"));
        execute(&self.url, "ALTER SYSTEM SET autovacuum_naptime = '10s'");
        execute(&self.url, "SELECT pg_reload_conf()");
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        let _ = Command::new("bash").args([SCRIPT, "stop"]).arg(self.folder.path()).status();
    }
}
