//! The guarded HTTP client for URLs that a partner supplies.
//!
//! Called by the operations that fetch a portrait or register a callback, and by the webhook worker (specification, section 2.11;
//! decisions, section 7, W5). No proxy, cookies, credentials or decompression; each redirect is checked and followed here.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::header::{self, HeaderMap, HeaderValue};
use http::{Method, Request, Response, StatusCode};
use http_body_util::{BodyExt as _, Full};
use hyper::body::{Body as _, Incoming};
use hyper_util::client::legacy::{self, connect::HttpInfo};
use hyper_util::rt::{TokioExecutor, TokioTimer};
use percent_encoding::{CONTROLS, percent_encode};
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject as _;
use rustls::{ClientConfig, RootCertStore};
use tokio::time::{timeout, timeout_at};
use url::{Host, Url};

use super::connector::{Connector, Reuse};
use super::guard::{Guard, admit};
use super::post::{CheckError, Failure, FetchError, OutboundError};
#[cfg(feature = "simulation")]
use super::script::Script;
use super::{EgressPolicy, Names};
use crate::base::{HttpUrl, Pace, limits};
use crate::model::NoAnswer;

const USER_AGENT: &str = "PartnerCardService/1";
const ACCEPT_PHOTOS: &str = "image/jpeg, image/png, image/webp, image/gif, image/heic, image/*;q=0.5";

type Client = legacy::Client<Connector, Full<Bytes>>;

/// The limits of a fetch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FetchLimits {
    pub bytes_max: usize,
    /// For name resolution, connections, redirects and the body together.
    pub total: Duration,
    pub redirects_max: usize,
}

impl FetchLimits {
    /// The limits of a portrait (specification, section 2.11).
    pub const PHOTO: Self = Self {
        bytes_max: limits::PHOTO_BYTES_MAX,
        total: limits::PHOTO_FETCH_TOTAL,
        redirects_max: limits::PHOTO_REDIRECTS_MAX,
    };
}

/// The guarded HTTP client; cheap to clone.
#[derive(Clone, Debug)]
pub struct Outbound(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    policy: Arc<EgressPolicy>,
    names: Names,
    clients: Clients,
    #[cfg(feature = "simulation")]
    script: Option<Script>,
}

#[derive(Debug)]
struct Clients {
    /// The client for ports that no entry of `EGRESS_ALLOW` names.
    any_port: Client,
    /// One client for each port that an entry names, because a resolver does not know the port.
    by_port: HashMap<u16, Client>,
}

impl Outbound {
    /// Returns a client with this policy. `extra_roots` is a PEM file of roots to trust in addition to the system's.
    pub fn new(policy: EgressPolicy, names: Names, extra_roots: Option<&Path>) -> Result<Self, OutboundError> {
        let config = Arc::new(client_config(extra_roots)?);
        let policy = Arc::new(policy);
        let client = |port| {
            let guard = Guard { policy: Arc::clone(&policy), names: names.clone(), port };
            build_client(&config, guard)
        };
        // No entry names port 0, so this guard permits the addresses that are open on every port.
        let any_port = client(0);
        let clients = Clients { any_port, by_port: policy.named_ports().map(|port| (port, client(port))).collect() };
        Ok(Self(Arc::new(Inner {
            policy,
            names,
            clients,
            #[cfg(feature = "simulation")]
            script: None,
        })))
    }

    /// Returns a new client whose POST requests a test answers, instead of the network.
    #[cfg(feature = "simulation")]
    pub fn with_script(self, script: Script) -> Self {
        let inner = Arc::into_inner(self.0).expect("a new client has one handle");
        Self(Arc::new(Inner { script: Some(script), ..inner }))
    }

    #[cfg(feature = "simulation")]
    pub(super) fn script(&self) -> Option<&Script> {
        self.0.script.as_ref()
    }

    /// Whether `EGRESS_ALLOW` permits addresses that are not public.
    pub fn is_open(&self) -> bool {
        self.0.policy.is_open()
    }

    /// Returns the permitted addresses, for the log at start.
    pub fn allow_list(&self) -> String {
        self.0.policy.to_string()
    }

    /// Whether a host name has an address.
    pub async fn resolves(&self, name: &str) -> bool {
        self.0.names.look_up(name).await.is_ok_and(|addresses| !addresses.is_empty())
    }

    /// Checks that a URL may be called: its host is permitted, and so are all its current addresses.
    pub async fn check(&self, url: &Url) -> Result<(), CheckError> {
        let (host, port) = self.checked_host(url)?;
        if let Host::Domain(name) = host {
            let admitted = admit(&self.0.policy, &self.0.names, name, port);
            timeout(limits::OUTBOUND_CONNECT, admitted).await.map_err(|_| CheckError::Unresolved)??;
        }
        Ok(())
    }

