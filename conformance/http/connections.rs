//! Connections: limits on their number, and on the time without a request (limits, "Connections").

use std::time::{Duration, Instant};

use card_service::base::FrontLimits;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::app::{TestApp, run_within};

async fn connect(app: &TestApp) -> TcpStream {
    TcpStream::connect(app.address()).await.expect("the server accepts")
}

/// Requests `/health/live` on an open connection; returns whether an answer came.
async fn is_served(stream: &mut TcpStream) -> bool {
    if stream.write_all(b"GET /health/live HTTP/1.1\r\nhost: kaarten.example\r\n\r\n").await.is_err() {
        return false;
    }
    let mut answer = Vec::new();
    while !answer.ends_with(b"\r\n\r\nok\n") {
        match stream.read_buf(&mut answer).await {
            Ok(0) | Err(_) => return false,
            Ok(_) => {}
        }
    }
    true
}

/// Asserts that a new client gets an answer at once.
async fn assert_reachable(app: &TestApp) {
    assert_eq!(app.get("/health/live").await.status, 200);
}

#[test]
fn silent_connections_do_not_exhaust_the_server() {
    let front = FrontLimits { connections: 40, ..FrontLimits::default() };
    run_within("silent", front, async |app| {
        let mut served = connect(&app).await;
        assert!(is_served(&mut served).await);
        let mut silent = Vec::new();
        for number in 0..400 {
            let mut stream = connect(&app).await;
            if number % 2 == 1 {
                stream.write_all(b"GET /health/live HTTP/1.1\r\nhost: ka").await.expect("bytes go out");
            }
            silent.push(stream);
            if number % 50 == 49 {
                assert_reachable(&app).await;
            }
        }
        assert!(is_served(&mut served).await, "a connection with a request goes after those without");
        assert_reachable(&app).await;
        // Connections that had a request give way to new ones as well.
        let mut used = Vec::new();
        for _ in 0..100 {
            let mut stream = connect(&app).await;
            assert!(is_served(&mut stream).await);
            used.push(stream);
        }
        assert_reachable(&app).await;
    });
}

#[test]
fn connection_is_closed_early_unless_it_has_a_request() {
    let front = FrontLimits { first_request: Duration::from_millis(500), ..FrontLimits::default() };
    run_within("first", front, async move |app| {
        let mut served = connect(&app).await;
        assert!(is_served(&mut served).await);
        let begun = Instant::now();
        for half in ["", "GET /health/live HTTP/1.1\r\n", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"] {
            let mut stream = connect(&app).await;
            stream.write_all(half.as_bytes()).await.expect("bytes go out");
            let mut rest = Vec::new();
            let closed = tokio::time::timeout(Duration::from_secs(10), stream.read_to_end(&mut rest)).await;
            assert!(closed.is_ok(), "{half:?} is still open after {:?}", begun.elapsed());
        }
        assert!(begun.elapsed() > 3 * front.first_request, "{:?}", begun.elapsed());
        assert!(is_served(&mut served).await);
    });
}
