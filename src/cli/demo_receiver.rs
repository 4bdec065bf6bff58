//! The demo's receiver of notifications: an HTTPS server on the loopback that verifies signatures.
//!
//! Its certificate is self-signed. The demo adds it to the trusted roots and allows its address in the outbound client.

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

use crate::base::Clock;
use crate::base::limits::{DEMO_RECEIVER_BODY_BYTES_MAX, DEMO_RECEIVER_QUEUE_MAX};
use crate::model::SigningSecret;
use crate::webhook::{self, ID_HEADER, SIGNATURE_HEADER, SignatureError, SignedRequest, TIMESTAMP_HEADER};

/// Why the receiver does not start.
#[derive(Debug, thiserror::Error)]
pub(super) enum ReceiverError {
    #[error("the built-in receiver cannot listen on the loopback")]
    Listen(#[from] io::Error),
    #[error("the certificate of the built-in receiver cannot be made")]
    Certificate(#[source] Box<dyn std::error::Error + Send + Sync>),
}

/// A received notification.
#[derive(Clone, Debug)]
pub(super) struct Received {
    pub id: String,
    /// From `X-Service-Attempt`.
    pub attempt: String,
    pub body: Bytes,
    /// The result of the signature check.
    pub verified: Result<(), SignatureError>,
    /// Whether a notification with this id was received before.
    pub again: bool,
}

/// A listening receiver; it stops when it is dropped.
pub(super) struct DemoReceiver {
    address: SocketAddr,
    certificate: String,
    secrets: Arc<OnceLock<Vec<SigningSecret>>>,
    notifications: mpsc::Receiver<Received>,
    accepting: JoinHandle<()>,
}

struct Shared {
    clock: Clock,
    secrets: Arc<OnceLock<Vec<SigningSecret>>>,
    seen: Mutex<HashSet<String>>,
    notifications: mpsc::Sender<Received>,
}

impl DemoReceiver {
    /// Listens on a free port of the loopback.
    pub(super) async fn start(clock: Clock) -> Result<Self, ReceiverError> {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
        let address = listener.local_addr()?;
        let (tls, certificate) = make_certificate(address)?;
        let (send, notifications) = mpsc::channel(DEMO_RECEIVER_QUEUE_MAX);
        let secrets = Arc::<OnceLock<Vec<SigningSecret>>>::default();
        let shared = Shared { clock, secrets: Arc::clone(&secrets), seen: Mutex::default(), notifications: send };
        let accepting = tokio::spawn(accept(listener, tls, Arc::new(shared)));
        Ok(Self { address, certificate, secrets, notifications, accepting })
    }

    pub(super) fn address(&self) -> SocketAddr {
        self.address
    }

    /// Returns its self-signed certificate as PEM.
    pub(super) fn certificate(&self) -> &str {
        &self.certificate
    }

    /// Sets the secrets to verify with. Until then it answers 503; later calls have no effect.
    pub(super) fn trust(&self, secrets: Vec<SigningSecret>) {
        let _ = self.secrets.set(secrets);
    }

    /// Waits for the next notification.
    pub(super) async fn next(&mut self) -> Option<Received> {
        self.notifications.recv().await
    }
}

impl Drop for DemoReceiver {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

/// Makes a self-signed certificate for the address, and the TLS acceptor that uses it.
fn make_certificate(address: SocketAddr) -> Result<(TlsAcceptor, String), ReceiverError> {
    let made = generate_simple_self_signed([address.ip().to_string()]);
    let CertifiedKey { cert, signing_key } = made.map_err(|error| ReceiverError::Certificate(error.into()))?;
    let key = PrivateKeyDer::Pkcs8(signing_key.serialize_der().into());
    let config = ServerConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .with_safe_default_protocol_versions()
        .and_then(|builder| builder.with_no_client_auth().with_single_cert(vec![cert.der().clone()], key))
        .map_err(|error| ReceiverError::Certificate(error.into()))?;
    Ok((TlsAcceptor::from(Arc::new(config)), cert.pem()))
}

async fn accept(listener: TcpListener, tls: TlsAcceptor, shared: Arc<Shared>) {
    while let Ok((stream, _)) = listener.accept().await {
        let (tls, shared) = (tls.clone(), Arc::clone(&shared));
        tokio::spawn(async move {
            let Ok(stream) = tls.accept(stream).await else { return };
            let service = service_fn(move |request| {
                let shared = Arc::clone(&shared);
                async move { Ok::<_, Infallible>(answer(&shared, request).await) }
            });
            // After a connection error the sender sends again.
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

/// Handles a notification in the order of docs/webhooks.md: raw bytes, signature, id, fast response.
async fn receive(shared: &Shared, request: Request<Incoming>) -> StatusCode {
    if request.method() != Method::POST {
        return StatusCode::METHOD_NOT_ALLOWED;
    }
    let Some(secrets) = shared.secrets.get() else { return StatusCode::SERVICE_UNAVAILABLE };
    let (head, body) = request.into_parts();
    let Ok(body) = Limited::new(body, DEMO_RECEIVER_BODY_BYTES_MAX).collect().await else {
        return StatusCode::BAD_REQUEST;
    };
    let body = body.to_bytes();
    let id = text(&head.headers, ID_HEADER);
    let request = SignedRequest {
        id,
        timestamp: text(&head.headers, TIMESTAMP_HEADER),
        signature: text(&head.headers, SIGNATURE_HEADER),
        body: &body,
    };
    let verified = webhook::verify(secrets, &request, shared.clock.now().millis().div_euclid(1_000));
    let genuine = verified.is_ok();
    let again = genuine && !shared.seen.lock().unwrap_or_else(PoisonError::into_inner).insert(id.to_owned());
    let attempt = text(&head.headers, "x-service-attempt").to_owned();
    let received = Received { id: id.to_owned(), attempt, body: body.clone(), verified, again };
    let _ = shared.notifications.try_send(received); // full or closed: the notification is received but not shown
    if genuine { StatusCode::NO_CONTENT } else { StatusCode::UNAUTHORIZED }
}

fn text<'a>(headers: &'a HeaderMap, name: &str) -> &'a str {
    headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
}
