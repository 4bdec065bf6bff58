//! A mock server over http and https: the service fetches portraits from it and sends notifications to it.

use std::collections::{HashMap, VecDeque};
use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bytes::Bytes;
use futures_util::{StreamExt, stream};
use http_body_util::combinators::UnsyncBoxBody;
use http_body_util::{BodyExt, Full, StreamBody};
use hyper::body::{Frame, Incoming};
use hyper::header::HeaderMap;
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use rcgen::{CertifiedKey, generate_simple_self_signed};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpListener;
use tokio::sync::Notify;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::PrivateKeyDer;

/// The host name of the mock server.
pub const HOST: &str = "photos.example";

/// A small photo of each format (`conformance/data`).
pub const PNG: &[u8] = include_bytes!("../data/photo/pixel.png");
pub const GIF: &[u8] = b"GIF89a\x01\0\x01\0\x80\0\0\0\0\0\xff\xff\xff,\0\0\0\0\x01\0\x01\0\0\x02\x02D\x01\0;";
pub const JPEG: &[u8] = include_bytes!("../data/photo/grey.jpeg");
pub const WEBP: &[u8] = b"RIFF\x1a\0\0\0WEBPVP8L\x0d\0\0\0\x2f\0\0\0\x10\x07\x10\x11\x11\x88\x88\xfe\x07\0";
pub const HEIC: &[u8] = include_bytes!("../data/heic/plain.heic");

type Body = UnsyncBoxBody<Bytes, Infallible>;

/// How the mock server answers a request.
#[derive(Clone, Debug)]
pub enum Reply {
    Status(u16),
    /// A status with one header.
    Told {
        status: u16,
        header: (&'static str, String),
    },
    /// Reads the request and resets the connection.
    Reset,
    /// Repeats the `challenge` of the request.
    Echo,
    Bytes {
        content_type: &'static str,
        body: Bytes,
    },
    Redirect {
        status: u16,
        location: String,
    },
    /// Reads the request and never answers.
    Silence,
    /// Waits for `release`, then sends a portrait.
    Held {
        release: Arc<Notify>,
    },
    /// Answers, and then sends one byte a second.
    Drip,
    /// Sends this many bytes without a content length.
    Unannounced {
        bytes: usize,
    },
    /// Announces this many bytes and sends none.
    Announced {
        bytes: usize,
    },
    /// Announces this many bytes, and sends nothing after most of them.
    Stalled {
        bytes: usize,
    },
}

/// A received request.
#[derive(Clone, Debug)]
pub struct Seen {
    pub path: String,
    pub headers: HeaderMap,
    pub body: Bytes,
    /// Whether the response was an immediate 2xx.
    pub accepted: bool,
}

/// The server; cheap to clone.
#[derive(Clone)]
pub struct MockServer {
    pub http: SocketAddr,
    pub https: SocketAddr,
    /// The root to trust for https, as PEM.
    pub root: String,
    shared: Arc<Shared>,
}

#[derive(Default)]
struct Shared {
    /// The next replies of a path; the last one repeats.
    replies: Mutex<HashMap<String, VecDeque<Reply>>>,
    seen: Mutex<Vec<Seen>>,
}

impl MockServer {
    pub async fn start() -> Self {
        let shared = Arc::<Shared>::default();
        let CertifiedKey { cert, signing_key } =
            generate_simple_self_signed(vec![HOST.to_owned(), "127.0.0.1".to_owned()])
                .expect("a certificate can be made");
        let key = PrivateKeyDer::Pkcs8(signing_key.serialize_der().into());
        let tls = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .expect("TLS 1.2 and 1.3")
            .with_no_client_auth()
            .with_single_cert(vec![cert.der().clone()], key)
            .expect("the certificate fits its key");
        let tls = TlsAcceptor::from(Arc::new(tls));

        let (plain, secure) = (listen().await, listen().await);
        let (http, https) = (address(&plain), address(&secure));
        let this = Self { http, https, root: cert.pem(), shared };
        let (on_plain, on_secure) = (this.shared.clone(), this.shared.clone());
        tokio::spawn(async move {
            while let Ok((stream, _)) = plain.accept().await {
                tokio::spawn(converse(stream, on_plain.clone()));
            }
        });
        tokio::spawn(async move {
            while let Ok((stream, _)) = secure.accept().await {
                let (tls, shared) = (tls.clone(), on_secure.clone());
                tokio::spawn(async move {
                    if let Ok(stream) = tls.accept(stream).await {
                        converse(stream, shared).await;
                    }
                });
            }
        });
        this
    }

    /// Answers requests for `path` with `reply`; other paths get 404.
    pub fn reply(&self, path: &str, reply: Reply) -> String {
        self.play(path, [reply]);
        self.url(path)
    }

