//! A running example, for the tests.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

/// A running server.
pub(crate) struct Server {
    process: Child,
    address: String,
}

impl Server {
    pub(crate) fn start() -> Self {
        let server = env!("CARGO_BIN_EXE_starwars");
        let mut command = Command::new(server);
        command.arg("127.0.0.1:0").stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut process = command.spawn().expect("it starts");
        let mut line = String::new();
        let stdout = process.stdout.take().expect("it is piped");
        BufReader::new(stdout).read_line(&mut line).expect("it says where it listens");
        let address = line.trim().rsplit('/').next().expect("an address").to_owned();
        Self { process, address }
    }

    /// Sends a request with these lines of its head; returns the head and the body of the response.
    pub(crate) fn send(&self, request: &str, headers: &str, body: &str) -> (String, String) {
        let mut stream = TcpStream::connect(&self.address).expect("it listens");
        let headers: String = headers.lines().map(|line| format!("{line}\r\n")).collect();
        let length = body.len();
        write!(
            stream,
            "{request} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: {length}\r\n{headers}\r\n{body}"
        )
        .expect("it reads");
        let mut response = String::new();
        stream.read_to_string(&mut response).expect("it responds");
        let (head, body) = response.split_once("\r\n\r\n").expect("a head and a body");
        (head.to_owned(), body.to_owned())
    }

    /// Stops the server; returns its log.
    #[allow(dead_code)] // one of the tests reads it
    pub(crate) fn stop(mut self) -> String {
        self.process.kill().expect("it runs");
        let mut log = String::new();
        self.process.stderr.take().expect("it is piped").read_to_string(&mut log).expect("it is text");
        log
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
