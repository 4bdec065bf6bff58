//! `WebhookSubscription.webhookDeliveries`: deliveries and their attempts (version 2027-01; decisions W3). Pages are in
//! `page`.

use card_service::model::{DeliveryState, event_name};
use serde_json::{Value, json};

use crate::app::mock_server::Reply;
use crate::app::{Caller, TestApp, tamper};

const DELIVERY: &str = "fragment Delivery on WebhookDelivery {
    id eventId topic cardId state attemptCount nextAttemptAt createdAt finishedAt
    attempts { number startedAt outcome httpStatus }
}";

/// The deliveries of a subscription, newest event first.
async fn deliveries(caller: &Caller, id: &str) -> Vec<Value> {
    let document = format!(
        "query ($id: ID!) {{ webhookSubscription(id: $id) {{ webhookDeliveries {{ nodes {{ ...Delivery }} }} }} }} {DELIVERY}"
    );
    let mut data = caller.data(&document, json!({ "id": id })).await;
    serde_json::from_value(data["webhookSubscription"]["webhookDeliveries"]["nodes"].take()).expect("a list")
}

async fn node(caller: &Caller, id: &Value) -> Value {
    let document = format!("query ($id: ID!) {{ node(id: $id) {{ __typename ...Delivery }} }} {DELIVERY}");
    caller.data(&document, json!({ "id": id })).await["node"].take()
}

