//! The client against real sockets: names, certificates, proxies. `conformance/mutation/photo.rs`, `photo_address.rs` and
//! `conformance/webhook` hold what partners see of it: redirects, limits, time-outs, refused addresses.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bytes::Bytes;
use rustls::pki_types::PrivateKeyDer;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;
use url::{Host, Url};

use super::{CheckError, EgressPolicy, FetchError, FetchLimits, Names, Outbound};
use crate::base::HttpUrl;
use crate::base::limits::ANSWER_HEADERS_MAX;
use crate::model::NoAnswer;

const LOOPBACK: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

const LIMITS: FetchLimits = FetchLimits { bytes_max: 1000, total: Duration::from_secs(5), redirects_max: 3 };

/// A server that gives every request the same response.
struct Server {
    address: SocketAddr,
    /// The heads of all requests so far.
    heads: Arc<Mutex<Vec<String>>>,
    /// The certificate that a client must trust, in PEM; empty without TLS.
    certificate_pem: String,
}

impl Server {
    /// Starts a server without TLS, or with a self-signed certificate for these names.
    async fn start(names: &[&str], header: &str, body: &'static [u8]) -> Self {
        let names: Vec<_> = names.iter().map(|name| (*name).to_owned()).collect();
        let made = (!names.is_empty()).then(|| rcgen::generate_simple_self_signed(names).expect("a certificate"));
        Self::start_with(made.map(|made| (made.cert, made.signing_key)), header, body).await
    }

    /// Starts a server without TLS, or with this certificate.
    async fn start_with(
        certificate: Option<(rcgen::Certificate, rcgen::KeyPair)>,
        header: &str,
        body: &'static [u8],
    ) -> Self {
        let head =
            format!("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: {}\r\n{header}\r\n\r\n", body.len());
        let answer = Arc::new([head.as_bytes(), body].concat());
        let (tls, certificate_pem) = match certificate {
            None => (None, String::new()),
            Some((certificate, key)) => {
                let key = PrivateKeyDer::Pkcs8(key.serialize_der().into());
                let provider = Arc::new(rustls::crypto::ring::default_provider());
                let config = rustls::ServerConfig::builder_with_provider(provider)
                    .with_safe_default_protocol_versions()
                    .and_then(|builder| {
                        builder.with_no_client_auth().with_single_cert(vec![certificate.der().clone()], key)
                    })
                    .expect("the certificate fits its key");
                (Some(TlsAcceptor::from(Arc::new(config))), certificate.pem())
            }
        };
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let (address, heads) = (listener.local_addr().expect("an address"), Arc::<Mutex<Vec<String>>>::default());
        let seen = Arc::clone(&heads);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (tls, answer, seen) = (tls.clone(), Arc::clone(&answer), Arc::clone(&seen));
                tokio::spawn(async move {
                    match tls {
                        None => respond(stream, &answer, &seen).await,
                        Some(tls) => respond(tls.accept(stream).await?, &answer, &seen).await,
                    }
                });
            }
        });
        Self { address, heads, certificate_pem }
    }

    async fn photo() -> Self {
        Self::start(&[], "Content-Type: text/html", b"photo").await
    }

    fn url(&self, scheme: &str, host: &str) -> String {
        format!("{scheme}://{host}:{}/a.jpeg", self.address.port())
    }

    fn heads(&self) -> Vec<String> {
        self.heads.lock().expect("no test panics here").clone()
    }
}

async fn respond(
    mut stream: impl AsyncRead + AsyncWrite + Unpin,
    answer: &[u8],
    seen: &Mutex<Vec<String>>,
) -> std::io::Result<()> {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(stream.read_u8().await?);
    }
    seen.lock().expect("no test panics here").push(String::from_utf8_lossy(&head).into_owned());
    stream.write_all(answer).await?;
    stream.shutdown().await
}

/// Returns a client that may call this server on its port only; `foto.example` resolves to it.
fn outbound(server: &Server) -> Outbound {
    outbound_with(server, Names::table([("foto.example", vec![LOOPBACK])]))
}

fn outbound_with(server: &Server, names: Names) -> Outbound {
    let policy = EgressPolicy::parse(&server.address.to_string()).expect("a good list");
    let roots = tempfile::NamedTempFile::new().expect("a temporary file");
    std::fs::write(roots.path(), &server.certificate_pem).expect("a temporary file takes a text");
    let extra_roots = (!server.certificate_pem.is_empty()).then(|| roots.path());
    Outbound::new(policy, names, extra_roots).expect("the client is made")
}

