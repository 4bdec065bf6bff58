//! A client that disconnects before the response: its mutation runs to its end (decisions, section 4).

use std::sync::Arc;

use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::sync::Notify;

use crate::app::mock_server::Reply;
use crate::app::{TestApp, create_document, wait_for};

on_both_databases! {
    async fn mutation_of_a_client_that_disconnects_runs_to_its_end_and_its_outcome_is_stored(app: TestApp) {
        let keyed = app.live().await.with_key("k-1");
        let release = Arc::new(Notify::new());
        let photo = app.mock_server().reply("/slow.png", Reply::Held { release: release.clone() });
        let variables = json!({ "input": { "externalDossierId": "1", "deceased": { "photoUrl": photo } } });
        let body = json!({ "query": create_document(), "variables": variables }).to_string();
        let request = format!(
            "POST /partner/api/2026-10/graphql HTTP/1.1\r\nHost: kaarten.example\r\nContent-Type: application/json\r\n\
             X-Service-Access-Token: {}\r\nIdempotency-Key: k-1\r\nContent-Length: {}\r\n\r\n{body}",
            keyed.token,
            body.len()
        );
        let mut stream = TcpStream::connect(app.address()).await.expect("the server accepts");
        stream.write_all(request.as_bytes()).await.expect("the request is sent");
        wait_for("the portrait is requested", async || (!app.mock_server().requests().is_empty()).then_some(())).await;
        stream.shutdown().await.expect("the connection is open");
        assert_eq!(stream.read_to_end(&mut Vec::new()).await.expect("the server closes it"), 0, "no response");

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
}
