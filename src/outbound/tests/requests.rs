//! Requests: headers, connections, and errors.

use std::net::IpAddr;
use std::process::Command;
use std::time::{Duration, Instant};

use super::{FetchError, LIMITS, LOOPBACK, SHORT, fetch, outbound, outbound_with};
use crate::outbound::test_server::{Server, Step};
use crate::outbound::{CheckError, EgressPolicy, Names, Outbound};

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
    child.args(["--exact", "outbound::tests::requests::proxy_of_the_environment_is_ignored"]).env(INSIDE, "1");
    for name in ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"] {
        child.env(name, &proxy);
    }
    child.env_remove("NO_PROXY").env_remove("no_proxy");
    let output = tokio::task::spawn_blocking(move || child.output()).await.expect("no panic").expect("it starts");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && text.contains("1 passed"), "{text}");
    assert!(server.heads().is_empty(), "the proxy was asked");
}