async fn fetch(outbound: &Outbound, address: &str) -> Result<Bytes, FetchError> {
    outbound.fetch(&HttpUrl::parse(address).expect("an http address"), LIMITS).await
}

#[tokio::test]
async fn name_is_resolved_once_and_kept_as_the_host() {
    let server = Server::photo().await;
    let rebound: IpAddr = "10.0.0.1".parse().expect("an address");
    let outbound = outbound_with(&server, Names::script(vec![vec![LOOPBACK], vec![rebound]]));
    let address = server.url("http", "foto.example");
    assert_eq!(fetch(&outbound, &address).await.as_deref(), Ok(&b"photo"[..]));
    assert!(server.heads()[0].contains(&format!("host: foto.example:{}\r\n", server.address.port())));
    // The name now resolves to a private address; the old connection is closed, so it is resolved and checked again.
    assert_eq!(fetch(&outbound, &address).await, Err(FetchError::Refused));
    assert_eq!(server.heads().len(), 1);
}

#[tokio::test]
async fn server_opened_without_a_port_is_open_on_every_port() {
    let server = Server::photo().await;
    let policy = EgressPolicy::parse("127.0.0.1").expect("a good list");
    let outbound = Outbound::new(policy, Names::table([("foto.example", vec![LOOPBACK])]), None).expect("a client");
    assert!(outbound.is_open());
    assert_eq!(outbound.allow_list(), "127.0.0.1/32");
    for host in ["127.0.0.1", "foto.example"] {
        assert!(fetch(&outbound, &server.url("http", host)).await.is_ok(), "{host}");
    }
}

#[tokio::test]
async fn https_needs_a_trusted_certificate_for_the_host() {
    let server = Server::start(&["foto.example", "127.0.0.1"], "Content-Type: image/png", b"photo").await;
    let names = Names::table([("anders.example", vec![LOOPBACK]), ("foto.example", vec![LOOPBACK])]);
    let trusting = outbound_with(&server, names.clone());
    for host in ["foto.example", "127.0.0.1"] {
        assert_eq!(fetch(&trusting, &server.url("https", host)).await.as_deref(), Ok(&b"photo"[..]), "{host}");
    }
    let other_name = fetch(&trusting, &server.url("https", "anders.example")).await;
    assert_eq!(other_name, Err(FetchError::NoAnswer(NoAnswer::CertificateName)));
    let policy = EgressPolicy::parse(&server.address.to_string()).expect("a good list");
    let wary = Outbound::new(policy, names, None).expect("a client");
    let untrusted = fetch(&wary, &server.url("https", "foto.example")).await;
    assert_eq!(untrusted, Err(FetchError::NoAnswer(NoAnswer::CertificateIssuer)));
    assert_eq!(server.heads().len(), 2);
}

#[tokio::test]
async fn certificate_out_of_its_time_is_named_as_the_cause() {
    let day = |year| rcgen::date_time_ymd(year, 1, 1);
    for (not_before, not_after, cause) in
        [(day(2000), day(2001), NoAnswer::CertificateExpired), (day(3000), day(3001), NoAnswer::CertificateNotYetValid)]
    {
        let key = rcgen::KeyPair::generate().expect("a key");
        let mut parameters = rcgen::CertificateParams::new(["foto.example".to_owned()]).expect("a name");
        (parameters.not_before, parameters.not_after) = (not_before, not_after);
        let certificate = parameters.self_signed(&key).expect("a certificate");
        let server = Server::start_with(Some((certificate, key)), "Content-Type: image/png", b"photo").await;
        let failed = fetch(&outbound(&server), &server.url("https", "foto.example")).await;
        assert_eq!(failed, Err(FetchError::NoAnswer(cause)));
    }
}

/// Starts a server that gives each connection to `converse`; returns its address.
async fn listen<F>(converse: impl Fn(TcpStream) -> F + Send + 'static) -> SocketAddr
where
    F: Future<Output = std::io::Result<()>> + Send + 'static,
{
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = listener.local_addr().expect("an address");
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(converse(stream));
        }
    });
    address
}

/// Fetches from an address that a test opened, by the name `foto.example`.
async fn fetch_from(address: SocketAddr, scheme: &str, limits: FetchLimits) -> Result<Bytes, FetchError> {
    let policy = EgressPolicy::parse(&address.to_string()).expect("a good list");
    let outbound =
        Outbound::new(policy, Names::table([("foto.example", vec![LOOPBACK])]), None).expect("the client is made");
    let url = format!("{scheme}://foto.example:{}/", address.port());
    outbound.fetch(&HttpUrl::parse(&url).expect("an http address"), limits).await
}

