//! A PostgreSQL that a test can stop and start.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The server; stopped when it is dropped.
pub struct Cluster {
    folder: PathBuf,
    pub url: String,
    port: String,
}

impl Cluster {
    /// Starts a server with its data in `folder`. Blocks.
    pub fn start(folder: &Path) -> Self {
        // PostgreSQL runs as another user, who has to get there.
        std::fs::set_permissions(folder, std::fs::Permissions::from_mode(0o711)).expect("the folder is ours");
        let folder = folder.join("postgres");
        let url = script(&["start", &folder.display().to_string()]);
        Self::new(folder, url)
    }

    /// Copies the server, and starts the copy as its standby. Blocks.
    pub fn start_standby(&self) -> Self {
        let folder = self.folder.with_file_name("standby");
        let url = script(&["standby", &folder.display().to_string(), &self.folder.display().to_string()]);
        Self::new(folder, url)
    }

    fn new(folder: PathBuf, url: String) -> Self {
        let port = url::Url::parse(&url).expect("an address").port().expect("it has a port").to_string();
        Self { folder, url, port }
    }

    /// Returns `host:port`.
    pub fn address(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    /// Makes the standby a primary. Blocks.
    pub fn promote(&self) {
        script(&["promote", &self.folder.display().to_string()]);
    }

    /// Kills every process of the server. Blocks.
    pub fn kill(&self) {
        script(&["kill", &self.folder.display().to_string()]);
    }

    /// Ends the server as a crash does: SIGQUIT, no checkpoint, and nothing more is written. Blocks.
    pub fn crash(&self) {
        script(&["stop", &self.folder.display().to_string(), "immediate"]);
    }

    /// Breaks every connection, and refuses new ones. Blocks.
    pub fn stop(&self) {
        script(&["stop", &self.folder.display().to_string()]);
    }

    /// Starts it again with its data. Blocks.
    pub fn resume(&self) {
        script(&["start", &self.folder.display().to_string(), &self.port]);
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        let _ = run(&["stop", &self.folder.display().to_string()]);
    }
}

fn run(arguments: &[&str]) -> std::process::Output {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/.ci/postgres");
    Command::new("bash").arg(script).args(arguments).output().expect("bash runs")
}

/// Runs `.ci/postgres`; returns its output.
fn script(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8").trim().to_owned()
}
