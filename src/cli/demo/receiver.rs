//! A receiver of notifications inside this process: over https, with the signature checked. For the demo.
//!
//! It stands on the loopback behind a certificate that it made itself, and is subscribed like any receiver: whoever
//! starts it opens its address to the outbound client and hands over its certificate as a trusted root.

use std::collections::HashSet;
use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use bytes::Bytes;
use http::{HeaderMap, Method, Request, Response, StatusCode};
use http_body_util::{BodyExt as _, Empty, Limited};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use rcgen::{CertifiedKey, generate_simple_self_signed};
use rustls::ServerConfig;
use rustls::pki_types::PrivateKeyDer;
use tokio::net::TcpListener;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio_rustls::TlsAcceptor;

use super::signature::{self, ID_HEADER, Received, SIGNATURE_HEADER, SignatureError, TIMESTAMP_HEADER};
use crate::base::Clock;
use crate::base::limits::{SINK_ARRIVALS_WAITING_MAX, SINK_BODY_BYTES_MAX};
use crate::model::SigningSecret;

/// Why there is no sink.
#[derive(Debug, thiserror::Error)]
pub enum SinkError {
    #[error("the built-in receiver cannot listen on the loopback")]
    Listen(#[from] io::Error),
    #[error("the certificate of the built-in receiver cannot be made")]
    Certificate(#[source] Box<dyn std::error::Error + Send + Sync>),
}

/// A notification that arrived.
#[derive(Clone, Debug)]
pub struct Arrival {
    pub id: String,
    /// From `X-Service-Attempt`.
    pub attempt: String,
    pub body: Bytes,
    /// Whether a receiver should believe it.
    pub verified: Result<(), SignatureError>,
    /// Whether it had been here before.
    pub again: bool,
}

/// A receiver that listens; dropping it ends it.
pub struct Sink {
    address: SocketAddr,
    certificate: String,
    secrets: Arc<OnceLock<Vec<SigningSecret>>>,
    arrivals: mpsc::Receiver<Arrival>,
    accepting: JoinHandle<()>,
}

struct Shared {
    clock: Clock,
    secrets: Arc<OnceLock<Vec<SigningSecret>>>,
    seen: Mutex<HashSet<String>>,
    arrivals: mpsc::Sender<Arrival>,
}

impl Sink {
    /// Listens on a free port of the loopback.
    pub async fn start(clock: Clock) -> Result<Self, SinkError> {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
        let address = listener.local_addr()?;
        let (tls, certificate) = certified(address)?;
        let (send, arrivals) = mpsc::channel(SINK_ARRIVALS_WAITING_MAX);
        let secrets = Arc::<OnceLock<Vec<SigningSecret>>>::default();
        let shared = Shared { clock, secrets: Arc::clone(&secrets), seen: Mutex::default(), arrivals: send };
        let accepting = tokio::spawn(accept(listener, tls, Arc::new(shared)));
        Ok(Self { address, certificate, secrets, arrivals, accepting })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Its certificate, which is its own root, as PEM.
    pub fn certificate(&self) -> &str {
        &self.certificate
    }

    /// The secrets that it checks with, from now on; until then it answers 503. A second call changes nothing.
    pub fn trust(&self, secrets: Vec<SigningSecret>) {
        let _ = self.secrets.set(secrets);
    }

    /// The next notification that arrives.
    pub async fn next(&mut self) -> Option<Arrival> {
        self.arrivals.recv().await
    }
}

impl Drop for Sink {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

/// A certificate for the address, made here and now, and what serves behind it.
fn certified(address: SocketAddr) -> Result<(TlsAcceptor, String), SinkError> {
    let made = generate_simple_self_signed([address.ip().to_string()]);
    let CertifiedKey { cert, signing_key } = made.map_err(|error| SinkError::Certificate(error.into()))?;
    let key = PrivateKeyDer::Pkcs8(signing_key.serialize_der().into());
    let config = ServerConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .with_safe_default_protocol_versions()
        .and_then(|builder| builder.with_no_client_auth().with_single_cert(vec![cert.der().clone()], key))
        .map_err(|error| SinkError::Certificate(error.into()))?;
    Ok((TlsAcceptor::from(Arc::new(config)), cert.pem()))
}

async fn accept(listener: TcpListener, tls: TlsAcceptor, shared: Arc<Shared>) {
    // Only this machine reaches it: nobody else can hold it up.
    while let Ok((stream, _)) = listener.accept().await {
        let (tls, shared) = (tls.clone(), Arc::clone(&shared));
        tokio::spawn(async move {
            let Ok(stream) = tls.accept(stream).await else { return };
            let service = service_fn(move |request| {
                let shared = Arc::clone(&shared);
                async move { Ok::<_, Infallible>(answer(&shared, request).await) }
            });
            // A connection that breaks off is the sender's to mend: it sends again.
            let _ = http1::Builder::new().serve_connection(TokioIo::new(stream), service).await;
        });
    }
}

async fn answer(shared: &Shared, request: Request<Incoming>) -> Response<Empty<Bytes>> {
    let status = receive(shared, request).await;
    let mut response = Response::new(Empty::new());
    *response.status_mut() = status;
    response
}

/// What a receiver should do, in the order of docs/webhooks.md: raw bytes, signature, id, and a fast answer.
async fn receive(shared: &Shared, request: Request<Incoming>) -> StatusCode {
    if request.method() != Method::POST {
        return StatusCode::METHOD_NOT_ALLOWED;
    }
    let Some(secrets) = shared.secrets.get() else { return StatusCode::SERVICE_UNAVAILABLE };
    let (head, body) = request.into_parts();
    let Ok(body) = Limited::new(body, SINK_BODY_BYTES_MAX).collect().await else { return StatusCode::BAD_REQUEST };
    let body = body.to_bytes();
    let id = text(&head.headers, ID_HEADER);
    let received = Received {
        id,
        timestamp: text(&head.headers, TIMESTAMP_HEADER),
        signature: text(&head.headers, SIGNATURE_HEADER),
        body: &body,
    };
    let verified = signature::verify(secrets, &received, shared.clock.now().millis().div_euclid(1_000));
    let genuine = verified.is_ok();
    let again = genuine && !shared.seen.lock().unwrap_or_else(PoisonError::into_inner).insert(id.to_owned());
    let attempt = text(&head.headers, "x-service-attempt").to_owned();
    let arrival = Arrival { id: id.to_owned(), attempt, body: body.clone(), verified, again };
    // Where nobody looks any more, it was received all the same.
    let _ = shared.arrivals.try_send(arrival);
    if genuine { StatusCode::NO_CONTENT } else { StatusCode::UNAUTHORIZED }
}

fn text<'a>(headers: &'a HeaderMap, name: &str) -> &'a str {
    headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
}
