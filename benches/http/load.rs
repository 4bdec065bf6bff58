//! The load generator: keep-alive connections that send requests and time the answers. One thread, so that it fits on one
//! core, with the server on the other.

use std::cell::Cell;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// Sends requests over `connections` connections for `time`: the number in `next`, and the following ones. Returns the
/// microseconds of each answer, sorted.
///
/// # Panics
/// When an answer is not 200 or does not begin with `answer_start`.
pub(crate) fn run(
    address: SocketAddr,
    connections: usize,
    time: Duration,
    answer_start: &str,
    next: &Cell<usize>,
    request: impl Fn(usize) -> Vec<u8>,
) -> Vec<u64> {
    block_on(async {
        let end = Instant::now() + time;
        let clients = (0..connections)
            .map(|_| client(address, |_| Instant::now() < end, answer_start, || request(next.replace(next.get() + 1))));
        let mut times = futures_util::future::join_all(clients).await.concat();
        times.sort_unstable();
        times
    })
}

/// Sends this many requests over one connection.
pub(crate) fn run_count(address: SocketAddr, requests: usize, answer_start: &str, request: impl Fn() -> Vec<u8>) {
    block_on(client(address, |sent| sent < requests, answer_start, request));
}

/// Sends requests while `goes_on` returns true for the number of answers; returns the microseconds that each took.
async fn client(
    address: SocketAddr,
    goes_on: impl Fn(usize) -> bool,
    answer_start: &str,
    request: impl Fn() -> Vec<u8>,
) -> Vec<u64> {
    let mut stream = TcpStream::connect(address).await.expect("the server listens");
    let mut times = Vec::new();
    let mut buffer = Vec::with_capacity(128 * 1024);
    while goes_on(times.len()) {
        let bytes = request();
        let sent = Instant::now();
        stream.write_all(&bytes).await.expect("the server reads");
        let body = read_message(&mut stream, &mut buffer).await.expect("the server answers");
        times.push(u64::try_from(sent.elapsed().as_micros()).expect("short"));
        assert!(
            buffer.starts_with(b"HTTP/1.1 200") && buffer[body..].starts_with(answer_start.as_bytes()),
            "unexpected answer: {}",
            String::from_utf8_lossy(&buffer)
        );
    }
    times
}

/// Reads one request or response with a body into `buffer`; returns where the body begins, or `None` at the end of the
/// connection. The other side sends nothing more before it has its answer.
async fn read_message(stream: &mut TcpStream, buffer: &mut Vec<u8>) -> Option<usize> {
    buffer.clear();
    let mut whole = None;
    loop {
        if stream.read_buf(buffer).await.ok()? == 0 {
            return None;
        }
        if whole.is_none()
            && let Some(head) = buffer.windows(4).position(|window| window == b"\r\n\r\n")
        {
            let headers = std::str::from_utf8(&buffer[..head]).expect("headers are text");
            let length = headers.lines().find_map(|line| {
                let (name, value) = line.split_once(':')?;
                name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse::<usize>().expect("a number"))
            });
            whole = Some((head + 4, head + 4 + length.expect("a message has a length")));
        }
        if let Some((body, end)) = whole
            && buffer.len() >= end
        {
            return Some(body);
        }
    }
}

/// Sends one request on a new connection; returns the body of the answer.
pub(crate) fn once(address: SocketAddr, request: &[u8]) -> Vec<u8> {
    block_on(async {
        let (mut stream, mut buffer) = (TcpStream::connect(address).await.expect("the server listens"), Vec::new());
        stream.write_all(request).await.expect("the server reads");
        let body = read_message(&mut stream, &mut buffer).await.expect("the server answers");
        buffer.split_off(body)
    })
}

/// Receives notifications on a thread, and counts them; returns its port.
pub(crate) fn receive(arrived: impl Fn() + Clone + Send + 'static) -> u16 {
    let (port, bound) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        block_on(async {
            let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port is free");
            port.send(listener.local_addr().expect("an address").port()).expect("the caller waits");
            loop {
                let (mut stream, _) = listener.accept().await.expect("a connection");
                let arrived = arrived.clone();
                tokio::spawn(async move {
                    let mut buffer = Vec::with_capacity(16 * 1024);
                    while read_message(&mut stream, &mut buffer).await.is_some() {
                        arrived();
                        if stream.write_all(b"HTTP/1.1 204 No Content\r\n\r\n").await.is_err() {
                            return;
                        }
                    }
                });
            }
        })
    });
    bound.recv().expect("it listens")
}

pub(crate) fn block_on<T>(work: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime starts").block_on(work)
}
