//! Test and live apart (decisions K3): the objects of its account that a test key reaches, and its effect on others.

use card_service::base::limits::SUBSCRIPTIONS_PER_TOPIC_MAX;
use card_service::model::DeliveryState;
use serde_json::{Value, json};

use crate::app::{Caller, TestApp, codes_of};

const SESSION: &str = "mutation ($id: ID!, $target: CardSessionTarget!) {
    answer: cardSessionCreate(cardId: $id, target: $target) {
        cardSession { url } userErrors { code field message }
    }
}";
const MOVE: &str = "mutation ($id: ID!, $to: URL!) {
    answer: webhookSubscriptionUpdate(id: $id, webhookSubscription: { callbackUrl: $to }) {
        webhookSubscription { id endpoint { ... on WebhookHttpEndpoint { callbackUrl } } }
        userErrors { code field message }
    }
}";
const ADDRESS: &str = "webhookSubscription.callbackUrl";

/// Asserts that an answer is the same as for an unknown id.
#[track_caller]
fn assert_not_found(answer: &Value, field: &str, message: &str) {
    assert_eq!(answer["answer"]["userErrors"], json!([{ "code": "NOT_FOUND", "field": [field], "message": message }]));
}

/// Subscribes to an address that is taken; returns the message of the user error.
async fn expect_taken(caller: &Caller, address: &str) -> String {
    let (_, faults) = caller.try_subscribe("CARDS_CREATE", address).await;
    assert_eq!(codes_of(&faults), [("TAKEN", ADDRESS)], "{faults:?}");
    faults[0].message.clone()
}

on_both_databases! {
    async fn test_key_opens_no_session_on_a_live_card(app: TestApp) {
        let partner = app.partner("Noord").await;
        let (live, test) = (partner.live().await, partner.test().await);
        let (real, trial) = (live.draft("1").await, test.draft("2").await);
        for target in ["CUSTOMIZER", "INVITEE_LIST"] {
            for version in ["2026-10", "2027-01"] {
                let refused = test.on_version(version).data(SESSION, json!({ "id": real, "target": target })).await;
                assert_not_found(&refused, "cardId", "Deze kaart is niet gevonden.");
                assert_eq!(refused["answer"]["cardSession"], Value::Null);
            }
            test.link(&trial, target).await;
            live.link(&trial, target).await;
        }
    }

    async fn test_key_neither_redirects_nor_deletes_a_live_subscription(app: TestApp) {
        let partner = app.partner("Noord").await;
        let (live, test) = (partner.live().await, partner.test().await.on_version("2027-01"));
        let real = live.subscribe("CARDS_CREATE", "https://hooks.example/in").await;
        app.revoke_secrets().await;
        live.draft("1").await;
        let [delivery] = app.deliveries(&real, DeliveryState::Due).await.try_into().expect("one");
        for to in ["https://hooks.example/elsewhere", "https://hooks.example/in", "no address", ""] {
            let refused = test.data(MOVE, json!({ "id": real, "to": to })).await;
            assert_not_found(&refused, "id", "Dit abonnement is niet gevonden.");
        }
        assert_eq!(test.unsubscribe(&real).await.1[0].code, "NOT_FOUND");
        let read = "query ($id: ID!) { webhookSubscription(id: $id) { id } node(id: $id) { id } }";
        let nothing = json!({ "webhookSubscription": null, "node": null });
        assert_eq!(test.data(read, json!({ "id": real })).await, nothing);
        let sent = card_service::base::GlobalId::new(card_service::base::Kind::WebhookDelivery, delivery.id);
        assert_eq!(test.data("query ($id: ID!) { node(id: $id) { id } }", json!({ "id": sent.to_string() })).await["node"], Value::Null);
        assert_eq!(app.deliveries(&real, DeliveryState::Due).await, [delivery]);
        assert_eq!(live.unsubscribe(&real).await.0, json!(real), "it is still there");
    }

    async fn live_key_reaches_what_a_test_key_made(app: TestApp) {
        let partner = app.partner("Noord").await;
        let (live, test) = (partner.live().await, partner.test().await);
        let card = test.draft("1").await;
        let subscription = test.subscribe("CARDS_CREATE", "https://hooks.example/in").await;
        let read = "query ($card: ID!, $subscription: ID!) { card(id: $card) { test } node(id: $subscription) { id } }";
        for caller in [&live, &test, &partner.test().await] {
            let both = caller.data(read, json!({ "card": card, "subscription": subscription })).await;
            assert_eq!(both, json!({ "card": { "test": true }, "node": { "id": subscription } }));
        }
        assert!(app.row(&card).await.test && app.events(&card).await[0].test);
        assert_eq!(live.unsubscribe(&subscription).await.0, json!(subscription));
    }

    async fn subscription_url_of_the_other_mode_is_taken(app: TestApp) {
        let partner = app.partner("Noord").await;
        let (live, test) = (partner.live().await, partner.test().await);
        let real = live.subscribe("CARDS_CREATE", "https://hooks.example/live").await;
        let trial = test.subscribe("CARDS_CREATE", "https://hooks.example/test").await;
        let same = "Er is al een abonnement op dit onderwerp voor dit adres.";
        assert_eq!(expect_taken(&live, "https://hooks.example/live").await, same);
        assert_eq!(expect_taken(&test, "https://hooks.example/test").await, same);
        let found = expect_taken(&test, "https://HOOKS.example:443/live").await;
        assert!(found.contains("door een abonnement van een live-sleutel") && found.contains("Gebruik een ander adres"), "{found}");
        let found = expect_taken(&live, "https://hooks.example/test").await;
        assert!(found.contains("testabonnement") && found.contains("Verwijder"), "{found}");
        // So does a change of address.
        let moving = test.on_version("2027-01");
        let refused = moving.data(MOVE, json!({ "id": trial, "to": "https://hooks.example/live" })).await;
        let error = &refused["answer"]["userErrors"][0];
        assert_eq!(error["code"], "TAKEN");
        assert!(error["message"].as_str().expect("a text").contains("door een abonnement van een live-sleutel"), "{error}");
        assert!(!refused.to_string().contains(&real), "{refused}");
        // On another topic it is free.
        test.subscribe("CARDS_UPDATE", "https://hooks.example/live").await;
    }

    async fn test_subscriptions_take_no_place_of_live_ones_away(app: TestApp) {
        let partner = app.partner("Noord").await;
        let (live, test) = (partner.live().await, partner.test().await);
        for number in 0..SUBSCRIPTIONS_PER_TOPIC_MAX {
            test.subscribe("CARDS_CREATE", &format!("https://hooks.example/{number}")).await;
        }
        assert_eq!(test.try_subscribe("CARDS_CREATE", "https://hooks.example/more").await.1[0].code, "INVALID");
        live.subscribe("CARDS_CREATE", "https://hooks.example/more").await;
    }
}
