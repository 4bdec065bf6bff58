//! Portraits from addresses that are not public: refused without a connection (decisions, section 7).

use std::net::TcpListener;

use serde_json::{Value, json};

use crate::app::mock_server::{PNG, Reply};
use crate::app::{Caller, TestApp};

/// The host parts of addresses that every release must refuse (decisions, section 7).
pub fn refused_hosts() -> impl Iterator<Item = &'static str> {
    hosts(include_str!("../data/ssrf-refused.txt"))
}

/// The lines of a corpus, without its comments.
pub fn hosts(corpus: &'static str) -> impl Iterator<Item = &'static str> {
    corpus.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'))
}

/// Asserts that a portrait from `url` is refused on its own field, and that no card was made.
async fn assert_refused(live: &Caller, url: &str) {
    let input = json!({ "externalDossierId": "1", "deceased": { "photoUrl": url } });
    let payload = live.create(input).await;
    let [fault] = payload.faults.as_slice() else { panic!("{url}: {:?}", payload.faults) };
    assert_eq!(fault.field, "input.deceased.photoUrl", "{url}");
    assert!(["UNPROCESSABLE", "INVALID"].contains(&fault.code.as_str()), "{url}: {fault:?}");
    assert_eq!(payload.card, Value::Null, "{url}");
}

/// A listener on every address of this machine, so that a connection to any of them is seen.
fn tripwire() -> TcpListener {
    let listener = TcpListener::bind("[::]:0").or_else(|_| TcpListener::bind("0.0.0.0:0")).expect("a port is free");
    listener.set_nonblocking(true).expect("a listener can be asked without waiting");
    listener
}

on_both_databases! {
    async fn photo_from_a_private_address_is_refused_unconnected(app: TestApp) {
        let live = app.live().await;
        let wire = tripwire();
        let port = wire.local_addr().expect("an address").port();
        for host in refused_hosts() {
            for scheme in ["http", "https"] {
                assert_refused(&live, &format!("{scheme}://{host}:{port}/a.png")).await;
            }
        }
        assert!(wire.accept().is_err(), "nothing connected to this machine");
        live.draft("1").await;
    }
}

on_sqlite! {
    async fn photo_from_a_name_with_a_private_address_is_refused(app: TestApp) {
        let live = app.live().await;
        for name in ["inside.example", "half.example", "mapped.example"] {
            assert_refused(&live, &format!("http://{name}/a.png")).await;
        }
    }

    async fn photo_from_an_allowed_address_on_another_port_is_refused(app: TestApp) {
        let live = app.live().await;
        let wire = tripwire();
        let port = wire.local_addr().expect("an address").port();
        assert_refused(&live, &format!("http://photos.example:{port}/a.png")).await;
        assert_refused(&live, &format!("http://127.0.0.1:{port}/a.png")).await;
        assert!(wire.accept().is_err(), "nothing connected to this machine");
    }

    async fn photo_redirect_to_a_private_address_is_refused(app: TestApp) {
        let live = app.live().await;
        let wire = tripwire();
        let port = wire.local_addr().expect("an address").port();
        app.mock_server().photo("/a.png", "image/png", PNG);
        for host in refused_hosts() {
            let location = format!("http://{host}:{port}/a.png");
            let url = app.mock_server().reply("/start", Reply::Redirect { status: 302, location });
            assert_refused(&live, &url).await;
        }
        assert!(wire.accept().is_err(), "nothing connected to this machine");
    }
}