    /// Fetches a URL.
    pub async fn fetch(&self, address: &HttpUrl, limits: FetchLimits) -> Result<Bytes, FetchError> {
        let url = address.url();
        let host = url.host_str().unwrap_or_default().to_owned();
        let late = || Err(NoAnswer::AnswerTimeOut.into());
        let fetched = timeout(limits.total, self.follow(url, limits)).await;
        fetched.unwrap_or_else(|_| late()).map_err(|failure| {
            tracing::info!(host, error = %failure.error, cause = %failure.cause, "a fetch failed");
            failure.error
        })
    }

    async fn follow(&self, mut url: Url, limits: FetchLimits) -> Result<Bytes, Failure> {
        let mut redirects = 0;
        loop {
            let response = self.get(&url).await?;
            match next_hop(&url, &response)? {
                None => return read_body(response, limits.bytes_max).await,
                Some(_) if redirects == limits.redirects_max => {
                    return Err(Failure::new(FetchError::Redirects, "one redirect too many"));
                }
                Some(next) => url = next,
            }
            redirects += 1;
        }
    }

    async fn get(&self, url: &Url) -> Result<Response<Incoming>, Failure> {
        let headers = || {
            [(header::USER_AGENT, USER_AGENT), (header::ACCEPT, ACCEPT_PHOTOS), (header::ACCEPT_ENCODING, "identity")]
                .map(|(name, value)| (name, HeaderValue::from_static(value)))
                .into_iter()
                .collect()
        };
        self.send_guarded(Method::GET, url, headers, Bytes::new()).await
    }

    /// Sends a request to `url` through the guard, with the headers that `headers` makes.
    pub(super) async fn send_guarded(
        &self,
        method: Method,
        url: &Url,
        headers: impl Fn() -> HeaderMap,
        body: Bytes,
    ) -> Result<Response<Incoming>, Failure> {
        let refused = |cause: &'static str| Failure::new(FetchError::Refused, cause);
        let (_, port) = self.checked_host(url).map_err(|_| refused("the address is not public"))?;
        let clients = &self.0.clients;
        let client = clients.by_port.get(&port).unwrap_or(&clients.any_port);
        let response = loop {
            let mut request = Request::new(Full::new(body.clone()));
            *request.method_mut() = method.clone();
            *request.uri_mut() = url.as_str().parse().map_err(|error| Failure::from_error(&error))?;
            *request.headers_mut() = headers();
            match client.request(request).await {
                Ok(response) => break response,
                // The server may close a connection that is idle just when the next request is sent on it. Sent again, a GET changes
                // nothing, and a receiver knows a notification that it has by its id (RFC 9110, section 9.2.2).
                Err(error) if Reuse::has_answered(&error) && Failure::from_error(&error).is_closed() => {}
                Err(error) => return Err(Failure::from_error(&error)),
            }
        };
        Reuse::record(response.extensions());
        // The guard has checked the address already; a response from another one would be a bug, and is not read.
        match response.extensions().get().map(HttpInfo::remote_addr) {
            Some(peer) if self.0.policy.permits(peer.ip(), peer.port()) => Ok(response),
            _ => Err(refused("the answer came from an address that is not permitted")),
        }
    }

    /// Returns the host and port of a URL. Refuses other schemes than HTTP, credentials, and IP addresses that are not permitted.
    fn checked_host<'u>(&self, url: &'u Url) -> Result<(Host<&'u str>, u16), CheckError> {
        let credentials = !url.username().is_empty() || url.password().is_some();
        let web = matches!(url.scheme(), "http" | "https");
        let (Some(host), Some(port), true, false) = (url.host(), url.port_or_known_default(), web, credentials) else {
            return Err(CheckError::NotPublic);
        };
        let permitted = match host {
            Host::Domain(_) => true, // checked by the guard when it is resolved
            Host::Ipv4(ip) => self.0.policy.permits(ip.into(), port),
            Host::Ipv6(ip) => self.0.policy.permits(ip.into(), port),
        };
        if permitted { Ok((host, port)) } else { Err(CheckError::NotPublic) }
    }
}

