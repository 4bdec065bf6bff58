//! Redirects: a limited number is followed, and each target is checked.

use std::net::IpAddr;

use super::{FetchError, LIMITS, LOOPBACK, fetch, outbound, outbound_with};
use crate::outbound::test_server::{Server, Step};
use crate::outbound::{FetchLimits, Names};

/// A server whose path `/3` redirects to `/2`, and so on to the photo at `/0`.
async fn stairs() -> Server {
    Server::start(|path| match path.trim_start_matches('/').parse::<u32>() {
        Ok(0) | Err(_) => Step::answer("200 OK", &[], b"photo"),
        Ok(step) => Step::redirect(&format!("/{}", step - 1)),
    })
    .await
}

#[tokio::test]
async fn redirects_up_to_the_limit_are_followed() {
    let server = stairs().await;
    let outbound = outbound(&[&server]);
    for steps in 0..=3 {
        let fetched = fetch(&outbound, &server.http(&steps.to_string()), LIMITS).await;
        assert_eq!(fetched.as_deref(), Ok(&b"photo"[..]), "{steps} redirects");
    }
    assert_eq!(fetch(&outbound, &server.http("4"), LIMITS).await, Err(FetchError::Status(302)));
    let none = FetchLimits { redirects_max: 0, ..LIMITS };
    assert_eq!(fetch(&outbound, &server.http("1"), none).await, Err(FetchError::Status(302)));
    let heads = server.heads();
    assert!(heads.iter().all(|head| !head.to_ascii_lowercase().contains("referer")), "{heads:?}");
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
async fn circle_of_redirects_ends_at_the_limit() {
    let server = Server::start(|path| Step::redirect(if path == "/a" { "/b" } else { "/a" })).await;
    assert_eq!(fetch(&outbound(&[&server]), &server.http("/a"), LIMITS).await, Err(FetchError::Status(302)));
    assert_eq!(server.heads().len(), 4);
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
    for path in [
        "port",
        "name",
        "disguise",
        "mapped",
        "metadata",
        "localhost",
        "inside",
        "scheme-relative",
        "credentials",
        "file",
        "ftp",
        "data",
    ] {
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

#[tokio::test]
async fn redirect_from_https_to_http_is_refused_and_the_other_way_followed() {
    let plain = Server::start(|_| Step::answer("200 OK", &[], b"photo")).await;
    let down = plain.http("/a.jpeg");
    let secure = Server::start_tls(&["127.0.0.1"], move |path| match path {
        "/down" => Step::redirect(&down),
        _ => Step::answer("200 OK", &[], b"photo"),
    })
    .await;
    let up = format!("https://127.0.0.1:{}/", secure.port());
    let start = Server::start(move |path| Step::redirect(&format!("{up}{}", path.trim_start_matches('/')))).await;
    let outbound = outbound(&[&plain, &secure, &start]);
    let directly = format!("https://127.0.0.1:{}/down", secure.port());
    assert_eq!(fetch(&outbound, &directly, LIMITS).await, Err(FetchError::Refused));
    assert_eq!(fetch(&outbound, &start.http("down"), LIMITS).await, Err(FetchError::Refused));
    assert_eq!(fetch(&outbound, &start.http("photo"), LIMITS).await.as_deref(), Ok(&b"photo"[..]));
    assert!(plain.heads().is_empty());
}
