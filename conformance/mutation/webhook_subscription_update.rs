//! `webhookSubscriptionUpdate` (version 2027-01; decisions W3, W5).

use card_service::model::DeliveryState;
use chrono::Duration;
use serde_json::{Value, json};

use super::photo_address::refused_hosts;
use crate::app::mock_server::Reply;
use crate::app::{Caller, TestApp, UserFault, codes_of, tamper, user_faults, wait_for};

const DOCUMENT: &str = "mutation ($id: ID!, $input: WebhookSubscriptionUpdateInput!) {
    webhookSubscriptionUpdate(id: $id, webhookSubscription: $input) {
        webhookSubscription {
            id topic format createdAt updatedAt status endpoint { ... on WebhookHttpEndpoint { callbackUrl } }
        }
        userErrors { code field message }
    }
}";

/// The subscription or null, and the user errors.
async fn update(caller: &Caller, id: &str, input: Value) -> (Value, Vec<UserFault>) {
    let data = caller.data(DOCUMENT, json!({ "id": id, "input": input })).await;
    let payload = &data["webhookSubscriptionUpdate"];
    let faults = user_faults(payload);
    assert_eq!(payload["webhookSubscription"].is_null(), !faults.is_empty(), "{payload}");
    (payload["webhookSubscription"].clone(), faults)
}

/// Asserts that the change is refused in one way, and changes nothing; returns the message.
async fn expect_refusal(caller: &Caller, id: &str, input: Value, code: &str, field: &str) -> String {
    let before = update(caller, id, json!({})).await.0;
    let (_, faults) = update(caller, id, input.clone()).await;
    assert_eq!(codes_of(&faults), [(code, field)], "{input}");
    assert_eq!(update(caller, id, json!({})).await.0, before, "{input}");
    faults[0].message.clone()
}

/// Waits until the subscription has this status.
async fn until(caller: &Caller, id: &str, status: &str) {
    wait_for(status, || async { (update(caller, id, json!({})).await.0["status"] == status).then_some(()) }).await;
}

const FIELD: &str = "webhookSubscription.callbackUrl";

