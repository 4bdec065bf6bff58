//! Runs the server and sends it every `curl` about the example in `graphql/README.md`: the page shows the responses.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

/// A running server.
struct Server {
    process: Child,
    address: String,
}

impl Server {
    fn start() -> Self {
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

    /// Sends a request; returns the head and the body of the response.
    fn send(&self, method: &str, path: &str, body: &str) -> (String, String) {
        let mut stream = TcpStream::connect(&self.address).expect("it listens");
        let length = body.len();
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n{body}"
        )
        .expect("it reads");
        let mut response = String::new();
        stream.read_to_string(&mut response).expect("it responds");
        let (head, body) = response.split_once("\r\n\r\n").expect("a head and a body");
        (head.to_owned(), body.to_owned())
    }

    /// Stops the server; returns its log.
    fn stop(mut self) -> String {
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

#[test]
fn readme_shows_what_the_server_responds_and_logs() {
    let server = Server::start();
    let (_, section) = include_str!("../../README.md").split_once("## The example").expect("it has the section");
    let (mut lines, mut sent, mut log) = (section.lines(), 0, String::new());
    while let Some(line) = lines.next() {
        let Some(call) = line.strip_prefix("$ curl -s localhost:9600") else { continue };
        let (path, body) =
            call.split_once(" -d '").map_or((call, None), |(path, body)| (path, body.strip_suffix('\'')));
        let answer = server.send(if body.is_some() { "POST" } else { "GET" }, path, body.unwrap_or_default()).1;
        let shown: Vec<&str> = lines.by_ref().take_while(|line| !line.is_empty() && *line != "```").collect();
        let (logged, shown): (Vec<&str>, Vec<&str>) = shown.into_iter().partition(|line| line.starts_with("looked up"));
        assert_eq!(answer.trim_end(), shown.join("\n"), "{path}");
        logged.iter().for_each(|line| log.extend([line, "\n"]));
        sent += 1;
    }
    assert!(sent >= 6, "the page shows {sent} requests");
    assert_eq!(server.stop(), log);
}
