//! Messages to the service manager that started the process (sd_notify(3)): ready, stopping, alive.
//!
//! Called by `serve`; the watchdog says that the runtime is alive. Without `NOTIFY_SOCKET` nothing is sent.

use std::io;
use std::os::linux::net::SocketAddrExt as _;
use std::os::unix::net::{SocketAddr, UnixDatagram};
use std::sync::Arc;

use crate::base::ErrorChain;

/// The service manager; cheap to clone.
#[derive(Clone, Debug, Default)]
pub struct Supervisor(Option<Arc<UnixDatagram>>);

impl Supervisor {
    /// Connects to the socket that `NOTIFY_SOCKET` names: a path, or after an `@` a name of the abstract namespace.
    pub fn at(notify_socket: Option<&str>) -> Self {
        let Some(name) = notify_socket.filter(|name| !name.is_empty()) else { return Self::default() };
        match connect(name) {
            Ok(socket) => Self(Some(Arc::new(socket))),
            Err(error) => {
                tracing::warn!(error = %ErrorChain(&error), "the service manager cannot be reached at NOTIFY_SOCKET");
                Self::default()
            }
        }
    }

    /// Tells that requests are served.
    pub fn ready(&self) {
        self.send("READY=1");
    }

    /// Tells that the process is about to end.
    pub fn stopping(&self) {
        self.send("STOPPING=1");
    }

    /// Tells that the runtime runs tasks, for `WatchdogSec=`.
    pub fn alive(&self) {
        self.send("WATCHDOG=1");
    }

    fn send(&self, state: &str) {
        if let Some(socket) = &self.0 {
            // A service manager that is gone, or whose queue is full, misses one message.
            let _ = socket.send(state.as_bytes());
        }
    }
}

fn connect(name: &str) -> io::Result<UnixDatagram> {
    let address = match name.strip_prefix('@') {
        Some(name) => SocketAddr::from_abstract_name(name)?,
        None => SocketAddr::from_pathname(name)?,
    };
    let socket = UnixDatagram::unbound()?;
    socket.connect_addr(&address)?;
    socket.set_nonblocking(true)?;
    Ok(socket)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_reach_a_path_and_an_abstract_name() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("notify");
        let name = format!("@card-service-test-{}", std::process::id());
        let of_name = SocketAddr::from_abstract_name(&name[1..]).expect("a name");
        let sockets = [
            (path.to_str().expect("UTF-8").to_owned(), UnixDatagram::bind(&path).expect("a socket")),
            (name, UnixDatagram::bind_addr(&of_name).expect("a socket")),
        ];
        for (name, socket) in sockets {
            let supervisor = Supervisor::at(Some(&name));
            supervisor.ready();
            supervisor.stopping();
            let mut text = [0; 64];
            let mut next = || {
                let length = socket.recv(&mut text).expect("a message");
                String::from_utf8_lossy(&text[..length]).into_owned()
            };
            assert_eq!((next().as_str(), next().as_str()), ("READY=1", "STOPPING=1"), "{name}");
        }
        Supervisor::at(None).ready();
        Supervisor::at(Some("/no/such/socket")).ready();
    }
}
