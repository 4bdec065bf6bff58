//! The sum: many requests and portraits at once, by the keys of one partner. The server stays small, and another partner is served.
//!
//! Right values: OWASP API Security Top 10 (2023), API4, unrestricted resource consumption; decisions H9a.

use std::convert::Infallible;
use std::time::{Duration, Instant};

use bytes::Bytes;
use card_service::base::limits::{PHOTO_BYTES_MAX, STREAMS_PER_CONNECTION_MAX};
use futures_util::future::join_all;
use futures_util::stream::{self, StreamExt as _};
use http_body_util::StreamBody;
use http_body_util::combinators::UnsyncBoxBody;
use hyper::body::Frame;
use hyper::client::conn::{http1, http2};
use hyper::{Request, Response};
use hyper_util::rt::{TokioExecutor, TokioIo};
use serde_json::json;
use tokio::net::TcpStream;
use tokio::sync::watch;
use tokio::task::JoinSet;

use super::is_release;
use super::meter::Meter;
use crate::app::mock_server::Reply;
use crate::app::{FreshDatabase, MockServer, Program, Serving, create_document, http_client};

/// The memory that the server may have under any load.
const MEMORY_MAX: usize = 300 << 20;

/// How long a small request of another partner may take meanwhile, for 99 of 100; of a release build on a quiet machine.
const OTHER_PARTNER_MAX: Duration = Duration::from_millis(250);

/// The length of a body, of which one may have 256 KiB.
const BODY_BYTES: usize = 255_000;

type Body = UnsyncBoxBody<Bytes, Infallible>;

