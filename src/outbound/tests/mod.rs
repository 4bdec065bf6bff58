//! The guard as a whole: the corpus of addresses, and real sockets.

mod corpus;

use std::net::{IpAddr, Ipv4Addr};
use std::process::Command;
use std::time::{Duration, Instant};

use bytes::Bytes;

use super::test_server::{Server, Step};
use super::{CheckError, EgressPolicy, FetchError, FetchLimits, Names, Outbound};
use crate::base::HttpUrl;

const LOOPBACK: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

/// Small limits for fast tests.
const LIMITS: FetchLimits = FetchLimits { bytes_max: 1000, total: Duration::from_secs(5), redirects_max: 3 };

/// A total time that only a slow server exceeds.
const SHORT: FetchLimits = FetchLimits { total: Duration::from_millis(300), ..LIMITS };

/// Returns a client that may call these servers on their port only; `foto.example` resolves to them.
fn outbound(servers: &[&Server]) -> Outbound {
    outbound_with(servers, Names::table([("foto.example", vec![LOOPBACK])]))
}

fn outbound_with(servers: &[&Server], names: Names) -> Outbound {
    let allow = servers.iter().map(|server| server.opening()).collect::<Vec<_>>().join(",");
    let policy = EgressPolicy::parse(&allow).expect("a good list");
    let roots = tempfile::NamedTempFile::new().expect("a temporary file");
    let pem: String = servers.iter().map(|server| server.certificate_pem.as_str()).collect();
    std::fs::write(roots.path(), &pem).expect("a temporary file takes a text");
    let extra_roots = (!pem.is_empty()).then(|| roots.path());
    Outbound::new(policy, names, extra_roots).expect("the client is made")
}

async fn fetch(outbound: &Outbound, address: &str, limits: FetchLimits) -> Result<Bytes, FetchError> {
    outbound.fetch(&HttpUrl::parse(address).expect("an http address"), limits).await
}

async fn photo_server() -> Server {
    Server::start(|_| Step::answer("200 OK", &["Content-Type: text/html"], b"photo")).await
}

#[tokio::test]
async fn request_says_who_asks_and_carries_nothing_else() {
    let server = photo_server().await;
    let body = fetch(&outbound(&[&server]), &server.http("/a.jpeg?x=1#fragment"), LIMITS).await;
    assert_eq!(body.as_deref(), Ok(&b"photo"[..]));
    let head = &server.heads()[0];
    let mut lines: Vec<&str> = head.lines().filter(|line| !line.is_empty()).collect();
    assert_eq!(lines.remove(0), "GET /a.jpeg?x=1 HTTP/1.1");
    lines.sort();
    assert_eq!(
        lines,
        [
            "accept-encoding: identity",
            "accept: image/jpeg, image/png, image/webp, image/gif, image/heic, image/*;q=0.5",
            &format!("host: 127.0.0.1:{}", server.port()),
            "user-agent: PartnerCardService/1",
        ]
    );
}

#[tokio::test]
async fn name_is_resolved_once_and_kept_as_the_host() {
    let server = photo_server().await;
    let rebound: IpAddr = "10.0.0.1".parse().expect("an address");
    let outbound = outbound_with(&[&server], Names::script(vec![vec![LOOPBACK], vec![rebound]]));
    let address = format!("http://foto.example:{}/a.jpeg", server.port());
    assert_eq!(fetch(&outbound, &address, LIMITS).await.as_deref(), Ok(&b"photo"[..]));
    assert!(server.heads()[0].contains(&format!("host: foto.example:{}\r\n", server.port())));
    // The name now resolves to a private address; the old connection is closed, so it is resolved and checked again.
    assert_eq!(fetch(&outbound, &address, LIMITS).await, Err(FetchError::Refused));
    assert_eq!(server.heads().len(), 1);
}

#[tokio::test]
async fn server_opened_on_one_port_is_closed_on_another() {
    let (open, closed) = (photo_server().await, photo_server().await);
    let outbound = outbound(&[&open]);
    for host in ["127.0.0.1", "foto.example"] {
        let address = |server: &Server| format!("http://{host}:{}/a.jpeg", server.port());
        assert!(fetch(&outbound, &address(&open), LIMITS).await.is_ok(), "{host}");
        assert_eq!(fetch(&outbound, &address(&closed), LIMITS).await, Err(FetchError::Refused), "{host}");
        let url = address(&closed).parse().expect("an address");
        assert_eq!(outbound.check(&url).await, Err(CheckError::NotPublic), "{host}");
    }
    assert!(closed.heads().is_empty());
}

