//! The queries `webhookSubscriptions` (specification, sections 2.8 and 4.1; decisions V5) and `webhookSubscription`, and how
//! a subscription fares (version 2027-01; decisions W3). Pages are in `page`.

use chrono::Duration;
use serde_json::{Value, json};

use crate::app::mock_server::Reply;
use crate::app::{Caller, TestApp, wait_for};

const DOCUMENT: &str = "query ($id: ID!) {
    webhookSubscription(id: $id) {
        id topic format createdAt updatedAt apiVersion status pauseReason pausedAt
        endpoint { ... on WebhookHttpEndpoint { callbackUrl } }
    }
}";

async fn read(caller: &Caller, id: &str) -> Value {
    caller.data(DOCUMENT, json!({ "id": id })).await["webhookSubscription"].take()
}

/// Waits until the subscription has this status, and reads it.
async fn with_status(caller: &Caller, id: &str, status: &str) -> Value {
    wait_for(status, || async { Some(read(caller, id).await).filter(|found| found["status"] == status) }).await
}

/// Status, reason and moment.
fn pause(subscription: &Value) -> [&Value; 3] {
    [&subscription["status"], &subscription["pauseReason"], &subscription["pausedAt"]]
}

async fn topics(caller: &Caller, arguments: &str) -> Vec<Value> {
    let document = format!("{{ webhookSubscriptions{arguments} {{ nodes {{ topic }} }} }}");
    let data = caller.data(&document, json!({})).await;
    data["webhookSubscriptions"]["nodes"].as_array().expect("nodes").iter().map(|node| node["topic"].clone()).collect()
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
            "apiVersion": "2027-01",
            "status": "ACTIVE",
            "pauseReason": null,
            "pausedAt": null,
            "endpoint": { "callbackUrl": "https://hooks.example/in?a=1" },
        });
        assert!(id.starts_with("gid://service/WebhookSubscription/"), "{id}");
        assert_eq!(read(&caller, &id).await, whole);
        let document = DOCUMENT
            .replace("query ($id: ID!)", "query")
            .replace("webhookSubscription(id: $id) {", "webhookSubscriptions { nodes {")
            .replace("\n    }\n}", "\n    } }\n}");
        assert_eq!(caller.data(&document, json!({})).await["webhookSubscriptions"]["nodes"], json!([whole]));
    }

    async fn failing_subscription_is_paused_after_five_days(app: TestApp) {
        let (caller, id) = app.follower_on_2027_01("CARDS_CREATE", "/hook").await;
        app.mock_server().reply("/hook", Reply::Status(500));
        caller.draft("1").await;
        app.next_attempt(&id, 1).await;
        assert_eq!(pause(&read(&caller, &id).await), [&json!("FAILING"), &json!(null), &json!(null)]);
        app.pass(chrono::Duration::days(5));
        let paused = with_status(&caller, &id, "PAUSED").await;
        assert_eq!(pause(&paused), [&json!("PAUSED"), &json!("FAILURES"), &json!("2026-11-15T08:30:00.000Z")]);
        assert_eq!(paused["updatedAt"], "2026-11-15T08:30:00.000Z", "a pause is a change (decisions W7)");
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

    async fn subscriptions_are_filtered_by_topics_and_newest_first(app: TestApp) {
        let live = app.live().await;
        for topic in ["CARDS_CREATE", "CARDS_UPDATE", "CARDS_ORDERED", "CARDS_ACTIVATED"] {
            app.pass(Duration::seconds(1));
            live.subscribe(topic, "https://hooks.example/in").await;
        }
        let all = ["CARDS_ACTIVATED", "CARDS_ORDERED", "CARDS_UPDATE", "CARDS_CREATE"];
        assert_eq!(topics(&live, "").await, all);
        assert_eq!(topics(&live, "(topics: null)").await, all);
        assert_eq!(topics(&live, "(topics: [])").await, all);
        assert_eq!(topics(&live, "(topics: [CARDS_UPDATE])").await, ["CARDS_UPDATE"]);
        assert_eq!(topics(&live, "(topics: CARDS_UPDATE)").await, ["CARDS_UPDATE"]);
        let two = topics(&live, "(topics: [CARDS_CREATE, CARDS_ACTIVATED, CARDS_CREATE])").await;
        assert_eq!(two, ["CARDS_ACTIVATED", "CARDS_CREATE"]);
    }

    async fn test_key_lists_test_subscriptions_only_and_live_key_all(app: TestApp) {
        let partner = app.partner("Noord").await;
        let (live, test) = (partner.live().await, partner.test().await);
        live.subscribe("CARDS_CREATE", "https://hooks.example/in").await;
        app.pass(Duration::seconds(1));
        test.subscribe("CARDS_UPDATE", "https://hooks.example/test").await;
        app.pass(Duration::seconds(1));
        live.subscribe("CARDS_ORDERED", "https://hooks.example/in").await;
        assert_eq!(topics(&test, "").await, ["CARDS_UPDATE"]);
        assert_eq!(topics(&test, "(topics: [CARDS_CREATE, CARDS_ORDERED])").await, [] as [Value; 0]);
        assert_eq!(topics(&live, "").await, ["CARDS_ORDERED", "CARDS_UPDATE", "CARDS_CREATE"]);
        // Nothing of the others shows in the page either.
        for from in ["first: 1", "last: 1"] {
            let document = format!("{{ webhookSubscriptions({from}) {{ pageInfo {{ hasNextPage hasPreviousPage }} }} }}");
            let page = test.data(&document, json!({})).await["webhookSubscriptions"]["pageInfo"].take();
            assert_eq!(page, json!({ "hasNextPage": false, "hasPreviousPage": false }), "{from}");
        }
    }
}
