//! A proxy that records what a server sends to PostgreSQL: its statements, and how often it waits for an answer.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};

/// The statements that were run, and the round trips that they took: statements that are sent together share one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Traffic {
    pub statements: Vec<String>,
    pub round_trips: usize,
    /// The answers that are awaited, on all connections.
    awaited: usize,
}

/// The proxy; it works while the runtime of the test does.
pub struct Recorder {
    /// The address of the database through this proxy.
    pub url: String,
    traffic: Arc<Mutex<Traffic>>,
}

impl Recorder {
    pub async fn start(database: &str) -> Self {
        let mut url = url::Url::parse(database).expect("an address");
        let target = (url.host_str().expect("a host").to_owned(), url.port().unwrap_or(5432));
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        url.set_host(Some("127.0.0.1")).expect("a host");
        url.set_port(Some(listener.local_addr().expect("an address").port())).expect("a port");
        let traffic = Arc::<Mutex<Traffic>>::default();
        let recorded = Arc::clone(&traffic);
        tokio::spawn(async move {
            while let Ok((near, _)) = listener.accept().await {
                let far = TcpStream::connect(target.clone()).await.expect("PostgreSQL runs");
                near.set_nodelay(true).and(far.set_nodelay(true)).expect("a socket option");
                let (near_read, near_write) = near.into_split();
                let (far_read, far_write) = far.into_split();
                let session = Arc::new(Mutex::new(Session { traffic: Arc::clone(&recorded), ..Session::default() }));
                let asked = Arc::clone(&session);
                tokio::spawn(pass(near_read, far_write, true, move |kind, body| {
                    asked.lock().expect("no recording panics").asked(kind, body)
                }));
                tokio::spawn(pass(far_read, near_write, false, move |kind, _| {
                    session.lock().expect("no recording panics").answered(kind)
                }));
            }
        });
        Self { url: url.into(), traffic }
    }

    /// Returns what was recorded since the last call.
    pub fn take(&self) -> Traffic {
        let mut traffic = self.traffic.lock().expect("no recording panics");
        let awaited = traffic.awaited;
        std::mem::replace(&mut traffic, Traffic { awaited, ..Traffic::default() })
    }

    /// Waits until a statement that begins with this text was answered, and returns what was recorded since the last call.
    pub async fn take_with(&self, statement: &str) -> Traffic {
        let is_answered = || {
            let traffic = self.traffic.lock().expect("no recording panics");
            traffic.awaited == 0 && traffic.statements.iter().any(|text| text.starts_with(statement))
        };
        let answered = async {
            while !is_answered() {
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
        };
        tokio::time::timeout(Duration::from_secs(30), answered).await.expect("the statement is run");
        self.take()
    }
}

/// One connection.
#[derive(Default)]
struct Session {
    traffic: Arc<Mutex<Traffic>>,
    /// The prepared statements, by name.
    prepared: HashMap<String, String>,
    /// How many answers are awaited.
    awaited: usize,
}

impl Session {
    /// Records a message of the client (PostgreSQL, section 55.7: Message Formats).
    fn asked(&mut self, kind: u8, body: &[u8]) {
        let mut texts = body.split(|byte| *byte == 0).map(|text| String::from_utf8_lossy(text).into_owned());
        let mut text = || texts.next().unwrap_or_default();
        let mut traffic = self.traffic.lock().expect("no recording panics");
        match kind {
            b'P' => drop(self.prepared.insert(text(), text())),
            b'B' => {
                let (_portal, name) = (text(), text());
                traffic.statements.push(self.prepared.get(&name).cloned().unwrap_or_default());
            }
            b'Q' => traffic.statements.push(text()),
            _ => {}
        }
        if matches!(kind, b'Q' | b'S') {
            traffic.round_trips += usize::from(self.awaited == 0);
            traffic.awaited += 1;
            self.awaited += 1;
        }
    }

    /// Records a message of PostgreSQL: ReadyForQuery ends an answer.
    fn answered(&mut self, kind: u8) {
        // The first one ends the start of the connection.
        if kind == b'Z' && self.awaited > 0 {
            self.awaited -= 1;
            self.traffic.lock().expect("no recording panics").awaited -= 1;
        }
    }
}

/// Passes on the bytes of one direction, and shows each message to `see` before. The first message of a client has no kind.
async fn pass(mut from: OwnedReadHalf, mut to: OwnedWriteHalf, begins: bool, see: impl Fn(u8, &[u8])) {
    let (mut kind_bytes, mut rest, mut buffer) = (usize::from(!begins), Vec::new(), vec![0; 65_536]);
    while let Ok(count @ 1..) = from.read(&mut buffer).await {
        rest.extend_from_slice(&buffer[..count]);
        while let Some(length) = rest.get(kind_bytes..kind_bytes + 4) {
            let length = u32::from_be_bytes(length.try_into().expect("four bytes")) as usize;
            let Some(message) = rest.get(..kind_bytes + length) else { break };
            let kind = if kind_bytes == 1 { message[0] } else { 0 };
            see(kind, &message[kind_bytes + 4..]);
            rest.drain(..kind_bytes + length);
            kind_bytes = 1;
        }
        if to.write_all(&buffer[..count]).await.is_err() {
            break;
        }
    }
}
