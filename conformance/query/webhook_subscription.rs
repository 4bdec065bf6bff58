//! The query `webhookSubscription`, and how a subscription fares (version 2027-01; decisions W3).

use std::time::Duration as RealTime;

use serde_json::{Value, json};

use crate::app::mock_server::Reply;
use crate::app::{Caller, TestApp};

const DOCUMENT: &str = "query ($id: ID!) {
    webhookSubscription(id: $id) {
        id topic format createdAt updatedAt status pauseReason pausedAt
        endpoint { ... on WebhookHttpEndpoint { callbackUrl } }
    }
}";

async fn read(caller: &Caller, id: &str) -> Value {
    caller.data(DOCUMENT, json!({ "id": id })).await["webhookSubscription"].take()
}

/// Waits until the subscription has this status, and reads it.
async fn with_status(caller: &Caller, id: &str, status: &str) -> Value {
    for _ in 0..2_000 {
        let subscription = read(caller, id).await;
        if subscription["status"] == status {
            return subscription;
        }
        tokio::time::sleep(RealTime::from_millis(5)).await;
    }
    panic!("it never is {status}: {}", read(caller, id).await);
}

/// Status, reason and moment.
fn pause(subscription: &Value) -> [&Value; 3] {
    [&subscription["status"], &subscription["pauseReason"], &subscription["pausedAt"]]
}

on_both_databases! {
    async fn subscription_that_is_well_reads_every_field(app: TestApp) {
        let caller = app.on_2027_01().await;
        let id = caller.subscribe("CARDS_ORDERED", "https://hooks.example/in?a=1").await;
        let whole = json!({
            "id": id,
            "topic": "CARDS_ORDERED",
            "format": "JSON",
            "createdAt": "2026-11-10T08:30:00.000Z",
            "updatedAt": "2026-11-10T08:30:00.000Z",
            "status": "ACTIVE",
            "pauseReason": null,
            "pausedAt": null,
            "endpoint": { "callbackUrl": "https://hooks.example/in?a=1" },
        });
        assert_eq!(read(&caller, &id).await, whole);
        let document = DOCUMENT
            .replace("query ($id: ID!)", "query")
            .replace("webhookSubscription(id: $id) {", "webhookSubscriptions { nodes {")
            .replace("\n    }\n}", "\n    } }\n}");
        assert_eq!(caller.data(&document, json!({})).await["webhookSubscriptions"]["nodes"], json!([whole]));
    }

    async fn subscription_of_another_partner_or_none_reads_null(app: TestApp) {
        let id = app.on_2027_01().await.subscribe("CARDS_CREATE", "https://hooks.example/in").await;
        let theirs = app.partner("Zuid").await.test().await.on_version("2027-01");
        for id in [id.as_str(), "gid://service/WebhookSubscription/00000000-0000-7000-8000-000000000000", "", "1"] {
            assert_eq!(read(&theirs, id).await, Value::Null, "{id}");
        }
    }

    async fn failing_subscription_is_paused_after_five_days(app: TestApp) {
        let (caller, id) = app.follower_on_2027_01("CARDS_CREATE", "/hook").await;
        app.mock_server().on("/hook", Reply::Status(500));
        caller.draft("1").await;
        app.next_attempt(&id, 1).await;
        assert_eq!(pause(&read(&caller, &id).await), [&json!("FAILING"), &json!(null), &json!(null)]);
        app.pass(chrono::Duration::days(5));
        let paused = with_status(&caller, &id, "PAUSED").await;
        assert_eq!(pause(&paused), [&json!("PAUSED"), &json!("FAILURES"), &json!("2026-11-15T08:30:00.000Z")]);
        assert_eq!(paused["updatedAt"], "2026-11-10T08:30:00.000Z", "its partner has not changed it");
    }

    async fn subscription_that_recovers_is_active_again(app: TestApp) {
        let (caller, id) = app.follower_on_2027_01("CARDS_CREATE", "/hook").await;
        app.mock_server().play("/hook", [Reply::Status(500), Reply::Status(200)]);
        caller.draft("1").await;
        with_status(&caller, &id, "FAILING").await;
        app.next_attempt(&id, 1).await;
        app.pass(chrono::Duration::seconds(10));
        with_status(&caller, &id, "ACTIVE").await;
    }

    async fn subscription_whose_address_is_gone_is_paused_at_once(app: TestApp) {
        let (caller, id) = app.follower_on_2027_01("CARDS_CREATE", "/hook").await;
        app.mock_server().on("/hook", Reply::Status(410));
        caller.draft("1").await;
        let paused = with_status(&caller, &id, "PAUSED").await;
        assert_eq!(pause(&paused), [&json!("PAUSED"), &json!("GONE"), &json!("2026-11-10T08:30:00.000Z")]);
    }
}
