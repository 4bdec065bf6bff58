//! The host of a request, and `Strict-Transport-Security` (RFC 9112, section 3.2; RFC 6797).

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::app::{FreshDatabase, Program, TestApp};

/// Sends a GET with this version and these lines of its head; returns the response.
async fn get(app: &TestApp, path: &str, version: &str, lines: &str) -> String {
    let mut stream = TcpStream::connect(app.address()).await.expect("the server accepts");
    let head = format!("GET {path} HTTP/{version}\r\n{lines}connection: close\r\n\r\n");
    stream.write_all(head.as_bytes()).await.expect("bytes go out");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.expect("an answer");
    answer
}

on_both_databases! {
    async fn request_without_its_host_or_with_two_is_400(app: TestApp) {
        let two = "host: kaarten.example\r\nhost: ander.example\r\n";
        for path in ["/partner/api/versions", "/health/live", "/kaart/onbekend", "/media/photo/a.png", "/nergens"] {
            for lines in ["", two] {
                let answer = get(&app, path, "1.1", lines).await;
                assert!(answer.starts_with("HTTP/1.1 400 "), "{path}, {lines:?}: {answer}");
                assert_eq!(answer.contains("\"code\":\"BAD_REQUEST\""), path.starts_with("/partner"), "{answer}");
                assert!(answer.contains("De header Host ontbreekt of komt vaker voor."), "{answer}");
            }
        }
        for (version, lines, status) in [("1.1", "host: kaarten.example\r\n", 200), ("1.0", "", 200), ("1.0", two, 400)] {
            let answer = get(&app, "/health/live", version, lines).await;
            assert!(answer.contains(&format!(" {status} ")), "{version}, {lines:?}: {answer}");
        }
    }

    async fn responses_of_an_https_service_say_https_only(database: FreshDatabase) {
        let app = TestApp::start(&database, "https").await;
        for path in ["/partner/api/versions", "/partner/api/2099-01/graphql", "/health/live", "/kaart/onbekend", "/nergens"] {
            assert_eq!(app.get(path).await.header("strict-transport-security"), Some("max-age=31536000"), "{path}");
        }
        let clear = Program::new(&database).set("PUBLIC_BASE_URL", "http://127.0.0.1:8080").serve();
        assert_eq!(clear.get("/health/live").await.header("strict-transport-security"), None);
    }
}