    /// Answers requests for `path` with these replies in order; the last one repeats.
    pub fn play(&self, path: &str, replies: impl IntoIterator<Item = Reply>) {
        self.shared
            .replies
            .lock()
            .expect("no test panics with the lock")
            .insert(path.to_owned(), replies.into_iter().collect());
    }

    /// From now on a request for `path` gets these bytes; returns the address.
    pub fn photo(&self, path: &str, content_type: &'static str, body: impl Into<Bytes>) -> String {
        self.reply(path, Reply::Bytes { content_type, body: body.into() })
    }

    /// The http address of `path`.
    pub fn url(&self, path: &str) -> String {
        format!("http://{HOST}:{}{path}", self.http.port())
    }

    /// The https address of `path`.
    pub fn secure_url(&self, path: &str) -> String {
        format!("https://{HOST}:{}{path}", self.https.port())
    }

    /// Returns the requests so far.
    pub fn requests(&self) -> Vec<Seen> {
        self.shared.seen.lock().expect("no test panics with the lock").clone()
    }
}

impl Shared {
    fn next(&self, path: &str) -> Reply {
        let mut replies = self.replies.lock().expect("no test panics with the lock");
        let reply = replies.get_mut(path).and_then(|replies| match replies.len() {
            0 | 1 => replies.front().cloned(),
            _ => replies.pop_front(),
        });
        reply.unwrap_or(Reply::Status(404))
    }
}

async fn listen() -> TcpListener {
    TcpListener::bind("127.0.0.1:0").await.expect("a port is free")
}

fn address(listener: &TcpListener) -> SocketAddr {
    listener.local_addr().expect("a listener has an address")
}

async fn converse(stream: impl AsyncRead + AsyncWrite + Unpin, shared: Arc<Shared>) {
    let service = service_fn(move |request: Request<Incoming>| {
        let shared = shared.clone();
        async move { answer(&shared, request).await }
    });
    // A connection that the service drops is part of the game.
    let _ = hyper::server::conn::http1::Builder::new().serve_connection(TokioIo::new(stream), service).await;
}

async fn answer(shared: &Shared, request: Request<Incoming>) -> Result<Response<Body>, std::io::Error> {
    let (head, body) = request.into_parts();
    let body = body.collect().await.map_err(std::io::Error::other)?.to_bytes();
    let path = head.uri.path().to_owned();
    let reply = shared.next(&path);
    let accepted =
        matches!(reply, Reply::Status(200..300) | Reply::Told { status: 200..300, .. } | Reply::Bytes { .. });
    shared.seen.lock().expect("no test panics with the lock").push(Seen {
        path,
        headers: head.headers,
        body: body.clone(),
        accepted,
    });
    let response = Response::builder();
    let whole = |body: Bytes| Full::new(body).boxed_unsync();
    let response = match reply {
        Reply::Reset => return Err(std::io::Error::other("as the test wants it")),
        Reply::Told { status, header } => response.status(status).header(header.0, header.1).body(whole(Bytes::new())),
        Reply::Status(status) => response.status(status).body(whole(Bytes::from_static(b"no portrait"))),
        Reply::Echo => {
            let asked: serde_json::Value = serde_json::from_slice(&body).expect("a body is JSON");
            let challenge = asked["challenge"].as_str().expect("a challenge").to_owned();
            response.header("content-type", "text/plain").body(whole(challenge.into()))
        }
        Reply::Bytes { content_type, body } => response.header("content-type", content_type).body(whole(body)),
        Reply::Redirect { status, location } => {
            response.status(status).header("location", location).body(whole(Bytes::new()))
        }
        Reply::Silence => std::future::pending().await,
        Reply::Held { release } => {
            release.notified().await;
            response.body(whole(Bytes::from_static(PNG)))
        }
        Reply::Drip => response.body(drip()),
        Reply::Unannounced { bytes } => response.body(chunks(bytes, false)),
        Reply::Stalled { bytes } => response.header("content-length", bytes).body(chunks(bytes - 65_536, true)),
        Reply::Announced { bytes } => response.header("content-length", bytes).body(drip()),
    };
    Ok(response.expect("the reply is well-formed"))
}

/// One byte a second, for ever.
fn drip() -> Body {
    let bytes = stream::repeat(()).then(|()| async {
        tokio::time::sleep(Duration::from_secs(1)).await;
        Ok(Frame::data(Bytes::from_static(b"x")))
    });
    StreamBody::new(bytes).boxed_unsync()
}

/// A JPEG's first bytes and then zeros, in chunks of 64 KiB; then its end, or nothing.
fn chunks(bytes: usize, stalls: bool) -> Body {
    let first = stream::once(async { Ok(Frame::data(Bytes::from_static(b"\xff\xd8\xff\xe0"))) });
    let rest = stream::iter((0..bytes / 65_536).map(|_| Ok(Frame::data(Bytes::from_static(&[0; 65_536])))));
    let stall = stream::pending().take(usize::from(stalls));
    StreamBody::new(first.chain(rest).chain(stall)).boxed_unsync()
}