#[tokio::test]
async fn server_opened_without_a_port_is_open_on_every_port() {
    let server = photo_server().await;
    let policy = EgressPolicy::parse("127.0.0.1").expect("a good list");
    let outbound = Outbound::new(policy, Names::table([("foto.example", vec![LOOPBACK])]), None).expect("a client");
    assert!(outbound.is_open());
    assert_eq!(outbound.allow_list(), "127.0.0.1/32");
    for host in ["127.0.0.1", "foto.example"] {
        let address = format!("http://{host}:{}/a.jpeg", server.port());
        assert!(fetch(&outbound, &address, LIMITS).await.is_ok(), "{host}");
    }
}

#[tokio::test]
async fn address_with_credentials_is_refused() {
    let server = photo_server().await;
    let outbound = outbound(&[&server]);
    for credentials in ["user@", "user:password@", ":password@"] {
        let address = format!("http://{credentials}127.0.0.1:{}/a.jpeg", server.port());
        assert_eq!(fetch(&outbound, &address, LIMITS).await, Err(FetchError::Refused), "{credentials}");
    }
    assert!(server.heads().is_empty());
}

#[tokio::test]
async fn host_that_is_not_there_is_no_connection() {
    let without_servers = outbound(&[]);
    let unknown = fetch(&without_servers, "http://elders.example/a.jpeg", LIMITS).await;
    assert_eq!(unknown, Err(FetchError::NoConnection));
    let server = photo_server().await;
    let (outbound, address) = (outbound(&[&server]), server.http("/a.jpeg"));
    drop(server);
    tokio::task::yield_now().await;
    assert_eq!(fetch(&outbound, &address, LIMITS).await, Err(FetchError::NoConnection));
}

#[tokio::test]
async fn answer_without_success_is_its_status() {
    let server = Server::start(|path| match path {
        "/404" => Step::answer("404 Not Found", &[], b"not here"),
        "/401" => Step::answer("401 Unauthorized", &["WWW-Authenticate: Basic"], b""),
        "/304" => Step::raw("304 Not Modified", &["Location: /200"], b""),
        "/300" => Step::answer("300 Multiple Policy", &["Location: /200"], b""),
        "/500" => Step::answer("500 Internal Server Error", &[], &[b'x'; 5000]),
        _ => Step::answer("200 OK", &[], b"photo"),
    })
    .await;
    let outbound = outbound(&[&server]);
    for status in [404, 401, 304, 300, 500] {
        let fetched = fetch(&outbound, &server.http(&status.to_string()), LIMITS).await;
        assert_eq!(fetched, Err(FetchError::Status(status)));
    }
}

#[tokio::test]
async fn https_needs_a_trusted_certificate_for_the_host() {
    let photo = |_: &str| Step::answer("200 OK", &[], b"photo");
    let server = Server::start_tls(&["foto.example", "127.0.0.1"], photo).await;
    let trusting = outbound(&[&server]);
    for host in ["foto.example", "127.0.0.1"] {
        let address = format!("https://{host}:{}/a.jpeg", server.port());
        assert_eq!(fetch(&trusting, &address, LIMITS).await.as_deref(), Ok(&b"photo"[..]), "{host}");
    }
    let names = Names::table([("anders.example", vec![LOOPBACK]), ("foto.example", vec![LOOPBACK])]);
    let trusting = outbound_with(&[&server], names.clone());
    let wrong_name = format!("https://anders.example:{}/a.jpeg", server.port());
    assert_eq!(fetch(&trusting, &wrong_name, LIMITS).await, Err(FetchError::NoConnection));
    let policy = EgressPolicy::parse(&server.opening()).expect("a good list");
    let wary = Outbound::new(policy, names, None).expect("a client");
    let untrusted = format!("https://foto.example:{}/a.jpeg", server.port());
    assert_eq!(fetch(&wary, &untrusted, LIMITS).await, Err(FetchError::NoConnection));
    assert_eq!(server.heads().len(), 2);
}