#[tokio::test]
async fn cause_of_a_missing_answer_is_told() {
    let closes = listen(|stream| async {
        drop(stream);
        Ok(())
    });
    let greets = listen(|mut stream| async move {
        stream.read_u8().await?;
        stream.write_all(b"SSH-2.0-OpenSSH_9.2\r\n").await?;
        tokio::io::copy(&mut stream, &mut tokio::io::sink()).await.map(|_| ())
    });
    let is_silent = listen(|stream| async move {
        std::future::pending::<()>().await;
        drop(stream);
        Ok(())
    });
    let (closes, greets, is_silent) = (closes.await, greets.await, is_silent.await);
    let nobody = TcpListener::bind("127.0.0.1:0").await.and_then(|closed| closed.local_addr()).expect("a free port");
    let soon = FetchLimits { total: Duration::from_millis(50), ..LIMITS };
    let patient = FetchLimits { total: Duration::from_secs(60), ..LIMITS };
    for (address, scheme, limits, cause) in [
        (nobody, "http", LIMITS, NoAnswer::ConnectionRefused),
        (closes, "http", LIMITS, NoAnswer::ConnectionClosed),
        (closes, "https", LIMITS, NoAnswer::Tls),
        (greets, "http", LIMITS, NoAnswer::AnswerUnreadable),
        (greets, "https", LIMITS, NoAnswer::Tls),
        (is_silent, "http", soon, NoAnswer::AnswerTimeOut),
        (is_silent, "https", patient, NoAnswer::TlsTimeOut), // waits for the five seconds in real time
    ] {
        let failed = fetch_from(address, scheme, limits).await;
        assert_eq!(failed, Err(FetchError::NoAnswer(cause)), "{scheme} {address}");
    }
    let outbound =
        Outbound::new(EgressPolicy::default(), Names::table([("a.example", vec![])]), None).expect("a client");
    let unknown = fetch(&outbound, "https://a.example/").await;
    assert_eq!(unknown, Err(FetchError::NoAnswer(NoAnswer::NameUnknown)));
}

#[tokio::test]
async fn connection_closed_while_idle_costs_no_attempt() {
    static REQUESTS: AtomicUsize = AtomicUsize::new(0);
    // Answers one request on each connection, and closes it when the next arrives, as a server whose time for it is over.
    let address = listen(|mut stream| async move {
        for answer in [&b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"[..], b""] {
            let mut head = Vec::new();
            while !head.ends_with(b"\r\n\r\n{}") {
                head.push(stream.read_u8().await?);
            }
            REQUESTS.fetch_add(1, Ordering::Relaxed);
            stream.write_all(answer).await?;
        }
        Ok(())
    });
    let address = address.await;
    let policy = EgressPolicy::parse(&address.to_string()).expect("a good list");
    let outbound = Outbound::new(policy, Names::table([("foto.example", vec![LOOPBACK])]), None).expect("a client");
    let url = Url::parse(&format!("http://foto.example:{}/", address.port())).expect("an address");
    for _ in 0..3 {
        let receipt = outbound.post(&url, http::HeaderMap::new, Bytes::from_static(b"{}")).await;
        assert_eq!(receipt.map(|receipt| receipt.status), Ok(200));
    }
    assert_eq!(REQUESTS.load(Ordering::Relaxed), 5, "the second and the third request were sent twice");
}

#[test]
fn roots_that_cannot_be_read_are_named_in_the_error() {
    let file = tempfile::NamedTempFile::new().expect("a temporary file");
    let broken = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";
    for content in ["", "no certificate", broken] {
        std::fs::write(file.path(), content).expect("a temporary file takes a text");
        let made = Outbound::new(EgressPolicy::default(), Names::system(), Some(file.path()));
        let message = made.expect_err(content).to_string();
        assert!(message.contains(&file.path().display().to_string()), "{message}");
    }
    let path = file.path().to_owned();
    drop(file);
    assert!(Outbound::new(EgressPolicy::default(), Names::system(), Some(&path)).is_err());
}

/// Set in the process that [`proxy_of_the_environment_is_ignored`] starts.
const INSIDE: &str = "OUTBOUND_TEST_INSIDE";