#[allow(clippy::disallowed_methods)] // the only function that builds clients
fn build_client(tls: &Arc<ClientConfig>, guard: Guard) -> Client {
    legacy::Client::builder(TokioExecutor::new())
        // The timer closes connections that were idle for 90 seconds, hyper's default.
        .pool_timer(TokioTimer::new())
        // What curl takes from old servers (RFC 9112, sections 5.1 and 5.2; decisions H9b).
        .http1_allow_obsolete_multiline_headers_in_responses(true)
        .http1_allow_spaces_after_header_name_in_responses(true)
        .http1_ignore_invalid_headers_in_responses(true)
        .http1_max_headers(limits::ANSWER_HEADERS_MAX)
        .build(Connector { guard, tls: Arc::clone(tls) })
}

/// Returns the target of a redirect; `None` for a successful response.
fn next_hop(from: &Url, response: &Response<Incoming>) -> Result<Option<Url>, Failure> {
    let status = response.status();
    if status.is_success() {
        return Ok(None);
    }
    let failed = |cause: &'static str| Failure::new(FetchError::Status(status.as_u16()), cause);
    let followed = [
        StatusCode::MOVED_PERMANENTLY,
        StatusCode::FOUND,
        StatusCode::SEE_OTHER,
        StatusCode::TEMPORARY_REDIRECT,
        StatusCode::PERMANENT_REDIRECT,
    ];
    if !followed.contains(&status) {
        return Err(failed("the server answered without success"));
    }
    // Browsers follow an address with bytes outside ASCII (WHATWG URL Standard, section 4.4).
    let location = response.headers().get(header::LOCATION).map(|value| percent_encode(value.as_bytes(), CONTROLS));
    let next = location.and_then(|location| from.join(&location.to_string()).ok());
    let next = next.ok_or_else(|| failed("a redirect to nowhere"))?;
    match (from.scheme(), next.scheme()) {
        ("https", "http") => Err(Failure::new(FetchError::Refused, "a redirect from https to http")),
        _ => Ok(Some(next)),
    }
}

/// Reads a body up to the limit, independent of the declared content length.
pub(super) async fn read_body(response: Response<Incoming>, bytes_max: usize) -> Result<Bytes, Failure> {
    let too_large = || Failure::new(FetchError::TooLarge, "the body is larger than the limit");
    let mut body = response.into_body();
    let declared = body.size_hint().lower();
    if declared > bytes_max as u64 {
        return Err(too_large());
    }
    let mut pace = Pace::new(limits::FETCH_STALLED, limits::FETCH_BYTES_PER_SECOND_MIN);
    let too_slow = |_| NoAnswer::AnswerTimeOut;
    // One buffer: frames may be as short as a byte, and each keeps the buffer that it was read into. The kernel gives its memory as
    // it is filled.
    let mut read = Vec::with_capacity(declared as usize);
    while let Some(frame) = timeout_at(pace.deadline(), body.frame()).await.map_err(too_slow)? {
        let frame = frame.map_err(|error| Failure::from_error(&error))?;
        let Some(chunk) = frame.data_ref() else { continue };
        pace.receive(chunk.len());
        let length = read.len() + chunk.len();
        if length > bytes_max {
            return Err(too_large());
        }
        if length > read.capacity() {
            // Never more than the limit, which is what is counted for the body.
            read.reserve_exact((2 * read.capacity()).clamp(length, bytes_max) - read.len());
        }
        read.extend_from_slice(chunk);
    }
    Ok(read.into())
}

/// Makes ring the TLS provider of clients that other crates build, such as the object store's. May be called repeatedly.
pub fn install_tls_provider() {
    // An error: a provider is installed already.
    let _ = rustls::crypto::ring::default_provider().install_default();
}

/// Returns the TLS settings: TLS 1.2 and 1.3, HTTP/1.1, with verification of host names.
pub(super) fn client_config(extra_roots: Option<&Path>) -> Result<ClientConfig, OutboundError> {
    let mut roots = RootCertStore::empty();
    let system = rustls_native_certs::load_native_certs();
    for error in &system.errors {
        tracing::warn!(%error, "a trusted root of this machine could not be read");
    }
    roots.add_parsable_certificates(system.certs);
    if let Some(path) = extra_roots {
        add_extra(&mut roots, path).map_err(|source| OutboundError::Roots { path: path.to_owned(), source })?;
    }
    if roots.is_empty() {
        tracing::warn!("this machine has no trusted roots: every outbound https connection will fail");
    }
    let mut config = ClientConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(|error| OutboundError::Client(error.into()))?
        .with_root_certificates(roots)
        .with_no_client_auth();
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(config)
}

fn add_extra(roots: &mut RootCertStore, path: &Path) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    let before = roots.len();
    for certificate in CertificateDer::pem_file_iter(path)? {
        roots.add(certificate?)?;
    }
    match roots.len() > before {
        true => Ok(()),
        false => Err("the file holds no certificate in PEM".into()),
    }
}