on_both_databases! {
    async fn delivery_reads_every_field_on_its_way_and_once_it_arrived(app: TestApp) {
        let (caller, id) = app.follower_on_2027_01("CARDS_CREATE", "/hook").await;
        app.mock_server().play("/hook", [Reply::Status(500), Reply::Status(204)]);
        let card = caller.draft("1").await;
        app.next_attempt(&id, 1).await;
        let [due] = deliveries(&caller, &id).await.try_into().expect("one");
        let row = app.deliveries(&id, DeliveryState::Due).await.remove(0);
        let first = json!({
            "number": 1, "startedAt": "2026-11-10T08:30:00.000Z", "outcome": "HTTP_ERROR", "httpStatus": 500,
        });
        let mut expected = json!({
            "id": format!("gid://service/WebhookDelivery/{}", row.id),
            "eventId": event_name(app.events(&card).await[0].id),
            "topic": "CARDS_CREATE",
            "cardId": card,
            "state": "DUE",
            "attemptCount": 1,
            "nextAttemptAt": row.due_at.expect("a next attempt").to_string(),
            "createdAt": "2026-11-10T08:30:00.000Z",
            "finishedAt": null,
            "attempts": [first],
        });
        assert_eq!(due, expected);
        app.pass(chrono::Duration::seconds(10));
        app.settle(&id, DeliveryState::Delivered, 1).await;
        let second = json!({
            "number": 2, "startedAt": "2026-11-10T08:30:10.000Z", "outcome": "DELIVERED", "httpStatus": 204,
        });
        for (field, value) in [
            ("state", json!("DELIVERED")),
            ("attemptCount", json!(2)),
            ("nextAttemptAt", json!(null)),
            ("finishedAt", json!("2026-11-10T08:30:10.000Z")),
            ("attempts", json!([first, second])),
        ] {
            expected[field] = value;
        }
        assert_eq!(deliveries(&caller, &id).await, [expected.clone()]);
        expected["__typename"] = json!("WebhookDelivery");
        assert_eq!(node(&caller, &expected["id"]).await, expected);
        let arrived = app.arrive("/hook", 2).await;
        assert!(arrived.iter().all(|arrival| arrival.header("webhook-id") == expected["eventId"]), "{expected}");
    }

    async fn deliveries_are_filtered_by_state_topic_and_time(app: TestApp) {
        let account = app.partner("Noord").await;
        let caller = account.test().await.on_version("2027-01");
        let created = caller.subscribe("CARDS_CREATE", "https://hooks.example/in").await;
        let updated = caller.subscribe("CARDS_UPDATE", "https://hooks.example/up").await;
        account.live().await.subscribe("CARDS_CREATE", "https://hooks.example/live").await;
        let other = app.partner("Zuid").await.test().await;
        other.subscribe("CARDS_CREATE", "https://hooks.example/in").await;
        app.revoke_secrets().await;
        other.draft("1").await;
        for number in ["1", "2", "3"] {
            app.pass(chrono::Duration::seconds(1));
            let card = caller.draft(number).await;
            caller.update(&card, json!({ "deceased": { "firstName": "A" } })).await.gid();
        }
        tamper(
            app.database_url(),
            "UPDATE deliveries SET state = 'FAILED', due_at = NULL, finished_at = created_at
             WHERE id IN (SELECT id FROM deliveries WHERE topic = 'CARDS_UPDATE' ORDER BY id LIMIT 2)",
        ).await;
        let found = async |within: &str, arguments: &str| {
            let field = format!("webhookDeliveries{arguments} {{ nodes {{ topic state createdAt }} }}");
            let document = match within {
                "" => format!("{{ {field} }}"),
                id => format!("{{ found: webhookSubscription(id: \"{id}\") {{ {field} }} }}"),
            };
            let data = caller.data(&document, json!({})).await;
            let page = if within.is_empty() { &data["webhookDeliveries"] } else { &data["found"]["webhookDeliveries"] };
            let short = |one: &Value| {
                let text = |name: &str| one[name].as_str().expect("a text").to_owned();
                format!("{} {} {}", text("topic").replace("CARDS_", ""), text("state"), &text("createdAt")[17..19])
            };
            page["nodes"].as_array().expect("a list").iter().map(short).collect::<Vec<_>>()
        };
        let mut all = found("", "").await;
        all.sort();
        assert_eq!(all, [
            "CREATE DUE 01", "CREATE DUE 02", "CREATE DUE 03", "UPDATE DUE 03", "UPDATE FAILED 01", "UPDATE FAILED 02",
        ]);
        assert_eq!(found("", "(states: [FAILED])").await, ["UPDATE FAILED 02", "UPDATE FAILED 01"]);
        assert_eq!(found("", "(states: [])").await.len(), 6);
        assert_eq!(found("", "(topics: [CARDS_CREATE])").await, ["CREATE DUE 03", "CREATE DUE 02", "CREATE DUE 01"]);
        let since = "since: \"2026-11-10T09:30:02+01:00\"";
        assert_eq!(found("", &format!("({since}, states: [FAILED, WAITING])")).await, ["UPDATE FAILED 02"]);
        assert_eq!(found(&updated, &format!("({since})")).await, ["UPDATE DUE 03", "UPDATE FAILED 02"]);
        assert_eq!(found(&updated, "(states: [DUE])").await, ["UPDATE DUE 03"]);
        assert_eq!(found(&created, "(states: FAILED)").await, [] as [&str; 0]);
        for (arguments, size) in [("(first: 4)", 4), ("(last: 5)", 5)] {
            assert_eq!(found("", arguments).await.len(), size);
        }
        let refused = caller.graphql("{ webhookDeliveries(since: \"gisteren\") { nodes { id } } }", json!({})).await;
        assert_eq!(refused.json()["errors"][0]["extensions"]["code"], "BAD_USER_INPUT");
    }

    async fn body_of_a_delivery_is_what_its_receiver_gets(app: TestApp) {
        let (caller, id) = app.follower_on_2027_01("CARDS_CREATE", "/hook").await;
        app.mock_server().reply("/hook", Reply::Status(200));
        caller.on_version("2026-10").subscribe("CARDS_CREATE", &app.mock_server().secure_url("/old")).await;
        app.mock_server().reply("/old", Reply::Status(200));
        caller.draft("1").await;
        let arrived = [app.arrive("/hook", 1).await.remove(0), app.arrive("/old", 1).await.remove(0)];
        let document = "query ($id: ID!) {
            webhookDeliveries { nodes { body } } webhookSubscription(id: $id) { webhookDeliveries { nodes { body } } }
        }";
        let data = caller.data(document, json!({ "id": id })).await;
        let text = |arrival: &crate::webhook::arrival::Arrival| String::from_utf8(arrival.seen.body.to_vec()).expect("UTF-8");
        assert_eq!(data["webhookSubscription"]["webhookDeliveries"]["nodes"], json!([{ "body": text(&arrived[0]) }]));
        let nodes = data["webhookDeliveries"]["nodes"].as_array().expect("a list");
        for arrival in &arrived {
            assert!(nodes.contains(&json!({ "body": text(arrival) })), "{nodes:?}");
        }
    }

    async fn delivery_behind_another_of_its_card_waits_without_a_moment(app: TestApp) {
        let caller = app.on_2027_01().await;
        let id = caller.subscribe("CARDS_UPDATE", "https://hooks.example/in").await;
        app.revoke_secrets().await; // nothing is sent, and everything stays where it is
        let card = caller.draft("1").await;
        for name in ["A", "B"] {
            app.pass(chrono::Duration::seconds(1));
            caller.update(&card, json!({ "deceased": { "firstName": name } })).await.gid();
        }
        let seen = |one: &Value| (one["state"].clone(), one["nextAttemptAt"].clone(), one["attempts"].clone());
        let found: Vec<_> = deliveries(&caller, &id).await.iter().map(seen).collect();
        assert_eq!(found, [
            (json!("WAITING"), json!(null), json!([])),
            (json!("DUE"), json!("2026-11-10T08:30:01.000Z"), json!([])),
        ]);
    }

    async fn attempt_without_an_answer_says_why_and_how_long_it_took(app: TestApp) {
        let (caller, id) = app.follower_on_2027_01("CARDS_CREATE", "/hook").await;
        app.mock_server().reply("/hook", Reply::Reset);
        caller.draft("1").await;
        app.next_attempt(&id, 1).await;
        let port = app.mock_server().https.port();
        // As if the name had led elsewhere when it was subscribed: DNS answers change.
        for (made, address) in (2..).zip([format!("elsewhere.example:{port}"), "inside.example".to_owned()]) {
            let update = format!("UPDATE webhook_subscriptions SET callback_url = 'https://{address}/'");
            tamper(app.database_url(), &update).await;
            app.pass(chrono::Duration::seconds(500));
            app.next_attempt(&id, made).await;
        }
        let document = "query ($id: ID!) { webhookSubscription(id: $id) { webhookDeliveries { nodes {
            attempts { outcome httpStatus durationMs cause }
        } } } }";
        let data = caller.data(document, json!({ "id": id })).await;
        let attempts = &data["webhookSubscription"]["webhookDeliveries"]["nodes"][0]["attempts"];
        let attempts = attempts.as_array().expect("a list");
        let outcomes: Vec<_> = attempts.iter().map(|attempt| (&attempt["outcome"], &attempt["cause"])).collect();
        assert_eq!(outcomes, [
            (&json!("NO_CONNECTION"), &json!("The connection was closed before the answer.")),
            (&json!("TLS_FAILED"), &json!("TLS: the certificate is not for this host name.")),
            (&json!("ADDRESS_REFUSED"), &json!(null)),
        ]);
        assert!(attempts.iter().all(|attempt| attempt["httpStatus"].is_null()));
        assert!(attempts.iter().all(|attempt| attempt["durationMs"].as_i64().is_some_and(|ms| ms < 15_000)));
    }

    async fn delivery_that_was_attempted_often_shows_its_last_25_attempts(app: TestApp) {
        let caller = app.on_2027_01().await;
        let id = caller.subscribe("CARDS_CREATE", "https://hooks.example/in").await;
        app.revoke_secrets().await;
        caller.draft("1").await;
        tamper(
            app.database_url(),
            "UPDATE deliveries SET attempt_count = 30;
             WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 30)
             INSERT INTO attempts SELECT id, n, created_at, 5, 500, NULL, NULL FROM deliveries, numbers;",
        ).await;
        let [delivery] = deliveries(&caller, &id).await.try_into().expect("one");
        assert_eq!(delivery["attemptCount"], 30);
        let numbers: Vec<_> = delivery["attempts"].as_array().expect("a list").iter().map(|a| &a["number"]).collect();
        assert_eq!(numbers, (6..=30).collect::<Vec<_>>());
    }

    async fn delivery_of_a_cancelled_subscription_or_on_an_older_version_is_null(app: TestApp) {
        let caller = app.on_2027_01().await;
        let id = caller.subscribe("CARDS_CREATE", "https://hooks.example/in").await;
        app.revoke_secrets().await;
        caller.draft("1").await;
        let delivery = deliveries(&caller, &id).await[0]["id"].clone();
        assert_eq!(node(&caller, &delivery).await["id"], delivery);
        let older = caller.on_version("2026-10");
        let found = older.data("query ($id: ID!) { node(id: $id) { id } }", json!({ "id": delivery })).await;
        assert_eq!(found["node"], Value::Null, "2026-10 knows no such kind");
        caller.unsubscribe(&id).await;
        assert_eq!(node(&caller, &delivery).await, Value::Null);
    }
}
