//! Responses that clients do not read: limits on their memory and time (limits, "Answers").

use std::time::{Duration, Instant};

use bytes::Bytes;
use card_service::base::FrontLimits;
use card_service::base::limits::{MEDIA_PART_BYTES, STREAMS_PER_CONNECTION_MAX};
use futures_util::future::try_join_all;
use http_body_util::{BodyExt as _, Empty};
use hyper::body::Incoming;
use hyper::client::conn::http2::{self, SendRequest};
use hyper::{Request, Response};
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use serde_json::json;
use tokio::net::TcpStream;
use tokio::task::JoinHandle;

use crate::app::family::customizer;
use crate::app::{FreshDatabase, Program, Serving, TestApp, run_within, wait_for};

/// A picture's key and address.
const PICTURE: (&str, &str) = ("photo/groot.png", "/media/photo/groot.png");

/// An HTTP/2 connection that reads only as much of its responses as a test does, and sends pings.
struct Taker {
    sender: SendRequest<Empty<Bytes>>,
    connection: JoinHandle<hyper::Result<()>>,
    responses: Vec<Response<Incoming>>,
}

impl Taker {
    /// Connects; the window of each response is `window` bytes.
    async fn connect(address: &str, window: u32) -> Self {
        let stream = TcpStream::connect(address).await.expect("the server accepts");
        let (sender, connection) = http2::Builder::new(TokioExecutor::new())
            .timer(TokioTimer::new())
            .initial_stream_window_size(window)
            .keep_alive_interval(Duration::from_millis(100))
            .handshake(TokioIo::new(stream))
            .await
            .expect("HTTP/2");
        Self { sender, connection: tokio::spawn(connection), responses: Vec::new() }
    }

    /// Requests a path this many times at once and keeps the responses; returns how many are 200.
    async fn get(&mut self, path: &str, count: u32) -> u32 {
        let sent = (0..count).map(|_| {
            let request = Request::get(format!("http://kaarten.example{path}")).body(Empty::new());
            self.sender.send_request(request.expect("a request"))
        });
        let responses = try_join_all(sent).await.expect("the connection is open");
        let good = responses.iter().filter(|response| response.status() == 200).count();
        self.responses.extend(responses);
        u32::try_from(good).expect("a small number")
    }
}

/// Keeps a large picture in the object store of a test.
async fn keep_picture(app: &TestApp) {
    app.services().media.put(PICTURE.0, vec![7; 4 << 20].into()).await.expect("the picture is kept");
}

fn short_limits() -> FrontLimits {
    FrontLimits { response_stalled: Duration::from_secs(1), ..FrontLimits::default() }
}

#[test]
fn unread_response_closes_its_connection_despite_other_input() {
    run_within("stalled", short_limits(), async |app| {
        keep_picture(&app).await;
        let begun = Instant::now();
        for path in ["/docs/2026-10", PICTURE.1] {
            let mut taker = Taker::connect(app.address(), 0).await;
            assert_eq!(taker.get(path, STREAMS_PER_CONNECTION_MAX).await, STREAMS_PER_CONNECTION_MAX, "{path}");
            let closed = tokio::time::timeout(Duration::from_secs(20), taker.connection).await;
            assert!(closed.is_ok(), "{path}: the connection is open after {:?}", begun.elapsed());
        }
        assert_eq!(app.get("/docs/2026-10").await.status, 200);
    });
}

#[test]
fn responses_over_the_memory_budget_are_503_until_others_end() {
    let parts = 4;
    let front = FrontLimits {
        response_bytes: usize::try_from(parts * MEDIA_PART_BYTES).expect("a small number"),
        ..FrontLimits::default()
    };
    run_within("budget", front, async move |app| {
        keep_picture(&app).await;
        let live = app.live().await;
        let mut taker = Taker::connect(app.address(), 0).await;
        let good = u64::from(taker.get(PICTURE.1, STREAMS_PER_CONNECTION_MAX).await);
        assert_eq!(good, parts, "each answer holds one part of the picture");
        let refused = live.graphql("{ __typename }", json!({})).await;
        refused.expect_error(503, "UNAVAILABLE");
        assert_eq!(refused.header("retry-after"), Some("5"));
        for (path, status) in [(PICTURE.1, 503), ("/health/live", 200), ("/health/ready", 200)] {
            assert_eq!(app.get(path).await.status, status, "{path}");
        }
        drop(taker);
        let begun = Instant::now();
        while live.graphql("{ __typename }", json!({})).await.status != 200 {
            assert!(begun.elapsed() < Duration::from_secs(10), "a connection that ends gives its bytes back");
        }
        assert_eq!(app.get(PICTURE.1).await.body.len(), 4 << 20);
    });
}

