//! A client that disconnects before the response: its mutation runs to its end (decisions, section 4), but what comes before any
//! change ends with it if nobody can repeat the request under its key (decisions H9a).

use std::sync::Arc;
use std::time::Instant;

use card_service::base::limits::{FETCH_STALLED, PHOTO_BYTES_HELD_EACH_MAX, PHOTO_BYTES_MAX};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::sync::Notify;

use crate::app::mock_server::Reply;
use crate::app::picture::photo;
use crate::app::{TestApp, create_document, wait_for};

on_both_databases! {
    async fn mutation_of_a_client_that_disconnects_runs_to_its_end_and_its_outcome_is_stored(app: TestApp) {
        let keyed = app.live().await.with_key("k-1");
        let release = Arc::new(Notify::new());
        let url = app.mock_server().reply("/slow.png", Reply::Held { release: release.clone() });
        let variables = with_photo("1", &url);
        disconnect(&app, &keyed.token, "Idempotency-Key: k-1\r\n", &variables).await;

        let repeat = async || {
            let answer = keyed.graphql(&create_document(), variables.clone()).await;
            (answer.status != 409).then_some(answer)
        };
        assert!(repeat().await.is_none(), "the first request runs");
        release.notify_one();
        let answer = wait_for("the first request ends", repeat).await;
        assert_eq!(answer.header("x-service-idempotent-replay"), Some("true"));
        let id = answer.data()["cardCreate"]["card"]["id"].as_str().expect("an id").to_owned();
        assert_eq!(app.topics(&id).await, ["CARDS_CREATE"]);
    }
    async fn portrait_of_a_client_that_disconnects_without_a_key_is_given_up(app: TestApp) {
        let live = app.live().await;
        let stalls = app.mock_server().reply("/stalls", Reply::Stalled { bytes: PHOTO_BYTES_MAX });
        // More than the partner may have on their way: a portrait that went on would keep the next one waiting.
        for number in 0..2 * PHOTO_BYTES_HELD_EACH_MAX / PHOTO_BYTES_MAX {
            disconnect(&app, &live.token, "", &with_photo(&number.to_string(), &stalls)).await;
        }
        let png = app.mock_server().photo("/a.png", "image/png", photo("png"));
        let begun = Instant::now();
        live.create(with_photo("0", &png)["input"].clone()).await.gid();
        assert!(begun.elapsed() < FETCH_STALLED, "{:?}", begun.elapsed());
    }
}

fn with_photo(dossier: &str, url: &str) -> Value {
    json!({ "input": { "externalDossierId": dossier, "deceased": { "photoUrl": url } } })
}

/// Sends a `cardCreate`, and closes the connection once its portrait is requested.
async fn disconnect(app: &TestApp, token: &str, headers: &str, variables: &Value) {
    let before = app.mock_server().requests().len();
    let body = json!({ "query": create_document(), "variables": variables }).to_string();
    let request = format!(
        "POST /partner/api/2026-10/graphql HTTP/1.1\r\nHost: kaarten.example\r\nContent-Type: application/json\r\n\
         X-Service-Access-Token: {token}\r\n{headers}Content-Length: {}\r\n\r\n{body}",
        body.len()
    );
    let mut stream = TcpStream::connect(app.address()).await.expect("the server accepts");
    stream.write_all(request.as_bytes()).await.expect("the request is sent");
    wait_for("the portrait is requested", async || (app.mock_server().requests().len() > before).then_some(())).await;
    stream.shutdown().await.expect("the connection is open");
    assert_eq!(stream.read_to_end(&mut Vec::new()).await.expect("the server closes it"), 0, "no response");
}
