//! Redirects: a limited number is followed, and each target is checked.

use std::net::IpAddr;

use super::{FetchError, LIMITS, LOOPBACK, fetch, outbound, outbound_with};
use crate::outbound::Names;
use crate::outbound::test_server::{Server, Step};

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