on_both_databases! {
    async fn subscription_gets_another_address_and_keeps_the_rest(app: TestApp) {
        let caller = app.on_2027_01().await;
        let id = caller.subscribe("CARDS_ORDERED", "https://hooks.example/in").await;
        app.pass(Duration::seconds(1));
        let (changed, faults) = update(&caller, &id, json!({ "callbackUrl": "https://other.example/up" })).await;
        assert_eq!(faults, []);
        assert_eq!(changed, json!({
            "id": id,
            "topic": "CARDS_ORDERED",
            "format": "JSON",
            "createdAt": "2026-11-10T08:30:00.000Z",
            "updatedAt": "2026-11-10T08:30:01.000Z",
            "status": "ACTIVE",
            "endpoint": { "callbackUrl": "https://other.example/up" },
        }));
        // The old address can be taken again.
        caller.subscribe("CARDS_ORDERED", "https://hooks.example/in").await;
        assert_eq!(caller.try_subscribe("CARDS_ORDERED", "https://OTHER.example/up").await.1[0].code, "TAKEN");
    }

    async fn subscription_is_named_renamed_and_loses_its_name(app: TestApp) {
        let caller = app.on_2027_01().await;
        let document = "mutation ($input: WebhookSubscriptionInput!) {
            webhookSubscriptionCreate(topic: CARDS_CREATE, webhookSubscription: $input) {
                webhookSubscription { id name } userErrors { code field message }
            }
        }";
        let create = async |input: Value| {
            caller.data(document, json!({ "input": input })).await["webhookSubscriptionCreate"].take()
        };
        let name = async |id: &str| {
            let read = "query ($id: ID!) { webhookSubscription(id: $id) { name updatedAt } }";
            caller.data(read, json!({ "id": id })).await["webhookSubscription"].take()
        };
        let url = "https://hooks.example/in";
        let longest = "é".repeat(100);
        let made = create(json!({ "callbackUrl": url, "name": longest })).await["webhookSubscription"].take();
        assert_eq!(made["name"], longest);
        let id = made["id"].as_str().expect("an id");
        let mut seconds = 0;
        for (input, expected) in [
            (json!({ "name": "Kantoor" }), json!("Kantoor")),
            (json!({ "callbackUrl": "https://hooks.example/up" }), json!("Kantoor")),
            (json!({ "name": null }), Value::Null),
        ] {
            app.pass(Duration::seconds(1));
            seconds += 1;
            assert_eq!(update(&caller, id, input).await.1, []);
            assert_eq!(name(id).await, json!({ "name": expected, "updatedAt": format!("2026-11-10T08:30:0{seconds}.000Z") }));
        }
        for (wrong, code) in [("", "BLANK"), (" \t", "BLANK"), (&"é".repeat(101)[..], "INVALID"), ("a\nb", "INVALID"), ("a\u{202e}b", "INVALID")] {
            expect_refusal(&caller, id, json!({ "name": wrong }), code, "webhookSubscription.name").await;
            let refused = create(json!({ "callbackUrl": "http://hooks.example/", "name": wrong })).await;
            let errors = refused["userErrors"].as_array().expect("a list");
            let codes: Vec<_> = errors.iter().map(|error| (&error["code"], &error["field"][1])).collect();
            assert_eq!(codes, [(&json!("INVALID"), &json!("callbackUrl")), (&json!(code), &json!("name"))], "all at once");
        }
        assert_eq!(create(json!({ "callbackUrl": url })).await["webhookSubscription"]["name"], Value::Null);
    }

    async fn subscription_update_without_a_change_changes_nothing(app: TestApp) {
        let caller = app.on_2027_01().await;
        let id = caller.subscribe("CARDS_CREATE", "https://hooks.example/in").await;
        let before = update(&caller, &id, json!({})).await.0;
        app.pass(Duration::seconds(1));
        for input in [
            json!({}),
            json!({ "format": "JSON" }),
            json!({ "format": null }),
            json!({ "callbackUrl": "https://hooks.example/in" }),
            json!({ "callbackUrl": "https://hooks.example/in", "format": null }),
        ] {
            assert_eq!(update(&caller, &id, input.clone()).await, (before.clone(), vec![]), "{input}");
        }
        let spelled = update(&caller, &id, json!({ "callbackUrl": "https://HOOKS.example:443/in" })).await.0;
        assert_eq!(spelled["endpoint"]["callbackUrl"], "https://HOOKS.example:443/in", "kept as it was written");
        assert_eq!(spelled["updatedAt"], "2026-11-10T08:30:01.000Z");
    }

    async fn address_of_another_subscription_on_the_topic_is_taken(app: TestApp) {
        let caller = app.on_2027_01().await;
        caller.subscribe("CARDS_CREATE", "https://hooks.example/in").await;
        let id = caller.subscribe("CARDS_CREATE", "https://hooks.example/up").await;
        for same in ["https://hooks.example/in", "HTTPS://HOOKS.example:443/./in"] {
            let message = expect_refusal(&caller, &id, json!({ "callbackUrl": same }), "TAKEN", FIELD).await;
            assert_eq!(message, "Er is al een abonnement op dit onderwerp voor dit adres.");
        }
        let other_topic = caller.subscribe("CARDS_UPDATE", "https://hooks.example/up").await;
        assert_eq!(update(&caller, &other_topic, json!({ "callbackUrl": "https://hooks.example/in" })).await.1, []);
    }

    async fn address_taken_by_many_at_once_is_taken_once(app: TestApp) {
        let caller = app.on_2027_01().await;
        let mut ids = Vec::new();
        for number in 0..6 {
            ids.push(caller.subscribe("CARDS_CREATE", &format!("https://hooks.example/{number}")).await);
        }
        let wish = json!({ "callbackUrl": "https://other.example/one" });
        let tries = ids.iter().map(|id| update(&caller, id, wish.clone()));
        let made = futures_util::future::join_all(tries).await;
        assert_eq!(made.iter().filter(|(_, faults)| faults.is_empty()).count(), 1);
        assert!(made.iter().flat_map(|(_, faults)| faults).all(|fault| fault.code == "TAKEN"));
    }

    async fn updated_url_that_breaks_a_rule_is_refused_by_name(app: TestApp) {
        let caller = app.on_2027_01().await;
        let id = caller.subscribe("CARDS_CREATE", "https://hooks.example/in").await;
        let too_long = format!("https://hooks.example/{}", "a".repeat(2_048));
        for (url, code, named) in [
            (json!(null), "BLANK", "Vul het adres in"),
            (json!(""), "BLANK", "Vul het adres in"),
            (json!("hooks.example"), "INVALID", "https://"),
            (json!("http://hooks.example/in"), "INVALID", "https://"),
            (json!("https://a:b@hooks.example/in"), "INVALID", "wachtwoord"),
            (json!("https://hooks.example/in#deel"), "INVALID", "fragment"),
            (json!("https://inside.example/in"), "INVALID", "openbaar"),
            (json!("https://unknown.example/in"), "INVALID", "niet worden gevonden"),
            (json!(too_long), "INVALID", "2048"),
        ] {
            let message = expect_refusal(&caller, &id, json!({ "callbackUrl": url }), code, FIELD).await;
            assert!(message.replace('.', "").contains(&named.replace('.', "")), "{url}: {message}");
        }
        for host in refused_hosts() {
            expect_refusal(&caller, &id, json!({ "callbackUrl": format!("https://{host}/in") }), "INVALID", FIELD).await;
        }
        for input in [json!({ "callbackUrl": 7 }), json!({ "format": "XML" }), json!({ "topic": "CARDS_UPDATE" })] {
            let variables = json!({ "id": id, "input": input });
            caller.graphql(DOCUMENT, variables).await.expect_error(400, "BAD_USER_INPUT");
        }
    }

    async fn retrying_delivery_goes_to_the_new_url_at_once(app: TestApp) {
        let (caller, id) = app.follower_on_2027_01("CARDS_CREATE", "/old").await;
        app.mock_server().reply("/old", Reply::Status(500));
        app.mock_server().reply("/new", Reply::Status(200));
        let card = caller.draft("1").await;
        app.next_attempt(&id, 1).await;
        let (changed, _) = update(&caller, &id, json!({ "callbackUrl": app.mock_server().secure_url("/new") })).await;
        assert_eq!(changed["status"], "ACTIVE", "that the old address failed says nothing about the new one");
        assert_eq!(app.arrive("/new", 1).await[0].card(), card);
        app.settle(&id, DeliveryState::Delivered, 1).await;
        app.assert_quiet("/old", 1).await;
    }

    async fn pause_ends_with_a_new_url_and_held_events_arrive_in_order(app: TestApp) {
        let (caller, id) = app.follower_on_2027_01("CARDS_UPDATE", "/old").await;
        app.mock_server().play("/old", [Reply::Status(200), Reply::Status(410)]);
        app.mock_server().reply("/new", Reply::Status(200));
        let card = caller.draft("1").await;
        let change = async |name: &str| caller.update(&card, json!({ "deceased": { "firstName": name } })).await.gid();
        change("A").await;
        app.settle(&id, DeliveryState::Delivered, 1).await;
        // As if it had been given up.
        tamper(app.database_url(), "UPDATE deliveries SET state = 'FAILED'").await;
        change("B").await;
        until(&caller, &id, "PAUSED").await;
        change("C").await;
        app.pass(Duration::days(2));
        app.assert_quiet("/old", 2).await;
        let (changed, _) = update(&caller, &id, json!({ "callbackUrl": app.mock_server().secure_url("/new") })).await;
        assert_eq!(changed["status"], "ACTIVE");
        let sequences: Vec<_> = app.arrive("/new", 3).await.iter().map(|arrival| arrival.sequence()).collect();
        assert_eq!(sequences, [2, 3, 4]);
        app.settle(&id, DeliveryState::Delivered, 3).await;
        app.assert_quiet("/old", 2).await;
    }

    async fn another_spelling_of_the_address_does_not_end_a_pause(app: TestApp) {
        let (caller, id) = app.follower_on_2027_01("CARDS_CREATE", "/hook").await;
        app.mock_server().reply("/hook", Reply::Status(410));
        caller.draft("1").await;
        until(&caller, &id, "PAUSED").await;
        let spelled = app.mock_server().secure_url("/hook").replace("https://", "HTTPS://");
        let (changed, faults) = update(&caller, &id, json!({ "callbackUrl": spelled })).await;
        assert_eq!((&changed["status"], faults), (&json!("PAUSED"), vec![]));
    }

    async fn version_of_the_notifications_stays_that_of_the_create(app: TestApp) {
        let (caller, _) = app.follower_on_2027_01("CARDS_ORDERED", "/other").await;
        let id = caller.on_version("2026-10").subscribe("CARDS_CREATE", "https://hooks.example/in").await;
        app.mock_server().reply("/hook", Reply::Status(200));
        update(&caller, &id, json!({ "callbackUrl": app.mock_server().secure_url("/hook") })).await;
        caller.draft("1").await;
        assert_eq!(app.arrive("/hook", 1).await[0].json["apiVersion"], "2026-10");
    }
}
