//! TLS by the server: both HTTP versions, renewal of a certificate while it runs, and a broken certificate.

use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use bytes::Bytes;
use card_service::base::{Clock, limits};
use chrono::Datelike as _;
use http_body_util::{BodyExt as _, Empty};
use hyper::client::conn::{http1, http2};
use hyper::{Request, Response, body::Incoming};
use hyper_util::rt::{TokioExecutor, TokioIo};
use rcgen::{CertificateParams, CertifiedKey, KeyPair, date_time_ymd, generate_simple_self_signed};
use rustls::pki_types::CertificateDer;
use rustls::{ClientConfig, RootCertStore};
use tempfile::TempDir;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;

use crate::app::{FreshDatabase, Program, Serving, free_addresses, http_client, wait_for};

/// A certificate for the loopback, with its key.
struct Pair {
    certificate: CertificateDer<'static>,
    pem: String,
    key: String,
}

impl Pair {
    fn new() -> Self {
        let CertifiedKey { cert, signing_key } =
            generate_simple_self_signed(vec!["127.0.0.1".to_owned()]).expect("a certificate can be made");
        Self { certificate: cert.der().clone(), pem: cert.pem(), key: signing_key.serialize_pem() }
    }

    /// Returns a certificate that expires at midnight (UTC) after this many days, and that time in seconds.
    fn expiring(days: i64) -> (Self, i64) {
        let last = Clock::system().now().utc().date_naive() + chrono::Duration::days(days);
        let mut params = CertificateParams::new(vec!["127.0.0.1".to_owned()]).expect("a name");
        let part = |number: u32| u8::try_from(number).expect("of the calendar");
        params.not_after = date_time_ymd(last.year(), part(last.month()), part(last.day()));
        let (ends, key) = (params.not_after.unix_timestamp(), KeyPair::generate().expect("a key"));
        let certificate = params.self_signed(&key).expect("a certificate can be made");
        (Self { certificate: certificate.der().clone(), pem: certificate.pem(), key: key.serialize_pem() }, ends)
    }
}

/// A folder with the two files of a server.
struct Files {
    folder: TempDir,
}

impl Files {
    fn new(pair: &Pair) -> Self {
        let files = Self { folder: tempfile::tempdir().expect("a folder") };
        files.put(&pair.pem, &pair.key);
        files
    }

    fn certificate(&self) -> PathBuf {
        self.folder.path().join("server.pem")
    }

    fn key(&self) -> PathBuf {
        self.folder.path().join("server.key")
    }

    fn log(&self) -> PathBuf {
        self.folder.path().join("log")
    }

    fn put(&self, certificate: &str, key: &str) {
        std::fs::write(self.certificate(), certificate).expect("a file");
        std::fs::write(self.key(), key).expect("a file");
        self.key_mode(0o600);
    }

    fn key_mode(&self, mode: u32) {
        std::fs::set_permissions(self.key(), std::fs::Permissions::from_mode(mode)).expect("the file is ours");
    }

    fn program(&self, database: &FreshDatabase) -> Program {
        let text = |path: PathBuf| path.to_str().expect("UTF-8").to_owned();
        Program::new(database).set("TLS_CERTIFICATE", &text(self.certificate())).set("TLS_KEY", &text(self.key()))
    }

    /// Waits until the log contains this text.
    async fn wait_for_log(&self, words: &str) {
        wait_for(words, || async { read(&self.log()).contains(words).then_some(()) }).await;
    }
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).expect("a file of text")
}

fn address(serving: &Serving) -> String {
    serving.base.strip_prefix("https://").unwrap_or_else(|| panic!("{} is not https", serving.base)).to_owned()
}

/// Opens a TLS connection that trusts only this certificate and offers these protocols.
async fn connect(serving: &Serving, trusted: &Pair, offered: &[&str]) -> std::io::Result<TlsStream<TcpStream>> {
    connect_to(&address(serving), trusted, offered).await
}

