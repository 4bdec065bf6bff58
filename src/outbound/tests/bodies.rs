//! Bodies that are too large, too slow, broken or packed.

use std::time::{Duration, Instant};

use super::{FetchError, LIMITS, SHORT, fetch, outbound};
use crate::outbound::test_server::{Server, Step};

const WAIT: Duration = Duration::from_millis(50);

/// Returns a chunked body of this many bytes.
fn chunked(length: usize) -> Vec<Step> {
    let body = [format!("{length:x}\r\n").as_bytes(), &vec![b'x'; length], b"\r\n0\r\n\r\n"].concat();
    Step::raw("200 OK", &["Transfer-Encoding: chunked"], &body)
}

/// Sends a few bytes repeatedly, for seconds.
fn drip(bytes: &[u8]) -> Vec<Step> {
    (0..90).flat_map(|_| [Step::Send(bytes.to_vec()), Step::Wait(WAIT)]).collect()
}

#[tokio::test]
async fn body_of_the_limit_is_taken_and_one_byte_more_is_not() {
    let server = Server::start(|path| {
        let (coding, length) = path.trim_start_matches('/').split_once('/').expect("two parts");
        let length = length.parse().expect("a length");
        match coding {
            "length" => Step::answer("200 OK", &[], &vec![b'x'; length]),
            "chunked" => chunked(length),
            _ => Step::raw("200 OK", &[], &vec![b'x'; length]),
        }
    })
    .await;
    let outbound = outbound(&[&server]);
    for coding in ["length", "chunked", "until-closed"] {
        let taken = fetch(&outbound, &server.http(&format!("{coding}/1000")), LIMITS).await;
        assert_eq!(taken.map(|body| body.len()), Ok(1000), "{coding}");
        for length in [1001, 100_000] {
            let refused = fetch(&outbound, &server.http(&format!("{coding}/{length}")), LIMITS).await;
            assert_eq!(refused, Err(FetchError::TooLarge), "{coding} of {length}");
        }
    }
}

#[tokio::test]
async fn length_that_lies_ends_the_body_or_the_connection() {
    let server = Server::start(|path| match path {
        "/short" => Step::raw("200 OK", &["Content-Length: 3"], b"photo"),
        "/long" => Step::raw("200 OK", &["Content-Length: 30"], b"photo"),
        "/two" => Step::raw("200 OK", &["Content-Length: 3", "Content-Length: 5"], b"photo"),
        _ => Step::raw("200 OK", &["Content-Length: -1"], b"photo"),
    })
    .await;
    let outbound = outbound(&[&server]);
    assert_eq!(fetch(&outbound, &server.http("short"), LIMITS).await.as_deref(), Ok(&b"pho"[..]));
    for path in ["long", "two", "negative"] {
        assert_eq!(fetch(&outbound, &server.http(path), LIMITS).await, Err(FetchError::NoConnection), "{path}");
    }
}

#[tokio::test]
async fn slow_answer_ends_at_the_total_time() {
    let server = Server::start(|path| match path {
        "/drip" => [Step::raw("200 OK", &["Content-Length: 900"], b""), drip(b"x")].concat(),
        "/silence" => vec![Step::Wait(Duration::from_secs(30))],
        "/head" => [vec![Step::Send(b"HTTP/1.1 200 OK\r\n".to_vec())], drip(b"X-Drip: 1\r\n")].concat(),
        // The redirects together exceed the time limit.
        _ => [vec![Step::Wait(WAIT * 3)], Step::redirect("/again")].concat(),
    })
    .await;
    let outbound = outbound(&[&server]);
    for path in ["drip", "silence", "head", "again"] {
        let start = Instant::now();
        assert_eq!(fetch(&outbound, &server.http(path), SHORT).await, Err(FetchError::TimeOut), "{path}");
        assert!(start.elapsed() < SHORT.total + Duration::from_secs(2), "{path}");
    }
}

#[tokio::test]
async fn broken_connection_is_no_connection() {
    let server = Server::start(|path| match path {
        "/before" => vec![Step::Reset],
        "/close" => vec![],
        "/body" => {
            let part = Step::raw("200 OK", &["Content-Length: 900"], b"photo");
            [part, vec![Step::Wait(WAIT), Step::Reset]].concat()
        }
        "/chunk" => Step::raw("200 OK", &["Transfer-Encoding: chunked"], b"5\r\nphoto\r\n"),
        "/bad-chunk" => Step::raw("200 OK", &["Transfer-Encoding: chunked"], b"zz\r\nphoto\r\n"),
        _ => vec![Step::Send(b"SSH-2.0-OpenSSH_9.9\r\n\r\n".to_vec())],
    })
    .await;
    let outbound = outbound(&[&server]);
    for path in ["before", "close", "body", "chunk", "bad-chunk", "other-protocol"] {
        assert_eq!(fetch(&outbound, &server.http(path), LIMITS).await, Err(FetchError::NoConnection), "{path}");
    }
}

#[tokio::test]
async fn packed_body_stays_packed() {
    // 10,000 zeros in gzip: decompressed, they would exceed the limit.
    const PACKED: &[u8] = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\xed\xc1\x01\x0d\x00\x00\x00\xc2\xa0\xf7Om\x0e7\xa0\x00\x00\x00\x00\x00\x00\x00\x00\x00\xe0\xdf\x00.\xca;M\x10'\x00\x00";
    for coding in ["gzip", "deflate", "br", "zstd"] {
        let header = format!("Content-Encoding: {coding}");
        let server = Server::start(move |_| Step::answer("200 OK", &[&header], PACKED)).await;
        let fetched = fetch(&outbound(&[&server]), &server.http(""), LIMITS).await;
        assert_eq!(fetched.as_deref(), Ok(PACKED), "{coding}");
    }
}
