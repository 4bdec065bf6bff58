//! The challenge of a callback address (decisions W9).

use card_service::base::limits::SUBSCRIPTIONS_PER_TOPIC_MAX;
use serde_json::{Value, json};

use crate::app::mock_server::Reply;
use crate::app::{Caller, FreshDatabase, TestApp, codes_of, user_faults};
use crate::webhook::arrival::assert_signed;

const FIELD: &str = "webhookSubscription.callbackUrl";

async fn with_challenge(database: &FreshDatabase) -> TestApp {
    TestApp::start_with(database, "challenge", &[("WEBHOOK_CHALLENGE", "on")]).await
}

/// The addresses of the caller's subscriptions.
async fn addresses(caller: &Caller) -> Value {
    let document = "{ webhookSubscriptions { nodes { endpoint { ... on WebhookHttpEndpoint { callbackUrl } } } } }";
    caller.data(document, json!({})).await["webhookSubscriptions"]["nodes"].take()
}

on_both_databases! {
    async fn callback_that_repeats_the_challenge_is_subscribed(database: FreshDatabase) {
        let app = with_challenge(&database).await;
        let account = app.partner("Noord").await;
        let live = account.live().await;
        app.mock_server().play("/hook", [Reply::Echo, Reply::Status(204)]);
        live.subscribe("CARDS_CREATE", &app.mock_server().secure_url("/hook")).await;
        let asked = app.arrivals("/hook").remove(0);
        assert_signed(&asked, &account.secret, app.now().millis() / 1_000);
        assert_eq!(asked.header("content-type"), "application/json");
        let challenge = asked.json["challenge"].as_str().expect("a text");
        assert_eq!(challenge.len(), 43);
        assert_eq!(asked.json, json!({
            "id": asked.header("webhook-id"),
            "type": "webhooks/challenge",
            "timestamp": "2026-11-10T08:30:00.000Z",
            "challenge": challenge,
        }));
        let card = live.draft("1").await;
        assert_eq!(app.arrive("/hook", 2).await[1].card(), card);
        // Each address and topic has its own challenge.
        app.mock_server().reply("/hook", Reply::Echo);
        live.subscribe("CARDS_ORDERED", &app.mock_server().secure_url("/hook")).await;
        assert_ne!(app.arrive("/hook", 3).await[2].json["challenge"], challenge);
    }

    async fn callback_that_does_not_repeat_the_challenge_is_invalid(database: FreshDatabase) {
        let app = with_challenge(&database).await;
        let live = app.live().await;
        let target = app.mock_server().reply("/elsewhere", Reply::Echo);
        let text = |body: &'static str| Reply::Bytes { content_type: "text/plain", body: body.into() };
        let cases = [
            ("/other", text("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"), "een ander antwoord"),
            ("/empty", Reply::Status(204), "een ander antwoord"),
            ("/long", Reply::Unannounced { bytes: 1 << 20 }, "een ander antwoord"),
            ("/missing", Reply::Status(404), "status 404"),
            ("/moved", Reply::Redirect { status: 307, location: target }, "status 307"),
            ("/reset", Reply::Reset, "geen verbinding"),
            ("/silent", Reply::Silence, "time-out"),
            ("/slow", Reply::Drip, "time-out"),
        ];
        let tries = cases.map(|(path, reply, cause)| {
            let (live, url) = (&live, app.mock_server().secure_url(path));
            app.mock_server().reply(path, reply);
            async move {
                let (_, faults) = live.try_subscribe("CARDS_CREATE", &url).await;
                assert_eq!(codes_of(&faults), [("INVALID", FIELD)], "{path}");
                let message = &faults[0].message;
                assert!(message.contains(&format!("({cause})")) && message.contains("challenge"), "{path}: {message}");
            }
        });
        futures_util::future::join_all(tries).await;
        assert_eq!(addresses(&live).await, json!([]));
        live.draft("1").await;
        app.assert_quiet("/other", 1).await;
        app.assert_quiet("/elsewhere", 0).await;
    }

    async fn twenty_addresses_of_another_party_get_no_notification(database: FreshDatabase) {
        let app = with_challenge(&database).await;
        let live = app.live().await;
        app.mock_server().reply("/form", Reply::Status(204));
        for number in 0..SUBSCRIPTIONS_PER_TOPIC_MAX {
            let url = app.mock_server().secure_url(&format!("/form?number={number}"));
            let (_, faults) = live.try_subscribe("CARDS_CREATE", &url).await;
            assert_eq!(codes_of(&faults), [("INVALID", FIELD)], "{url}");
        }
        assert_eq!(addresses(&live).await, json!([]));
        let card = live.draft("1").await;
        assert_eq!(app.topics(&card).await, ["CARDS_CREATE"]);
        // The challenges alone.
        app.assert_quiet("/form", SUBSCRIPTIONS_PER_TOPIC_MAX).await;
    }

    async fn another_address_is_challenged_and_the_same_is_not(database: FreshDatabase) {
        let app = with_challenge(&database).await;
        let caller = app.on_2027_01().await;
        let (old, new) = (app.mock_server().secure_url("/old"), app.mock_server().secure_url("/new"));
        app.mock_server().reply("/old", Reply::Echo);
        app.mock_server().play("/new", [Reply::Status(200), Reply::Echo]);
        let id = caller.subscribe("CARDS_CREATE", &old).await;
        let update = async |input: Value| {
            let document = "mutation ($id: ID!, $input: WebhookSubscriptionUpdateInput!) {
                webhookSubscriptionUpdate(id: $id, webhookSubscription: $input) { userErrors { code field message } }
            }";
            let data = caller.data(document, json!({ "id": id, "input": input })).await;
            user_faults(&data["webhookSubscriptionUpdate"])
        };
        assert_eq!(update(json!({ "name": "Kantoor", "callbackUrl": old })).await, []);
        assert_eq!(update(json!({ "name": "Balie" })).await, []);
        assert_eq!(app.arrivals("/old").len(), 1);
        assert_eq!(codes_of(&update(json!({ "callbackUrl": new })).await), [("INVALID", FIELD)]);
        let address = |url: &str| json!([{ "endpoint": { "callbackUrl": url } }]);
        assert_eq!(addresses(&caller).await, address(&old));
        assert_eq!(update(json!({ "callbackUrl": new })).await, []);
        assert_eq!(addresses(&caller).await, address(&new));
        // Nothing can sign the challenge.
        app.revoke_secrets().await;
        let faults = update(json!({ "callbackUrl": old })).await;
        assert_eq!(codes_of(&faults), [("INVALID", FIELD)]);
        assert!(faults[0].message.contains("Vraag de beheerder"), "{faults:?}");
        assert_eq!((app.arrivals("/old").len(), app.arrivals("/new").len()), (1, 2));
    }

    async fn callback_is_not_challenged_unless_the_operator_asks(app: TestApp) {
        let caller = app.on_2027_01().await;
        app.mock_server().reply("/hook", Reply::Status(404));
        caller.subscribe("CARDS_CREATE", &app.mock_server().secure_url("/hook")).await;
        app.assert_quiet("/hook", 0).await;
    }
}
