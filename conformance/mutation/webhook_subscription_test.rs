//! `webhookSubscriptionTest` (version 2027-01; decisions W8).

use serde_json::{Value, json};

use crate::app::mock_server::Reply;
use crate::app::{Caller, TestApp, UserFault, codes_of, user_faults};
use crate::webhook::arrival::assert_signed;

/// The attempt or null, the body or null, and the user errors.
async fn send_test(caller: &Caller, id: &str) -> (Value, Value, Vec<UserFault>) {
    let document = "mutation ($id: ID!) { webhookSubscriptionTest(id: $id) {
        attempt { number startedAt outcome httpStatus } body userErrors { code field message }
    } }";
    let data = caller.data(document, json!({ "id": id })).await;
    let payload = &data["webhookSubscriptionTest"];
    (payload["attempt"].clone(), payload["body"].clone(), user_faults(payload))
}

/// The health and the deliveries of a subscription.
async fn state(caller: &Caller, id: &str) -> Value {
    let document = "query ($id: ID!) { webhookSubscription(id: $id) {
        status updatedAt webhookDeliveries { nodes { id } }
    } }";
    caller.data(document, json!({ "id": id })).await["webhookSubscription"].take()
}

on_both_databases! {
    async fn test_notification_is_signed_and_reports_its_outcome(app: TestApp) {
        let account = app.partner("Noord").await;
        let caller = account.test().await.on_version("2027-01");
        let id = caller.subscribe("CARDS_ACTIVATED", &app.mock_server().secure_url("/hook")).await;
        let before = state(&caller, &id).await;
        app.mock_server().play("/hook", [Reply::Status(204), Reply::Status(500), Reply::Status(410)]);
        for (nth, (outcome, status)) in
            [("DELIVERED", 204), ("HTTP_ERROR", 500), ("HTTP_ERROR", 410)].into_iter().enumerate()
        {
            let (attempt, body, faults) = send_test(&caller, &id).await;
            assert_eq!(faults, []);
            assert_eq!(attempt, json!({
                "number": 1, "startedAt": "2026-11-10T08:30:00.000Z", "outcome": outcome, "httpStatus": status,
            }));
            let arrival = app.arrivals("/hook").remove(nth);
            assert_signed(&arrival, &account.secret, app.now().millis() / 1_000);
            assert_eq!(body, String::from_utf8(arrival.seen.body.to_vec()).expect("UTF-8"));
            assert_eq!((arrival.json["test"].clone(), arrival.header("x-service-test")), (json!(true), "true"));
            assert_eq!((arrival.topic(), arrival.header("webhook-id")), ("CARDS_ACTIVATED", arrival.json["id"].as_str().expect("an id")));
            assert_eq!(arrival.header("x-service-subscription-id"), id);
            let card = &arrival.json["data"]["card"];
            assert_eq!((&card["externalDossierId"], &card["status"]), (&json!("TEST"), &json!("ACTIVE")));
            assert_eq!(caller.card(arrival.card()).await, Value::Null, "the card does not exist");
        }
        assert_eq!(state(&caller, &id).await, before, "neither a success nor a failure is recorded");
    }

    async fn test_notification_reaches_a_paused_subscription_and_leaves_it_paused(app: TestApp) {
        let (caller, id) = app.follower_on_2027_01("CARDS_CREATE", "/hook").await;
        app.mock_server().play("/hook", [Reply::Status(410), Reply::Status(200)]);
        caller.draft("1").await;
        app.next_attempt(&id, 1).await;
        let before = state(&caller, &id).await;
        assert_eq!(before["status"], "PAUSED");
        assert_eq!(send_test(&caller, &id).await.0["outcome"], "DELIVERED");
        assert_eq!(state(&caller, &id).await, before);
    }

    async fn test_notification_without_a_secret_or_a_subscription_is_refused(app: TestApp) {
        let account = app.partner("Noord").await;
        let (live, test) = (account.live().await, account.test().await.on_version("2027-01"));
        let url = app.mock_server().secure_url("/hook");
        let (real, trial) = (live.subscribe("CARDS_CREATE", &url).await, test.subscribe("CARDS_UPDATE", &url).await);
        let (attempt, body, faults) = send_test(&test, &real).await;
        assert_eq!((attempt, body, codes_of(&faults)), (Value::Null, Value::Null, vec![("NOT_FOUND", "id")]));
        assert_eq!(faults[0].message, "Dit abonnement is niet gevonden.");
        app.revoke_secrets().await;
        let (attempt, body, faults) = send_test(&test, &trial).await;
        assert_eq!((attempt, body, codes_of(&faults)), (Value::Null, Value::Null, vec![("UNPROCESSABLE", "id")]));
        assert!(faults[0].message.contains("Vraag de beheerder"), "{faults:?}");
        app.assert_quiet("/hook", 0).await;
    }
}