#[tokio::test]
async fn server_that_never_shakes_hands_times_out() {
    let silent = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = silent.local_addr().expect("an address");
    let policy = EgressPolicy::parse(&address.to_string()).expect("a good list");
    let outbound = Outbound::new(policy, Names::system(), None).expect("a client");
    let start = Instant::now();
    assert_eq!(fetch(&outbound, &format!("https://{address}/a.jpeg"), SHORT).await, Err(FetchError::TimeOut));
    assert!(start.elapsed() < Duration::from_secs(3));
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
    let server = photo_server().await;
    if std::env::var_os(INSIDE).is_some() {
        let outbound = outbound(&[&server]);
        for host in ["127.0.0.1", "foto.example"] {
            let address = format!("http://{host}:{}/a.jpeg", server.port());
            assert_eq!(fetch(&outbound, &address, LIMITS).await.as_deref(), Ok(&b"photo"[..]), "{host}");
        }
        return;
    }
    let proxy = server.http("");
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
async fn every_kind_of_redirect_is_followed() {
    let server = Server::start(|path| match path {
        "/photo" => Step::answer("200 OK", &[], b"photo"),
        status => Step::answer(&format!("{} Moved", status.trim_start_matches('/')), &["Location: photo"], b""),
    })
    .await;
    let outbound = outbound(&[&server]);
    for status in ["301", "302", "303", "307", "308"] {
        let fetched = fetch(&outbound, &server.http(status), LIMITS).await;
        assert_eq!(fetched.as_deref(), Ok(&b"photo"[..]), "{status}");
    }
}

#[tokio::test]
async fn redirect_to_a_refused_address_is_refused() {
    let closed = Server::start(|_| Step::answer("200 OK", &[], b"secret")).await;
    let port = closed.port();
    let server = Server::start(move |path| {
        Step::redirect(&match path {
            "/port" => format!("http://127.0.0.1:{port}/"),
            "/name" => format!("http://foto.example:{port}/"),
            "/disguise" => format!("http://0x7f.1:{port}/"),
            "/mapped" => format!("http://[::ffff:127.0.0.1]:{port}/"),
            "/metadata" => "http://169.254.169.254/latest/meta-data/".to_owned(),
            "/localhost" => format!("http://localhost:{port}/"),
            "/inside" => "http://binnen.example/".to_owned(),
            "/scheme-relative" => "//10.0.0.1/".to_owned(),
            "/credentials" => format!("http://user:password@127.0.0.1:{port}/"),
            "/file" => "file:///etc/passwd".to_owned(),
            "/ftp" => "ftp://ftp.example/a.jpeg".to_owned(),
            "/data" => "data:image/png;base64,iVBORw0KGgo=".to_owned(),
            other => panic!("no such path: {other}"),
        })
    })
    .await;
    let inside: IpAddr = "10.0.0.1".parse().expect("an address");
    let names = Names::table([("foto.example", vec![LOOPBACK]), ("binnen.example", vec![inside])]);
    let outbound = outbound_with(&[&server], names);
    #[rustfmt::skip]
    let paths = [
        "port", "name", "disguise", "mapped", "metadata", "localhost", "inside", "scheme-relative", "credentials", "file",
        "ftp", "data",
    ];
    for path in paths {
        assert_eq!(fetch(&outbound, &server.http(path), LIMITS).await, Err(FetchError::Refused), "{path}");
    }
    assert!(closed.heads().is_empty());
}

#[tokio::test]
async fn redirect_to_nowhere_is_its_status() {
    let server = Server::start(|path| match path {
        "/without" => Step::answer("302 Found", &[], b""),
        "/unreadable" => Step::redirect("http://[broken"),
        _ => Step::redirect("http://\u{1}\u{fffd}/"),
    })
    .await;
    let outbound = outbound(&[&server]);
    for path in ["without", "unreadable"] {
        assert_eq!(fetch(&outbound, &server.http(path), LIMITS).await, Err(FetchError::Status(302)), "{path}");
    }
    assert!(fetch(&outbound, &server.http("control"), LIMITS).await.is_err());
}

const WAIT: Duration = Duration::from_millis(50);

/// Returns a chunked body of this many bytes.
fn chunked(length: usize) -> Vec<Step> {
    let body = [format!("{length:x}\r\n").as_bytes(), &vec![b'x'; length], b"\r\n0\r\n\r\n"].concat();
    Step::raw("200 OK", &["Transfer-Encoding: chunked"], &body)
}

/// Sends a few bytes repeatedly, for seconds.
fn drip(bytes: &[u8]) -> Vec<Step> {
    (0..90).flat_map(|_| [Step::Send(bytes.to_vec()), Step::Wait(WAIT)]).collect()
}

#[tokio::test]
async fn body_of_the_limit_is_taken_and_one_byte_more_is_not() {
    let server = Server::start(|path| {
        let (coding, length) = path.trim_start_matches('/').split_once('/').expect("two parts");
        let length = length.parse().expect("a length");
        match coding {
            "length" => Step::answer("200 OK", &[], &vec![b'x'; length]),
            "chunked" => chunked(length),
            _ => Step::raw("200 OK", &[], &vec![b'x'; length]),
        }
    })
    .await;
    let outbound = outbound(&[&server]);
    for coding in ["length", "chunked", "until-closed"] {
        let taken = fetch(&outbound, &server.http(&format!("{coding}/1000")), LIMITS).await;
        assert_eq!(taken.map(|body| body.len()), Ok(1000), "{coding}");
        for length in [1001, 100_000] {
            let refused = fetch(&outbound, &server.http(&format!("{coding}/{length}")), LIMITS).await;
            assert_eq!(refused, Err(FetchError::TooLarge), "{coding} of {length}");
        }
    }
}

#[tokio::test]
async fn length_that_lies_ends_the_body_or_the_connection() {
    let server = Server::start(|path| match path {
        "/short" => Step::raw("200 OK", &["Content-Length: 3"], b"photo"),
        "/long" => Step::raw("200 OK", &["Content-Length: 30"], b"photo"),
        "/two" => Step::raw("200 OK", &["Content-Length: 3", "Content-Length: 5"], b"photo"),
        _ => Step::raw("200 OK", &["Content-Length: -1"], b"photo"),
    })
    .await;
    let outbound = outbound(&[&server]);
    assert_eq!(fetch(&outbound, &server.http("short"), LIMITS).await.as_deref(), Ok(&b"pho"[..]));
    for path in ["long", "two", "negative"] {
        assert_eq!(fetch(&outbound, &server.http(path), LIMITS).await, Err(FetchError::NoConnection), "{path}");
    }
}

#[tokio::test]
async fn slow_answer_ends_at_the_total_time() {
    let server = Server::start(|path| match path {
        "/drip" => [Step::raw("200 OK", &["Content-Length: 900"], b""), drip(b"x")].concat(),
        "/silence" => vec![Step::Wait(Duration::from_secs(30))],
        "/head" => [vec![Step::Send(b"HTTP/1.1 200 OK\r\n".to_vec())], drip(b"X-Drip: 1\r\n")].concat(),
        // The redirects together exceed the time limit.
        _ => [vec![Step::Wait(WAIT * 3)], Step::redirect("/again")].concat(),
    })
    .await;
    let outbound = outbound(&[&server]);
    for path in ["drip", "silence", "head", "again"] {
        let start = Instant::now();
        assert_eq!(fetch(&outbound, &server.http(path), SHORT).await, Err(FetchError::TimeOut), "{path}");
        assert!(start.elapsed() < SHORT.total + Duration::from_secs(2), "{path}");
    }
}

#[tokio::test]
async fn broken_connection_is_no_connection() {
    let server = Server::start(|path| match path {
        "/before" => vec![Step::Reset],
        "/close" => vec![],
        "/body" => {
            let part = Step::raw("200 OK", &["Content-Length: 900"], b"photo");
            [part, vec![Step::Wait(WAIT), Step::Reset]].concat()
        }
        "/chunk" => Step::raw("200 OK", &["Transfer-Encoding: chunked"], b"5\r\nphoto\r\n"),
        "/bad-chunk" => Step::raw("200 OK", &["Transfer-Encoding: chunked"], b"zz\r\nphoto\r\n"),
        _ => vec![Step::Send(b"SSH-2.0-OpenSSH_9.9\r\n\r\n".to_vec())],
    })
    .await;
    let outbound = outbound(&[&server]);
    for path in ["before", "close", "body", "chunk", "bad-chunk", "other-protocol"] {
        assert_eq!(fetch(&outbound, &server.http(path), LIMITS).await, Err(FetchError::NoConnection), "{path}");
    }
}

#[tokio::test]
async fn packed_body_stays_packed() {
    // 10,000 zeros in gzip: decompressed, they would exceed the limit.
    const PACKED: &[u8] = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\xed\xc1\x01\x0d\x00\x00\x00\xc2\xa0\xf7Om\x0e7\xa0\x00\x00\x00\x00\x00\x00\x00\x00\x00\xe0\xdf\x00.\xca;M\x10'\x00\x00";
    for coding in ["gzip", "deflate", "br", "zstd"] {
        let header = format!("Content-Encoding: {coding}");
        let server = Server::start(move |_| Step::answer("200 OK", &[&header], PACKED)).await;
        let fetched = fetch(&outbound(&[&server]), &server.http(""), LIMITS).await;
        assert_eq!(fetched.as_deref(), Ok(PACKED), "{coding}");
    }
}