/// A process cannot change its own environment safely, so the test runs itself again with a proxy set.
#[tokio::test]
#[allow(clippy::disallowed_methods)] // the test starts itself again, in an environment with proxies
async fn proxy_of_the_environment_is_ignored() {
    let server = Server::photo().await;
    if std::env::var_os(INSIDE).is_some() {
        let outbound = outbound(&server);
        for host in ["127.0.0.1", "foto.example"] {
            assert_eq!(fetch(&outbound, &server.url("http", host)).await.as_deref(), Ok(&b"photo"[..]), "{host}");
        }
        return;
    }
    let proxy = format!("http://{}/", server.address);
    let mut child = Command::new(std::env::current_exe().expect("this test has a file"));
    child.args(["--exact", "outbound::tests::proxy_of_the_environment_is_ignored"]).env(INSIDE, "1");
    for name in ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"] {
        child.env(name, &proxy);
    }
    child.env_remove("NO_PROXY").env_remove("no_proxy");
    let output = tokio::task::spawn_blocking(move || child.output()).await.expect("no panic").expect("it starts");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && text.contains("1 passed"), "{text}");
    assert!(server.heads().is_empty(), "the proxy was asked");
}

#[tokio::test]
async fn packed_body_stays_packed() {
    // 10,000 zeros in gzip: decompressed, they would exceed the limit.
    const PACKED: &[u8] = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\xed\xc1\x01\x0d\x00\x00\x00\xc2\xa0\xf7Om\x0e7\xa0\x00\x00\x00\x00\x00\x00\x00\x00\x00\xe0\xdf\x00.\xca;M\x10'\x00\x00";
    for coding in ["gzip", "deflate", "br", "zstd"] {
        let server = Server::start(&[], &format!("Content-Encoding: {coding}"), PACKED).await;
        let fetched = fetch(&outbound(&server), &server.url("http", "127.0.0.1")).await;
        assert_eq!(fetched.as_deref(), Ok(PACKED), "{coding}");
    }
}

#[tokio::test]
async fn header_lines_of_old_servers_are_taken() {
    // curl takes each of them (hyper #2083 and #2569, reqwest #1189).
    for line in ["X-Long: a\r\n  b", "Server : old", "X(y): z", "no colon"] {
        let server = Server::start(&[], line, b"photo").await;
        let fetched = fetch(&outbound(&server), &server.url("http", "127.0.0.1")).await;
        assert_eq!(fetched.as_deref(), Ok(&b"photo"[..]), "{line}");
    }
}

#[tokio::test]
async fn answer_may_have_many_header_lines_within_a_bound() {
    for (count, is_read) in [(ANSWER_HEADERS_MAX, true), (ANSWER_HEADERS_MAX + 1, false)] {
        // The server adds three header lines of its own.
        let lines: Vec<_> = (3..count).map(|number| format!("Set-Cookie: a{number}=b")).collect();
        let server = Server::start(
            &[],
            &["Content-Type: image/png"]
                .into_iter()
                .chain(lines.iter().map(String::as_str))
                .collect::<Vec<_>>()
                .join("\r\n"),
            b"photo",
        )
        .await;
        let fetched = fetch(&outbound(&server), &server.url("http", "127.0.0.1")).await;
        match is_read {
            true => assert_eq!(fetched.as_deref(), Ok(&b"photo"[..])),
            false => assert_eq!(fetched, Err(FetchError::NoAnswer(NoAnswer::AnswerUnreadable))),
        }
    }
}

/// Every address that a release must refuse, as the only address of a public name or beside a public one.
#[tokio::test]
async fn public_name_with_a_refused_address_is_refused() {
    let corpus = include_str!("../../conformance/data/ssrf-refused.txt").lines();
    let hosts =
        corpus.filter_map(|line| Url::parse(&format!("https://{line}/")).ok()?.host().map(|host| host.to_owned()));
    let addresses: Vec<IpAddr> = hosts
        .filter_map(|host| match host {
            Host::Ipv4(ip) => Some(ip.into()),
            Host::Ipv6(ip) => Some(ip.into()),
            Host::Domain(_) => None,
        })
        .collect();
    assert!(addresses.len() > 40, "the corpus is there");
    let public: IpAddr = "1.1.1.1".parse().expect("an address");
    let answers = addresses.into_iter().flat_map(|ip| [vec![ip], vec![public, ip], vec![ip, public]]);
    let table: Vec<_> = answers.enumerate().map(|(index, ips)| (format!("foto{index}.example"), ips)).collect();
    let outbound = Outbound::new(EgressPolicy::default(), Names::table(table.clone()), None).expect("a client");
    for (name, ips) in table {
        let url = format!("https://{name}/a.jpeg");
        assert_eq!(outbound.check(&Url::parse(&url).expect("an address")).await, Err(CheckError::NotPublic), "{ips:?}");
        assert_eq!(fetch(&outbound, &url).await, Err(FetchError::Refused), "{ips:?}");
    }
}
