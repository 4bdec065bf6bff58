//! The load generator: keep-alive connections that send the requests of one workload and count the answers. One thread,
//! so that it fits on one core, with the server on the other.

use std::cell::Cell;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// The result of a run.
pub(crate) struct Outcome {
    pub answers: usize,
    /// Answers per second.
    pub rate: f64,
    pub p99_us: u64,
}

/// Sends requests over `connections` connections for `time`: the number in `next`, and those after it.
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
) -> Outcome {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime starts");
    runtime.block_on(async {
        let start = Instant::now();
        let end = start + time;
        let clients =
            (0..connections).map(|_| client(address, end, answer_start, || request(next.replace(next.get() + 1))));
        let mut times = futures_util::future::join_all(clients).await.concat();
        let seconds = start.elapsed().as_secs_f64();
        times.sort_unstable();
        let answers = times.len();
        Outcome { answers, rate: answers as f64 / seconds, p99_us: times[answers * 99 / 100] }
    })
}

/// Returns the microseconds that each answer took.
async fn client(address: SocketAddr, end: Instant, answer_start: &str, request: impl Fn() -> Vec<u8>) -> Vec<u64> {
    let mut stream = connect(address).await;
    let mut times = Vec::new();
    let mut buffer = Vec::with_capacity(128 * 1024);
    while Instant::now() < end {
        let bytes = request();
        let sent = Instant::now();
        let at = answer(&mut stream, &bytes, &mut buffer).await;
        times.push(u64::try_from(sent.elapsed().as_micros()).expect("short"));
        assert!(
            buffer.starts_with(b"HTTP/1.1 200") && buffer[at..].starts_with(answer_start.as_bytes()),
            "unexpected answer: {}",
            String::from_utf8_lossy(&buffer)
        );
    }
    times
}

async fn connect(address: SocketAddr) -> TcpStream {
    let stream = TcpStream::connect(address).await.expect("the server listens");
    stream.set_nodelay(true).expect("a socket option");
    stream
}

/// Sends a request and reads its answer into `buffer`; returns where the body begins.
async fn answer(stream: &mut TcpStream, request: &[u8], buffer: &mut Vec<u8>) -> usize {
    buffer.clear();
    stream.write_all(request).await.expect("the server reads");
    let mut whole = None;
    loop {
        assert!(stream.read_buf(buffer).await.expect("the server answers") > 0, "the server hung up");
        if whole.is_none()
            && let Some(head) = buffer.windows(4).position(|window| window == b"\r\n\r\n")
        {
            let headers = std::str::from_utf8(&buffer[..head]).expect("headers are text");
            let length = headers.lines().find_map(|line| {
                let (name, value) = line.split_once(':')?;
                name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse::<usize>().expect("a number"))
            });
            whole = Some((head + 4, head + 4 + length.expect("an answer has a length")));
        }
        if let Some((body, end)) = whole
            && buffer.len() >= end
        {
            return body;
        }
    }
}

/// Sends one request on a connection of its own; returns the body of the answer.
pub(crate) fn once(address: SocketAddr, request: &[u8]) -> Vec<u8> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime starts");
    runtime.block_on(async {
        let mut buffer = Vec::new();
        let at = answer(&mut connect(address).await, request, &mut buffer).await;
        buffer.split_off(at)
    })
}
