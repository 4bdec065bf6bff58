//! The load: keep-alive connections that send prepared requests and count the answers. One thread, so that it fits on
//! one core, with the server on the other.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// The result of a run.
pub(crate) struct Outcome {
    pub answers: usize,
    /// Answers per second.
    pub rate: f64,
    /// Microseconds.
    pub p50: u64,
    /// Microseconds.
    pub p99: u64,
    /// The last answer's body, to compare contenders.
    pub body: Vec<u8>,
}

/// Sends requests over `connections` connections for `time`; `request(n)` gives the bytes of the n-th request.
///
/// # Panics
/// When an answer is not 200 or does not hold `expect`.
pub(crate) fn run(
    address: SocketAddr,
    connections: usize,
    time: Duration,
    expect: &str,
    request: impl Fn(usize) -> Vec<u8>,
) -> Outcome {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime starts");
    let next = std::cell::Cell::new(0);
    runtime.block_on(async {
        let start = Instant::now();
        let end = start + time;
        let clients = (0..connections).map(|_| {
            client(address, end, expect, || {
                let n = next.get();
                next.set(n + 1);
                request(n)
            })
        });
        let parts = futures_util::future::join_all(clients).await;
        let seconds = start.elapsed().as_secs_f64();
        let mut body = Vec::new();
        let mut times = Vec::new();
        for (part, last) in parts {
            times.extend(part);
            body = last;
        }
        times.sort_unstable();
        let at = |share: f64| times.get((times.len() as f64 * share) as usize).copied().unwrap_or(0);
        Outcome { answers: times.len(), rate: times.len() as f64 / seconds, p50: at(0.5), p99: at(0.99), body }
    })
}

async fn client(address: SocketAddr, end: Instant, expect: &str, request: impl Fn() -> Vec<u8>) -> (Vec<u64>, Vec<u8>) {
    let mut stream = TcpStream::connect(address).await.expect("the server listens");
    stream.set_nodelay(true).expect("a socket option");
    let mut times = Vec::new();
    let mut buffer = Vec::with_capacity(128 * 1024);
    let mut body = Vec::new();
    while Instant::now() < end {
        let bytes = request();
        let sent = Instant::now();
        stream.write_all(&bytes).await.expect("the server reads");
        let at = answer(&mut stream, &mut buffer).await;
        times.push(u64::try_from(sent.elapsed().as_micros()).expect("short"));
        if body.is_empty() {
            body = buffer[at..].to_vec();
            let text = String::from_utf8_lossy(&buffer);
            assert!(text.starts_with("HTTP/1.1 200") && text.contains(expect), "unexpected answer: {text}");
        }
        buffer.clear();
    }
    (times, body)
}

/// Reads one answer into `buffer`; returns where its body begins.
async fn answer(stream: &mut TcpStream, buffer: &mut Vec<u8>) -> usize {
    loop {
        let read = stream.read_buf(buffer).await.expect("the server answers");
        assert!(read > 0, "the server hung up");
        let Some(head) = buffer.windows(4).position(|w| w == b"\r\n\r\n") else { continue };
        let headers = std::str::from_utf8(&buffer[..head]).expect("headers are text").to_ascii_lowercase();
        let length: usize = headers
            .lines()
            .find_map(|line| line.strip_prefix("content-length:"))
            .expect("an answer has a length")
            .trim()
            .parse()
            .expect("a number");
        if buffer.len() >= head + 4 + length {
            return head + 4;
        }
    }
}

/// A GraphQL request as bytes.
pub(crate) fn post(path: &str, token: &str, body: &str) -> Vec<u8> {
    format!(
        "POST {path} HTTP/1.1\r\nHost: bench\r\nContent-Type: application/json\r\nAccept: application/json\r\n\
         X-Service-Access-Token: {token}\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    )
    .into_bytes()
}

/// One request on a connection of its own; returns the body of the answer.
pub(crate) fn once(address: SocketAddr, request: &[u8]) -> Vec<u8> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime starts");
    runtime.block_on(async {
        let mut stream = TcpStream::connect(address).await.expect("the server listens");
        stream.write_all(request).await.expect("the server reads");
        let mut buffer = Vec::new();
        let at = answer(&mut stream, &mut buffer).await;
        buffer.split_off(at)
    })
}