/// Returns variables that no operation declares. As a tree of JSON they take a hundred times their length.
fn undeclared() -> Bytes {
    let values = vec![r#"{"":0}"#; (BODY_BYTES - 60) / 7].join(",");
    format!(r#""variables":{{"a":[{values}]}}"#).into()
}

/// Returns a body with a new document. Its last byte follows once `go` is true.
fn held_back(number: usize, variables: Bytes, go: watch::Receiver<bool>) -> Body {
    let document = Bytes::from(format!(r#"{{"query":"query q{number:03}{{__typename }}","#));
    let end = stream::once(async move {
        let mut go = go;
        let _ = go.wait_for(|go| *go).await;
        Bytes::from_static(b"}")
    });
    let whole = stream::iter([document, variables]).chain(end).map(|bytes| Ok(Frame::data(bytes)));
    UnsyncBoxBody::new(StreamBody::new(Box::pin(whole)))
}

/// A server with the default limits, and another partner that is served.
struct Target {
    serving: Serving,
    mock_server: MockServer,
    program: Program,
    other: String,
}

impl Target {
    async fn start(database: &FreshDatabase, settings: &[(&'static str, &str)]) -> Self {
        let mock_server = MockServer::start().await;
        let mut program =
            super::program(database).set("EGRESS_ALLOW", &mock_server.http.to_string()).set("RUST_LOG", "error");
        for (name, value) in settings {
            program = program.set(name, value);
        }
        program.json(&["partner", "add", "Noord"]);
        program.json(&["partner", "add", "Zuid"]);
        let issued = program.json(&["key", "issue", "--partner", "Zuid", "--mode", "live"]);
        let other = issued["token"].as_str().expect("a token").to_owned();
        Self { serving: program.serve(), mock_server, program, other }
    }

    fn address(&self) -> String {
        self.serving.base.replacen("http://", "", 1)
    }

    fn request(&self, token: &str, body: Body) -> Request<Body> {
        Request::post(format!("{}/partner/api/2026-10/graphql", self.serving.base))
            .header("host", self.address())
            .header("content-type", "application/json")
            .header("x-service-access-token", token)
            .body(body)
            .expect("a request")
    }

    /// Does `attack`, and holds the server to its memory and the other partner's requests to their time.
    async fn hold(&self, name: &str, attack: impl Future<Output = ()>) {
        let meter = Meter(self.serving.pid());
        meter.reset_peak();
        let mut attack = std::pin::pin!(attack);
        let mut times = vec![];
        loop {
            let small = async {
                let begun = Instant::now();
                let answer = self.serving.send(&self.other, "{ __typename }", json!({})).await;
                assert_eq!(answer.status, 200, "{name}: another partner is served");
                times.push(begun.elapsed());
                tokio::time::sleep(Duration::from_millis(20)).await;
            };
            tokio::select! {
                biased;
                () = &mut attack => break,
                () = small => {}
            }
        }
        times.sort();
        let slow = times[times.len() * 99 / 100];
        let (peak, after) = (meter.memory("VmHWM"), meter.memory("VmRSS"));
        println!(
            "{name}: peak {} MB, {} MB after it; another partner {slow:?} ({})",
            peak >> 20,
            after >> 20,
            times.len()
        );
        assert!(peak <= MEMORY_MAX, "{name}: {peak} bytes");
        // A debug build takes as long for its own work as the attack for its.
        assert!(slow <= OTHER_PARTNER_MAX || !is_release(), "{name}: another partner waits {slow:?}");
    }

    /// Sends the bodies except for their last bytes, then these at once; returns how many answers have each status.
    async fn flood(&self, token: &str, connections: usize, streams: usize) -> (usize, usize) {
        let ((go, gone), variables) = (watch::channel(false), undeclared());
        let mut answers = JoinSet::new();
        for connection in 0..connections {
            let number = |stream| connection * streams + stream;
            let bodies = (0..streams).map(|stream| held_back(number(stream), variables.clone(), gone.clone()));
            let requests: Vec<_> = bodies.map(|body| self.request(token, body)).collect();
            let stream = TokioIo::new(TcpStream::connect(self.address()).await.expect("the server accepts"));
            if streams == 1 {
                let (mut sender, driver) = http1::handshake(stream).await.expect("HTTP/1.1");
                answers.spawn(driver_of(driver));
                let sent = requests.into_iter().map(|request| sender.send_request(request)).collect::<Vec<_>>();
                answers.spawn(async move {
                    let _sender = sender;
                    count(join_all(sent).await)
                });
            } else {
                let (mut sender, driver) = http2::handshake(TokioExecutor::new(), stream).await.expect("HTTP/2");
                answers.spawn(driver_of(driver));
                let sent = requests.into_iter().map(|request| sender.send_request(request)).collect::<Vec<_>>();
                answers.spawn(async move {
                    let _sender = sender;
                    count(join_all(sent).await)
                });
            }
        }
        // What the server takes before the end of the bodies.
        tokio::time::sleep(Duration::from_secs(2)).await;
        go.send(true).expect("the bodies wait");
        let counts = answers.join_all().await;
        counts.into_iter().fold((0, 0), |(good, refused), (g, r)| (good + g, refused + r))
    }
}

async fn driver_of<E>(connection: impl Future<Output = Result<(), E>>) -> (usize, usize) {
    let _ = connection.await; // a server may close it
    (0, 0)
}

/// Returns how many answers are good, and how many are refusals.
fn count<B, E: std::fmt::Debug>(answers: Vec<Result<Response<B>, E>>) -> (usize, usize) {
    let mut counts = (0, 0);
    for answer in answers {
        match answer.expect("each request is answered").status().as_u16() {
            200 => counts.0 += 1,
            408 | 429 | 503 => counts.1 += 1,
            status => panic!("{status}"),
        }
    }
    counts
}

on_sqlite! {
    async fn flood_of_bodies_by_one_key_takes_little_memory_and_delays_no_other_partner(database: FreshDatabase) {
        let target = Target::start(&database, &[("RATE_LIMIT_POINTS", "1000"), ("RATE_LIMIT_RESTORE", "50")]).await;
        let test = target.program.key("test").0;
        let streams = STREAMS_PER_CONNECTION_MAX as usize;
        for (name, connections, streams) in [("960 over HTTP/2", 60, streams), ("400 over HTTP/1.1", 400, 1)] {
            target.hold(name, async {
                let (good, refused) = target.flood(&test, connections, streams).await;
                assert_eq!(good + refused, connections * streams);
                assert!(good < 300, "{name}: points grow with the length, {good} requests were answered");
            }).await;
        }
    }

    async fn flood_of_bodies_without_a_rate_limit_takes_little_memory(database: FreshDatabase) {
        let target = Target::start(&database, &[]).await;
        let live = target.program.key("live").0;
        target.hold("960 over HTTP/2 with enough points", async {
            let (good, refused) = target.flood(&live, 60, STREAMS_PER_CONNECTION_MAX as usize).await;
            assert!(good > 0 && refused > 0, "{good} are answered and {refused} refused: bodies have a budget");
        }).await;
    }

    async fn portraits_that_stall_take_little_memory_and_delay_no_other_partner(database: FreshDatabase) {
        let target = Target::start(&database, &[("RATE_LIMIT_POINTS", "1000"), ("RATE_LIMIT_RESTORE", "50")]).await;
        let keys = [target.program.key("test").0, target.program.key("live").0];
        let photo = target.mock_server.reply("/stalls", Reply::Stalled { bytes: PHOTO_BYTES_MAX });
        let photo = photo.replace(crate::app::mock_server::HOST, "127.0.0.1");
        target.hold("200 portraits", async {
            let creates = (0..200).map(async |number: usize| {
                let input = json!({ "externalDossierId": number.to_string(), "deceased": { "photoUrl": photo } });
                let body = json!({ "query": create_document(), "variables": { "input": input } }).to_string();
                let request = http_client().post(format!("{}/partner/api/2026-10/graphql", target.serving.base));
                let request = request.header("x-service-access-token", &keys[number % 2]);
                let answer = request.header("content-type", "application/json").body(body).send().await;
                answer.expect("an answer").status().as_u16()
            });
            let statuses = join_all(creates).await;
            assert!(statuses.iter().all(|status| [200, 429, 503].contains(status)), "{statuses:?}");
            assert!(statuses.contains(&200) && statuses.contains(&503), "some are fetched, and some have to wait too long");
        }).await;
    }
}