async fn connect_to(address: &str, trusted: &Pair, offered: &[&str]) -> std::io::Result<TlsStream<TcpStream>> {
    let mut roots = RootCertStore::empty();
    roots.add(trusted.certificate.clone()).expect("a root");
    let mut config = ClientConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .with_safe_default_protocol_versions()
        .expect("TLS 1.2 and 1.3")
        .with_root_certificates(roots)
        .with_no_client_auth();
    config.alpn_protocols = offered.iter().map(|protocol| protocol.as_bytes().to_vec()).collect();
    let stream = TcpStream::connect(address).await.expect("the port is open");
    let name = "127.0.0.1".try_into().expect("a name");
    TlsConnector::from(Arc::new(config)).connect(name, stream).await
}

fn request(version: http::Version) -> Request<Empty<Bytes>> {
    let request = Request::builder().uri("https://127.0.0.1/partner/api/versions").version(version);
    request.header("host", "127.0.0.1").body(Empty::new()).expect("a request")
}

async fn assert_versions(answer: Response<Incoming>) {
    assert_eq!(answer.status(), 200);
    assert_eq!(answer.headers()["strict-transport-security"], "max-age=31536000");
    let body = answer.into_body().collect().await.expect("a body").to_bytes();
    assert!(String::from_utf8_lossy(&body).contains("2026-10"), "{body:?}");
}

/// A connection of HTTP/1.1 that stays open; a task drives it.
async fn open_http1(serving: &Serving, trusted: &Pair) -> http1::SendRequest<Empty<Bytes>> {
    let stream = connect(serving, trusted, &["http/1.1"]).await.expect("a handshake");
    let (sender, connection) = http1::handshake(TokioIo::new(stream)).await.expect("HTTP/1.1");
    tokio::spawn(connection);
    sender
}

/// Asserts that the server presents this certificate.
async fn assert_shows(serving: &Serving, pair: &Pair) {
    let stream = connect(serving, pair, &["http/1.1"]).await.expect("a handshake with the certificate of now");
    let shown = stream.get_ref().1.peer_certificates().expect("a certificate")[0].clone();
    assert_eq!(shown, pair.certificate);
}

/// Returns the expiry time of the certificate from the metrics.
async fn metrics_expiry(metrics: &str) -> i64 {
    let figures = http_client().get(format!("http://{metrics}/metrics")).send().await.expect("an answer");
    let figures = figures.text().await.expect("a text");
    let name = "card_service_tls_certificate_expires_timestamp_seconds ";
    let value = figures.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_else(|| panic!("{figures}"));
    value.parse::<f64>().expect("a number") as i64
}

