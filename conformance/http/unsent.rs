//! Responses that clients do not read: limits on their memory and time (limits, "Answers").

use std::time::{Duration, Instant};

use card_service::base::FrontLimits;
use card_service::base::limits::{MEDIA_PART_BYTES, STREAMS_PER_CONNECTION_MAX};
use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::app::family::{Browser, customizer};
use crate::app::{FreshDatabase, Program, Serving, TestApp, run_within, wait_for};

const DATA: u8 = 0;
const HEADERS: u8 = 1;
const SETTINGS: u8 = 4;
const PING: u8 = 6;
const WINDOW_UPDATE: u8 = 8;
const ACK: u8 = 1;
const END_STREAM: u8 = 1;
const END_HEADERS: u8 = 4;
/// HPACK: the status 200, as one byte of the static table (RFC 7541, appendix A).
const STATUS_200: u8 = 0x88;

/// A picture's key and address.
const PICTURE: (&str, &str) = ("photo/groot.png", "/media/photo/groot.png");

/// An HTTP/2 connection (RFC 9113) that reads only as much of its responses as a test allows.
struct Taker {
    stream: TcpStream,
}

struct Frame {
    kind: u8,
    flags: u8,
    stream: u32,
    payload: Vec<u8>,
}

impl Taker {
    /// Connects; the initial window of each response is `window` bytes.
    async fn connect(address: &str, window: u32) -> Self {
        let stream = TcpStream::connect(address).await.expect("the server accepts");
        let mut taker = Self { stream };
        taker.stream.write_all(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n").await.expect("bytes go out");
        let mut settings = vec![0, 4]; // SETTINGS_INITIAL_WINDOW_SIZE
        settings.extend(window.to_be_bytes());
        taker.send(SETTINGS, 0, 0, &settings).await.expect("bytes go out");
        taker
    }

    async fn send(&mut self, kind: u8, flags: u8, stream: u32, payload: &[u8]) -> std::io::Result<()> {
        let mut frame = u32::try_from(payload.len()).expect("a small frame").to_be_bytes()[1..].to_vec();
        frame.extend([kind, flags]);
        frame.extend(stream.to_be_bytes());
        frame.extend(payload);
        self.stream.write_all(&frame).await
    }

    /// Requests a path on a new stream.
    async fn get(&mut self, stream: u32, path: &str) {
        // HPACK: GET and http of the static table, then path and authority as they are.
        let mut head = vec![0x82, 0x86];
        for (name, value) in [(0x04, path), (0x01, "kaarten.example")] {
            head.extend([name, u8::try_from(value.len()).expect("a short value")]);
            head.extend(value.as_bytes());
        }
        self.send(HEADERS, END_STREAM | END_HEADERS, stream, &head).await.expect("bytes go out");
    }

    /// Requests a path on as many streams as allowed.
    async fn get_everywhere(&mut self, path: &str) {
        for number in 0..STREAMS_PER_CONNECTION_MAX {
            self.get(2 * number + 1, path).await;
        }
    }

    /// The next frame; `None` once the server has closed the connection.
    async fn frame(&mut self) -> Option<Frame> {
        let mut head = [0; 9];
        self.stream.read_exact(&mut head).await.ok()?;
        let mut payload = vec![0; u32::from_be_bytes([0, head[0], head[1], head[2]]) as usize];
        self.stream.read_exact(&mut payload).await.ok()?;
        let stream = u32::from_be_bytes([head[5], head[6], head[7], head[8]]);
        Some(Frame { kind: head[3], flags: head[4], stream, payload })
    }

    /// Reads the heads of this many responses; returns how many are 200.
    async fn heads(&mut self, count: u32) -> u32 {
        let (mut heads, mut good) = (0, 0);
        while heads < count {
            let frame = self.frame().await.expect("the connection is open");
            assert_ne!(frame.kind, DATA, "there is no window for data");
            if frame.kind == HEADERS {
                heads += 1;
                good += u32::from(frame.payload[0] == STATUS_200);
            }
        }
        good
    }
}

/// Keeps a large picture in the object store of a test.
async fn keep_picture(app: &TestApp) {
    app.services().media.put(PICTURE.0, vec![7; 4 << 20].into()).await.expect("the picture is kept");
}

fn hurried() -> FrontLimits {
    FrontLimits { response_stalled: Duration::from_secs(1), ..FrontLimits::default() }
}

#[test]
fn unread_response_closes_its_connection_despite_other_input() {
    run_within("stalled", hurried(), async |app| {
        keep_picture(&app).await;
        let begun = Instant::now();
        for path in ["/docs/2026-10", PICTURE.1] {
            let mut taker = Taker::connect(app.address(), 0).await;
            taker.get_everywhere(path).await;
            assert_eq!(taker.heads(STREAMS_PER_CONNECTION_MAX).await, STREAMS_PER_CONNECTION_MAX, "{path}");
            let pings = async {
                loop {
                    let alive = taker.send(PING, 0, 0, b"nog hier").await.is_ok();
                    let alive = alive && taker.send(SETTINGS, 0, 0, &[]).await.is_ok();
                    let heard = tokio::time::timeout(Duration::from_millis(100), async {
                        while let Some(frame) = taker.frame().await {
                            assert_ne!(frame.kind, DATA, "there is no window for data");
                        }
                    });
                    if !alive || heard.await.is_ok() {
                        break;
                    }
                }
            };
            let closed = tokio::time::timeout(Duration::from_secs(20), pings).await;
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
        taker.get_everywhere(PICTURE.1).await;
        let good = u64::from(taker.heads(STREAMS_PER_CONNECTION_MAX).await);
        assert_eq!(good, parts, "each answer holds one part of the picture");
        let refused = live.graphql("{ __typename }", json!({})).await;
        refused.refused(503, "UNAVAILABLE");
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
        let live = app.live().await;
        let gid = live.draft("1").await;
        let path = customizer(&gid, "tekst");
        let mut browser = Browser::at_customizer(&live, &gid).await;
        let hidden = browser.get(&path).await.hidden();
        let text = "\"".repeat(70_000);
        let refused = browser.post(&path, &hidden, &[("text", &text)]).await;
        assert!(refused.status == 422 && refused.body.len() > 64 * 1024, "{}", refused.text());
        // The bytes of a response are given back after its client has read it: a picture may be refused once or twice before.
        let _taker = wait_for("the picture fits into the budget", || async {
            let mut taker = Taker::connect(app.address(), 0).await;
            taker.get(1, PICTURE.1).await;
            (taker.heads(1).await == 1).then_some(taker)
        })
        .await;
        let refused = browser.post(&path, &hidden, &[("text", &text)]).await;
        assert_eq!((refused.status, refused.header("retry-after")), (503, Some("5")));
        assert_eq!(browser.post(&path, &hidden, &[("text", "Lief")]).await.status, 303, "what was changed is answered");
    });
}

#[test]
fn answer_that_is_taken_slowly_arrives_whole() {
    run_within("slow", hurried(), async |app| {
        keep_picture(&app).await;
        let whole = app.get("/docs/2027-01").await.body.len();
        let mut taker = Taker::connect(app.address(), 0).await;
        taker.get(1, "/docs/2027-01").await;
        let (begun, mut taken) = (Instant::now(), 0);
        loop {
            let wait = tokio::time::timeout(Duration::from_millis(300), taker.frame());
            let Ok(frame) = wait.await else {
                taker.send(WINDOW_UPDATE, 0, 1, &16_384_u32.to_be_bytes()).await.expect("the connection is open");
                taker.send(WINDOW_UPDATE, 0, 0, &16_384_u32.to_be_bytes()).await.expect("the connection is open");
                continue;
            };
            let frame = frame.expect("the connection is open");
            if frame.kind == DATA && frame.stream == 1 {
                taken += frame.payload.len();
                if frame.flags & END_STREAM != 0 {
                    break;
                }
            } else if frame.kind == SETTINGS && frame.flags & ACK == 0 {
                taker.send(SETTINGS, ACK, 0, &[]).await.expect("the connection is open");
            }
        }
        assert_eq!(taken, whole);
        assert!(begun.elapsed() > hurried().response_stalled, "it took longer than a pause may: {:?}", begun.elapsed());
    });
}

on_sqlite! {
    async fn picture_is_not_read_for_its_head_or_for_a_caller_that_has_it(app: TestApp) {
        // So large that no memory takes it.
        let bytes = 1_u64 << 40;
        std::fs::create_dir_all(app.folder().join("media/photo")).expect("a folder");
        let file = std::fs::File::create(app.folder().join("media").join(PICTURE.0)).expect("a file");
        file.set_len(bytes).expect("a file of nothing");
        let head = app.asked("HEAD", PICTURE.1, &[]).await;
        assert_eq!((head.status, head.header("content-length")), (200, Some(&*bytes.to_string())));
        let etag = head.header("etag").expect("an entity tag");
        for method in ["GET", "HEAD"] {
            assert_eq!(app.asked(method, PICTURE.1, &[("if-none-match", etag)]).await.status, 304, "{method}");
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
        let serving = Program::on(&database).serve();
        let address = serving.base.strip_prefix("http://").expect("http").to_owned();
        let mut before = 0;
        let mut takers = Vec::new();
        for number in 0..52 {
            let mut taker = Taker::connect(&address, 0).await;
            taker.get_everywhere(if number % 4 == 0 { PICTURE.1 } else { "/docs/2027-01" }).await;
            assert_eq!(taker.heads(STREAMS_PER_CONNECTION_MAX).await, STREAMS_PER_CONNECTION_MAX);
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
