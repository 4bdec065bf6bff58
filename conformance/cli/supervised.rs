//! `serve` under a service manager: its messages, a socket that it keeps, and how fast an idle server stops.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::os::unix::net::UnixDatagram;
use std::time::{Duration, Instant};

use card_service::base::limits;

use crate::app::{FreshDatabase, Program};

/// The time limit for an idle server to stop on a busy machine: half of what running requests get.
const IDLE_STOP: Duration = limits::DRAIN.checked_div(2).expect("a half");

/// Sends a request on an open connection that stays open.
fn request(stream: &mut TcpStream) {
    let request = b"GET /health/live HTTP/1.1\r\nhost: kaarten.example\r\n\r\n";
    stream.write_all(request).expect("the request is sent");
}

/// Returns the head of the response.
fn response(stream: &mut TcpStream) -> String {
    stream.set_read_timeout(Some(Duration::from_secs(30))).expect("a limit");
    let mut head = [0; 12];
    stream.read_exact(&mut head).expect("a response");
    String::from_utf8_lossy(&head).into_owned()
}

on_both_databases! {
    async fn idle_server_stops_without_waiting_for_its_clients(database: FreshDatabase) {
        let serving = Program::new(&database).serve();
        let mut stream = TcpStream::connect(serving.base.trim_start_matches("http://")).expect("it listens");
        request(&mut stream);
        assert_eq!(response(&mut stream), "HTTP/1.1 200");
        let begun = Instant::now();
        assert!(serving.terminate());
        assert!(begun.elapsed() < IDLE_STOP, "{:?}", begun.elapsed());
    }
}

on_sqlite! {
    async fn service_manager_hears_ready_alive_and_stopping(database: FreshDatabase) {
        let path = database.folder.path().join("notify");
        let socket = UnixDatagram::bind(&path).expect("a socket");
        socket.set_read_timeout(Some(Duration::from_secs(30))).expect("a limit");
        let next = || {
            let mut text = [0; 64];
            let length = socket.recv(&mut text).expect("a message");
            String::from_utf8_lossy(&text[..length]).trim_end().to_owned()
        };
        let program = Program::new(&database).set("NOTIFY_SOCKET", path.to_str().expect("UTF-8"));
        let serving = program.serve();
        assert_eq!(next(), "READY=1");
        assert_eq!((next().as_str(), next().as_str()), ("WATCHDOG=1", "WATCHDOG=1"));
        assert!(serving.terminate());
        let last = std::iter::repeat_with(next).find(|message| message != "WATCHDOG=1");
        assert_eq!(last.as_deref(), Some("STOPPING=1"));
    }

    async fn connection_waits_while_the_server_of_a_kept_socket_restarts(database: FreshDatabase) {
        let program = Program::new(&database);
        let socket = TcpListener::bind("127.0.0.1:0").expect("a port is free");
        let address = socket.local_addr().expect("an address");
        let first = program.serve_on(&socket);
        assert_eq!(first.base, format!("http://{address}"));
        assert_eq!(first.get("/health/live").await.status, 200);
        assert!(first.terminate());
        let mut waiting = TcpStream::connect(address).expect("the socket is open");
        request(&mut waiting);
        let second = program.serve_on(&socket);
        assert_eq!(response(&mut waiting), "HTTP/1.1 200");
        assert!(second.terminate());
    }
}