on_sqlite! {
    async fn server_with_a_certificate_speaks_http_1_and_2_over_tls_only(database: FreshDatabase) {
        let pair = Pair::new();
        let files = Files::new(&pair);
        let serving = files.program(&database).serve();
        for (offered, chosen) in [
            (&["h2", "http/1.1"][..], Some("h2")),
            (&["http/1.1", "h2"], Some("h2")),
            (&["http/1.1"], Some("http/1.1")),
            (&[], None),
        ] {
            let stream = connect(&serving, &pair, offered).await.expect("a handshake");
            let agreed = stream.get_ref().1.alpn_protocol().map(|name| String::from_utf8_lossy(name).into_owned());
            assert_eq!(agreed.as_deref(), chosen, "{offered:?}");
            let answer = if chosen == Some("h2") {
                let (mut sender, connection) =
                    http2::handshake(TokioExecutor::new(), TokioIo::new(stream)).await.expect("HTTP/2");
                tokio::spawn(connection);
                sender.send_request(request(http::Version::HTTP_2)).await
            } else {
                let (mut sender, connection) = http1::handshake(TokioIo::new(stream)).await.expect("HTTP/1.1");
                tokio::spawn(connection);
                sender.send_request(request(http::Version::HTTP_11)).await
            };
            assert_versions(answer.expect("an answer")).await;
        }
        // No answer in the clear, and no connection for a client that trusts another certificate.
        let mut clear = TcpStream::connect(address(&serving)).await.expect("the port is open");
        clear.write_all(b"GET /health/live HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n").await.expect("bytes go out");
        let mut heard = Vec::new();
        let _ = clear.read_to_end(&mut heard).await; // an alert, or nothing
        assert!(!heard.starts_with(b"HTTP/"), "{heard:?}");
        assert!(connect(&serving, &Pair::new(), &["http/1.1"]).await.is_err());
        assert!(serving.terminate());
    }

    async fn renewed_certificate_serves_new_connections_only(database: FreshDatabase) {
        let (first, second, third) = (Pair::new(), Pair::new(), Pair::new());
        let files = Files::new(&first);
        let serving = files.program(&database).serve_with_log(&files.log());
        assert_shows(&serving, &first).await;
        let mut before = open_http1(&serving, &first).await;
        assert_versions(before.send_request(request(http::Version::HTTP_11)).await.expect("an answer")).await;

        files.put(&second.pem, &second.key);
        let began = Instant::now();
        serving.signal("HUP");
        files.wait_for_log("a new certificate is in use").await;
        assert!(began.elapsed() < limits::CERTIFICATE_CHECKED_EVERY, "the signal is heard at once");
        assert_shows(&serving, &second).await;
        assert!(connect(&serving, &first, &["http/1.1"]).await.is_err(), "the old one is gone");
        before.ready().await.expect("an open connection stays usable");
        assert_versions(before.send_request(request(http::Version::HTTP_11)).await.expect("an answer")).await;

        // Without a signal the files are read at intervals.
        files.put(&third.pem, &third.key);
        let began = Instant::now();
        while connect(&serving, &third, &["http/1.1"]).await.is_err() {
            assert!(began.elapsed() < 2 * limits::CERTIFICATE_CHECKED_EVERY, "{}", read(&files.log()));
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        assert!(serving.terminate());
    }

    async fn broken_certificate_is_logged_and_keeps_the_old_one(database: FreshDatabase) {
        let (first, other, next) = (Pair::new(), Pair::new(), Pair::new());
        let files = Files::new(&first);
        let serving = files.program(&database).serve_with_log(&files.log());
        for (certificate, key, said) in [
            ("no certificate", first.key.as_str(), "server.pem holds no certificate in PEM"),
            (&first.pem, "no key", "server.key holds no private key in PEM"),
            (&other.pem, &first.key, "certificate and key do not fit each other"),
            (&first.pem[..first.pem.len() / 2], &first.key, "server.pem holds no certificate in PEM"),
        ] {
            std::fs::write(files.log(), "").expect("a file");
            files.put(certificate, key);
            serving.signal("HUP");
            files.wait_for_log(said).await;
            files.wait_for_log("the old one stays").await;
            assert_shows(&serving, &first).await;
        }
        std::fs::remove_file(files.key()).expect("the file is there");
        std::fs::write(files.log(), "").expect("a file");
        serving.signal("HUP");
        files.wait_for_log("server.key cannot be read").await;
        assert_shows(&serving, &first).await;

        files.put(&next.pem, &next.key);
        serving.signal("HUP");
        files.wait_for_log("a new certificate is in use").await;
        assert_shows(&serving, &next).await;
        let log = read(&files.log());
        assert!(!log.contains("PRIVATE"), "nothing of a key is logged: {log}");
        assert!(serving.terminate());
    }

    async fn certificate_expiry_is_in_log_and_metrics(database: FreshDatabase) {
        let soon = i64::try_from(limits::CERTIFICATE_ENDS_SOON.as_secs() / (24 * 60 * 60)).expect("some days");
        let (young, young_ends) = Pair::expiring(soon + 2);
        let files = Files::new(&young);
        let metrics = free_addresses::<1>()[0].to_string();
        let serving = files.program(&database).set("METRICS_LISTEN", &metrics).serve_with_log(&files.log());
        assert_eq!(metrics_expiry(&metrics).await, young_ends);
        assert!(!read(&files.log()).contains("TLS_CERTIFICATE"), "{}", read(&files.log()));
        for (days, words) in [(soon, "ends within 14 days"), (0, "has ended, and clients refuse it")] {
            let (pair, ends) = Pair::expiring(days);
            files.put(&pair.pem, &pair.key);
            serving.signal("HUP");
            files.wait_for_log(words).await;
            assert_eq!(metrics_expiry(&metrics).await, ends);
        }
        assert!(serving.terminate());
        // A server that starts with it logs the same.
        let serving = files.program(&database).serve_with_log(&files.log());
        files.wait_for_log("has ended, and clients refuse it").await;
        assert!(serving.terminate());
    }

    async fn administration_outside_the_loopback_speaks_tls_only(database: FreshDatabase) {
        let pair = Pair::new();
        let files = Files::new(&pair);
        let [free] = free_addresses();
        let program = files.program(&database).set("PUBLIC_BASE_URL", "https://127.0.0.1");
        let program = program.set("ADMIN_LISTEN", &format!("0.0.0.0:{}", free.port()));
        let _serving = program.serve();
        let made = program.json(&["admin", "link", "--name", "Piet"]);
        let path = made["url"].as_str().and_then(|url| url.strip_prefix(&format!("https://{free}"))).expect("the public name");
        let stream = connect_to(&free.to_string(), &pair, &["http/1.1"]).await.expect("a handshake");
        let (mut sender, connection) = http1::handshake(TokioIo::new(stream)).await.expect("HTTP/1.1");
        tokio::spawn(connection);
        let request = Request::builder().uri(path).header("host", "kaarten.example").body(Empty::<Bytes>::new());
        let opened = sender.send_request(request.expect("a request")).await.expect("an answer");
        assert_eq!((opened.status().as_u16(), opened.headers()["location"].to_str().ok()), (303, Some("/admin")));
        let cookie = opened.headers()["set-cookie"].to_str().expect("ASCII");
        assert!(cookie.starts_with("__Host-admin=") && cookie.contains("; Path=/; ") && cookie.ends_with("; Secure"), "{cookie}");
        assert_eq!(opened.headers()["strict-transport-security"], "max-age=31536000");
        assert!(http_client().get(format!("http://{free}/admin")).send().await.is_err(), "http is not answered");
    }

    async fn client_that_says_nothing_in_its_handshake_is_let_go(database: FreshDatabase) {
        let pair = Pair::new();
        let serving = Files::new(&pair).program(&database).serve();
        let (mut stream, began) = (TcpStream::connect(address(&serving)).await.expect("the port is open"), Instant::now());
        let closed = tokio::time::timeout(2 * limits::TLS_HANDSHAKE, stream.read(&mut [0; 1])).await;
        assert!(matches!(closed, Ok(Ok(0) | Err(_))), "{closed:?}");
        assert!(began.elapsed() + Duration::from_millis(500) > limits::TLS_HANDSHAKE, "{:?}", began.elapsed());
    }

    async fn server_does_not_start_with_a_key_that_every_user_can_read(database: FreshDatabase) {
        let files = Files::new(&Pair::new());
        let program = files.program(&database);
        for mode in [0o644, 0o604, 0o602, 0o620] {
            files.key_mode(mode);
            let refused = program.run(&["serve"]);
            let errors = String::from_utf8(refused.stderr).expect("UTF-8");
            assert_eq!(refused.status.code(), Some(1), "{mode:o}");
            assert!(errors.contains("server.key") && errors.contains("chmod 600"), "{mode:o}: {errors}");
        }
        for mode in [0o600, 0o400, 0o640] {
            files.key_mode(mode);
            assert!(program.try_serve().is_some(), "{mode:o}");
        }
    }
}

#[test]
fn server_does_not_start_with_a_certificate_that_cannot_be_used() {
    let (pair, other) = (Pair::new(), Pair::new());
    let files = Files::new(&pair);
    let url = format!("sqlite://{}", files.folder.path().join("cards.db").display());
    let text = |path: PathBuf| path.to_str().expect("UTF-8").to_owned();
    let program = Program::with(&url, files.folder.path())
        .set("TLS_CERTIFICATE", &text(files.certificate()))
        .set("TLS_KEY", &text(files.key()));
    for (certificate, key, said) in [
        ("nothing", pair.key.as_str(), "server.pem holds no certificate in PEM"),
        (&pair.pem, &other.key, "certificate and key do not fit each other"),
    ] {
        files.put(certificate, key);
        let refused = program.run(&["serve"]);
        let errors = String::from_utf8(refused.stderr).expect("UTF-8");
        assert_eq!(refused.status.code(), Some(1));
        assert!(errors.contains("The server cannot speak TLS.") && errors.contains(said), "{errors}");
    }
}
