//! The server under attack, in a process of its own, and how input is sent to it.

use std::env;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::task::JoinHandle;

use super::Input;
use super::meter::Meter;
use crate::app::{FreshDatabase, MockServer, Program, Serving, http_client};

/// How long an answer may be awaited, and how long a connection may be silent before its answers count as read.
const ANSWER_WITHIN: Duration = Duration::from_secs(30);
const SILENT: Duration = Duration::from_millis(150);

/// How long a client that takes no answers keeps its connections open.
const HELD: Duration = Duration::from_millis(800);

/// The pause between two requests of the other client.
const OTHERS_EVERY: Duration = Duration::from_millis(100);

pub struct Target {
    pub meter: Meter,
    pub mock_server: MockServer,
    serving: Serving,
    token: String,
    others: Others,
}

/// Whether the server was built with optimisations: budgets differ.
pub fn is_release() -> bool {
    env::var_os("BUDGET_BINARY").is_some() || !cfg!(debug_assertions)
}

impl Target {
    pub async fn start(database: &FreshDatabase) -> Self {
        let mock_server = MockServer::start().await;
        let mut program =
            Program::on(database).set("EGRESS_ALLOW", &mock_server.http.to_string()).set("RUST_LOG", "warn");
        if let Some(binary) = env::var_os("BUDGET_BINARY") {
            program = program.of(&PathBuf::from(binary).canonicalize().expect("BUDGET_BINARY is a file"));
        }
        let serving = program.serve();
        let token = program.token("live");
        let others = Others::start(&serving.base, &token);
        let target = Self { meter: Meter::of(serving.pid()), mock_server, serving, token, others };
        target.warm().await;
        target
    }

    /// Makes what the first requests would make: engines, pages, connections.
    async fn warm(&self) {
        for path in ["/docs/2026-10", "/docs/2027-01"] {
            let get = format!("GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
            self.converse(get.as_bytes(), true).await;
        }
        self.converse(&self.post(br#"{"query":"{__typename}"}"#), true).await;
        self.others.take_longest();
    }

    /// A POST to the partner API, as bytes.
    pub fn post(&self, body: &[u8]) -> Vec<u8> {
        post_to("2026-10/graphql", &self.token, body)
    }

    /// A request that makes the server fetch `photo` and look at it.
    pub fn post_photo(&self, name: &str, photo: Vec<u8>) -> Vec<u8> {
        let path = format!("/{name}");
        self.mock_server.photo(&path, "image/png", photo);
        let document = "mutation($input: CardCreateInput!) { cardCreate(input: $input) { userErrors { code } } }";
        let input = json!({ "externalDossierId": name, "deceased": {
            "firstName": "Jan", "photoUrl": format!("http://{}{path}", self.mock_server.http) } });
        self.post(json!({ "query": document, "variables": { "input": input } }).to_string().as_bytes())
    }

    /// Sends an input over all of its connections, and waits until it is answered or has been held.
    pub async fn send(&self, input: &Input) {
        let sent = (0..input.connections).map(|_| self.converse(&input.bytes, input.reads));
        futures_util::future::join_all(sent).await;
    }

    /// The longest that the other client has waited since this was last asked.
    pub fn others_waited(&self) -> Duration {
        self.others.take_longest()
    }

    async fn converse(&self, bytes: &[u8], reads: bool) {
        let address = self.serving.base.strip_prefix("http://").expect("the server speaks http");
        let mut stream = TcpStream::connect(address).await.expect("the server accepts connections");
        let (mut from, mut to) = stream.split();
        // The server may close the connection before it has read everything: that is its right.
        let write = async {
            let _ = tokio::time::timeout(ANSWER_WITHIN, to.write_all(bytes)).await;
        };
        let read = async {
            let mut buffer = vec![0; 64 * 1024];
            let mut wait = ANSWER_WITHIN;
            while let Ok(Ok(1..)) = tokio::time::timeout(wait, from.read(&mut buffer)).await {
                wait = SILENT;
            }
        };
        if reads {
            tokio::join!(write, read);
        } else {
            write.await;
            tokio::time::sleep(HELD).await;
        }
    }
}

fn post_to(path: &str, token: &str, body: &[u8]) -> Vec<u8> {
    let head = format!(
        "POST /partner/api/{path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n\
         X-Service-Access-Token: {token}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        body.len()
    );
    [head.as_bytes(), body].concat()
}

/// A client that behaves, and measures how long it waits.
struct Others {
    longest_us: Arc<AtomicU64>,
    failed: Arc<AtomicBool>,
    asking: JoinHandle<()>,
}

impl Others {
    fn start(base: &str, token: &str) -> Self {
        let (longest_us, failed) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicBool::new(false)));
        let (longest, failure) = (Arc::clone(&longest_us), Arc::clone(&failed));
        let (url, token) = (format!("{base}/partner/api/2026-10/graphql"), token.to_owned());
        let asking = tokio::spawn(async move {
            loop {
                let start = Instant::now();
                let request = http_client().post(&url).header("x-service-access-token", &token).timeout(ANSWER_WITHIN);
                let answer = request.json(&json!({ "query": "{ card(id: \"geen\") { id } }" })).send().await;
                if !answer.is_ok_and(|answer| answer.status() == 200) {
                    failure.store(true, Ordering::Relaxed);
                }
                longest.fetch_max(start.elapsed().as_micros() as u64, Ordering::Relaxed);
                tokio::time::sleep(OTHERS_EVERY).await;
            }
        });
        Self { longest_us, failed, asking }
    }

    fn take_longest(&self) -> Duration {
        assert!(!self.failed.load(Ordering::Relaxed), "a client that behaves was not answered");
        Duration::from_micros(self.longest_us.swap(0, Ordering::Relaxed))
    }
}

impl Drop for Others {
    fn drop(&mut self) {
        self.asking.abort();
    }
}