#[test]
fn refusal_of_a_form_over_the_memory_budget_is_503() {
    let part = usize::try_from(MEDIA_PART_BYTES).expect("a small number");
    let front = FrontLimits { response_bytes: part + 64 * 1024, ..FrontLimits::default() };
    run_within("form over budget", front, async move |app| {
        keep_picture(&app).await;
        let (_, gid, mut browser) = app.draft_in_customizer("1").await;
        let path = customizer(&gid, "tekst");
        let hidden = browser.get(&path).await.hidden_fields();
        let text = "\"".repeat(70_000);
        let refused = browser.post(&path, &hidden, &[("text", &text)]).await;
        assert!(refused.status == 422 && refused.body.len() > 64 * 1024, "{}", refused.text());
        // The bytes of a response are given back after its client has read it: a picture may be refused once or twice before.
        let _taker = wait_for("the picture fits into the budget", || async {
            let mut taker = Taker::connect(app.address(), 0).await;
            (taker.get(PICTURE.1, 1).await == 1).then_some(taker)
        })
        .await;
        let refused = browser.post(&path, &hidden, &[("text", &text)]).await;
        assert_eq!((refused.status, refused.header("retry-after")), (503, Some("5")));
        assert_eq!(browser.post(&path, &hidden, &[("text", "Lief")]).await.status, 303, "what was changed is answered");
    });
}

#[test]
fn answer_that_is_taken_slowly_arrives_whole() {
    run_within("slow", short_limits(), async |app| {
        let (key, path, whole) = ("photo/klein.png", "/media/photo/klein.png", 128 * 1024);
        app.services().media.put(key, vec![7; whole].into()).await.expect("the picture is kept");
        let mut taker = Taker::connect(app.address(), 16_384).await;
        assert_eq!(taker.get(path, 1).await, 1);
        let (begun, mut taken, mut body) = (Instant::now(), 0, taker.responses.remove(0).into_body());
        while let Some(frame) = body.frame().await {
            taken += frame.expect("the connection is open").data_ref().map_or(0, Bytes::len);
            tokio::time::sleep(Duration::from_millis(300)).await;
        }
        assert_eq!(taken, whole);
        assert!(
            begun.elapsed() > short_limits().response_stalled,
            "it took longer than a pause may: {:?}",
            begun.elapsed()
        );
    });
}

on_sqlite! {
    async fn picture_is_not_read_for_its_head_or_for_a_caller_that_has_it(app: TestApp) {
        // So large that no memory takes it.
        let bytes = 1_u64 << 40;
        std::fs::create_dir_all(app.folder().join("media/photo")).expect("a folder");
        let file = std::fs::File::create(app.folder().join("media").join(PICTURE.0)).expect("a file");
        file.set_len(bytes).expect("a file of nothing");
        let head = app.send_request("HEAD", PICTURE.1, &[]).await;
        assert_eq!((head.status, head.header("content-length")), (200, Some(&*bytes.to_string())));
        let etag = head.header("etag").expect("an entity tag");
        for method in ["GET", "HEAD"] {
            assert_eq!(app.send_request(method, PICTURE.1, &[("if-none-match", etag)]).await.status, 304, "{method}");
        }
        let mut whole = app.http().get(app.url(PICTURE.1)).send().await.expect("an answer");
        assert_eq!(whole.content_length(), Some(bytes));
        let mut read = 0;
        while read < 4 * MEDIA_PART_BYTES {
            read += whole.chunk().await.expect("bytes").expect("there is more").len() as u64;
        }
    }
}

/// Resident memory of a server, in bytes.
fn resident(serving: &Serving) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", serving.pid())).expect("a running process");
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("resident memory");
    line.trim().trim_end_matches(" kB").parse::<u64>().expect("a number") * 1_024
}

on_sqlite! {
    async fn memory_of_a_server_stays_small_while_clients_take_nothing(database: FreshDatabase) {
        let folder = database.folder.path().join("media/photo");
        std::fs::create_dir_all(&folder).expect("a folder");
        std::fs::write(folder.join("groot.png"), vec![7; 8 << 20]).expect("a picture");
        let serving = Program::new(&database).serve();
        let address = serving.base.strip_prefix("http://").expect("http").to_owned();
        let mut before = 0;
        let mut takers = Vec::new();
        for number in 0..52 {
            let mut taker = Taker::connect(&address, 0).await;
            let path = if number % 4 == 0 { PICTURE.1 } else { "/docs/2027-01" };
            assert_eq!(taker.get(path, STREAMS_PER_CONNECTION_MAX).await, STREAMS_PER_CONNECTION_MAX);
            takers.push(taker);
            if number == 3 {
                before = resident(&serving); // all that is made once is there
            }
        }
        let grown = resident(&serving).saturating_sub(before);
        // 192 pictures, of which one part each is in memory, and 576 pages that share theirs.
        let most = 192 * MEDIA_PART_BYTES + 40 * 1_048_576;
        assert!(grown < most, "{grown} bytes for {} connections", takers.len());
    }
}
