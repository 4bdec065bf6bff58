//! PgBouncer in front of a PostgreSQL, with `pool_mode = transaction`, for the tests of a pooler and for its rows in
//! `benches/http`.

use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use url::Url;

/// A running PgBouncer; stopped when it is dropped.
pub(crate) struct PgBouncer {
    pub(crate) child: Child,
    command: Command,
    port: u16,
    /// The address of the database through the pooler.
    pub(crate) url: String,
}

impl PgBouncer {
    /// Starts the program of `command` with these settings in addition, for the database at this address. Its file of settings
    /// is in `folder`. Blocks.
    pub(crate) fn start(mut command: Command, folder: &Path, database: &str, settings: &str) -> Self {
        let postgres = Url::parse(database).expect("an address");
        let listener = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr());
        let port = listener.expect("a free port").port();
        let file = folder.join("pgbouncer.ini");
        let text = format!(
            "[databases]\n* = host=127.0.0.1 port={} user=postgres\n[pgbouncer]\nlisten_addr = 127.0.0.1\n\
             listen_port = {port}\nauth_type = any\nuser = postgres\npool_mode = transaction\nmax_client_conn = 500\n{settings}",
            postgres.port().expect("it has a port"),
        );
        std::fs::write(&file, text).expect("the folder is ours");
        let url = format!("postgres://postgres@127.0.0.1:{port}{}", postgres.path());
        command.arg("--quiet").arg(file).stdin(Stdio::null());
        let child = spawn(&mut command, port);
        Self { child, command, port, url }
    }

    /// Starts it again, so that its connections have the settings of the role.
    pub(crate) fn restart(&mut self) {
        self.stop();
        self.child = spawn(&mut self.command, self.port);
    }

    fn stop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for PgBouncer {
    fn drop(&mut self) {
        self.stop();
    }
}

/// Starts the program, and waits until it listens.
fn spawn(command: &mut Command, port: u16) -> Child {
    let mut child = command.spawn().expect("it starts");
    while TcpStream::connect(("127.0.0.1", port)).is_err() {
        assert!(child.try_wait().expect("it is ours").is_none(), "PgBouncer ended");
        std::thread::sleep(Duration::from_millis(20));
    }
    child
}

/// Returns the statements for the role that the message of a refused server gives.
pub(crate) fn missing_parameters(message: &str) -> Vec<&str> {
    message.split_inclusive(';').filter_map(|part| part.find("ALTER ROLE").map(|at| &part[at..])).collect()
}
