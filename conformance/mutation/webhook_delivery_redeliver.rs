//! `webhookDeliveryRedeliver` (version 2027-01; decisions W3).

use card_service::base::{GlobalId, Kind};
use card_service::model::{Delivery, DeliveryState};
use serde_json::{Value, json};

use crate::app::mock_server::Reply;
use crate::app::{Caller, TestApp, UserFault, codes_of, tamper, user_faults};

/// The delivery or null, and the user errors.
async fn redeliver(caller: &Caller, id: &str) -> (Value, Vec<UserFault>) {
    let document = "mutation ($id: ID!) { webhookDeliveryRedeliver(id: $id) {
        webhookDelivery { id state attemptCount nextAttemptAt finishedAt } userErrors { code field message }
    } }";
    let data = caller.data(document, json!({ "id": id })).await;
    let payload = &data["webhookDeliveryRedeliver"];
    let faults = user_faults(payload);
    assert_eq!(payload["webhookDelivery"].is_null(), !faults.is_empty(), "{payload}");
    (payload["webhookDelivery"].clone(), faults)
}

fn gid(delivery: &Delivery) -> String {
    GlobalId::new(Kind::WebhookDelivery, delivery.id).to_string()
}

/// Asserts that the delivery is refused in one way; returns the message.
async fn expect_refusal(caller: &Caller, id: &str, code: &str) -> String {
    let (_, faults) = redeliver(caller, id).await;
    assert_eq!(codes_of(&faults), [(code, "id")], "{id}");
    faults[0].message.clone()
}

on_both_databases! {
    async fn finished_delivery_is_sent_again_with_the_same_event_id(app: TestApp) {
        let (caller, subscription) = app.follower_on_2027_01("CARDS_CREATE", "/hook").await;
        app.mock_server().reply("/hook", Reply::Status(200));
        caller.draft("1").await;
        for (attempts, state) in [(1, "DELIVERED"), (2, "FAILED")] {
            let [delivered] = app.settle(&subscription, DeliveryState::Delivered, 1).await.try_into().expect("one");
            assert_eq!(delivered.attempt_count, attempts);
            tamper(app.database_url(), &format!("UPDATE deliveries SET state = '{state}'")).await;
            let (again, faults) = redeliver(&caller, &gid(&delivered)).await;
            assert_eq!(faults, []);
            assert_eq!((&again["id"], &again["state"]), (&json!(gid(&delivered)), &json!("DUE")));
            assert_eq!(again["finishedAt"], Value::Null);
            app.arrive("/hook", usize::try_from(attempts).expect("a few") + 1).await;
        }
        app.settle(&subscription, DeliveryState::Delivered, 1).await;
        let arrived = app.arrivals("/hook");
        assert!(arrived.iter().all(|arrival| arrival.seen.body == arrived[0].seen.body));
        let ids: Vec<_> = arrived.iter().map(|arrival| arrival.header("webhook-id")).collect();
        assert_eq!(ids, [ids[0]; 3]);
        let numbers: Vec<_> = arrived.iter().map(|arrival| arrival.header("x-service-attempt")).collect();
        assert_eq!(numbers, ["1", "2", "3"]);
    }

    async fn retrying_delivery_restarts_its_schedule_at_once(app: TestApp) {
        let (caller, subscription) = app.follower_on_2027_01("CARDS_CREATE", "/hook").await;
        app.mock_server().play("/hook", [Reply::Status(500), Reply::Status(500), Reply::Status(500), Reply::Status(200)]);
        caller.draft("1").await;
        app.next_attempt(&subscription, 1).await;
        app.pass(chrono::Duration::seconds(10));
        assert!(app.next_attempt(&subscription, 2).await > 200.0, "the third attempt is five minutes away");
        let [due] = app.deliveries(&subscription, DeliveryState::Due).await.try_into().expect("one");
        redeliver(&caller, &gid(&due)).await;
        assert!(app.next_attempt(&subscription, 3).await < 10.0, "and now the schedule begins anew");
        app.pass(chrono::Duration::seconds(10));
        app.settle(&subscription, DeliveryState::Delivered, 1).await;
    }

    async fn delivery_that_comes_anyway_stays_as_it_is(app: TestApp) {
        let account = app.partner("Uitvaart Noord").await;
        let caller = account.test().await.on_version("2027-01");
        let subscription = caller.subscribe("CARDS_UPDATE", &app.mock_server().secure_url("/hook")).await;
        app.mock_server().reply("/hook", Reply::Status(200));
        app.revoke_secrets().await; // nothing is sent yet
        let card = caller.draft("1").await;
        for name in ["A", "B"] {
            caller.update(&card, json!({ "deceased": { "firstName": name } })).await.gid();
        }
        let [waiting] = app.deliveries(&subscription, DeliveryState::Waiting).await.try_into().expect("one");
        let (same, faults) = redeliver(&caller, &gid(&waiting)).await;
        assert_eq!((&same["state"], &same["nextAttemptAt"], faults), (&json!("WAITING"), &json!(null), vec![]));
        assert_eq!(app.deliveries(&subscription, DeliveryState::Waiting).await, [waiting]);
        // Asked for three times, on its way once.
        let [due] = app.deliveries(&subscription, DeliveryState::Due).await.try_into().expect("one");
        for _ in 0..3 {
            assert_eq!(redeliver(&caller, &gid(&due)).await.0["state"], "DUE");
        }
        app.secret(account.id).await;
        app.settle(&subscription, DeliveryState::Delivered, 2).await;
        app.assert_quiet("/hook", 2).await;
    }

    async fn delivery_whose_attempt_runs_stays_as_it_is(app: TestApp) {
        let (caller, subscription) = app.follower_on_2027_01("CARDS_CREATE", "/hook").await;
        app.mock_server().reply("/hook", Reply::Silence);
        caller.draft("1").await;
        app.arrive("/hook", 1).await;
        let [running] = app.deliveries(&subscription, DeliveryState::Due).await.try_into().expect("one");
        assert!(running.lease.is_some());
        let (same, faults) = redeliver(&caller, &gid(&running)).await;
        assert_eq!((&same["state"], &same["nextAttemptAt"], faults), (&json!("DUE"), &json!(null), vec![]));
        assert_eq!(app.deliveries(&subscription, DeliveryState::Due).await, [running]);
    }

    async fn delivery_of_a_paused_subscription_is_unprocessable(app: TestApp) {
        let (caller, subscription) = app.follower_on_2027_01("CARDS_CREATE", "/hook").await;
        app.mock_server().play("/hook", [Reply::Status(200), Reply::Status(410)]);
        caller.draft("1").await;
        let [delivered] = app.settle(&subscription, DeliveryState::Delivered, 1).await.try_into().expect("one");
        caller.draft("2").await;
        app.next_attempt(&subscription, 1).await;
        let message = expect_refusal(&caller, &gid(&delivered), "UNPROCESSABLE").await;
        assert!(message.starts_with("Dit abonnement is gepauzeerd."), "{message}");
        assert_eq!(app.deliveries(&subscription, DeliveryState::Delivered).await, [delivered]);
    }

    async fn delivery_of_a_cancelled_subscription_is_not_found(app: TestApp) {
        let ours = app.on_2027_01().await;
        let subscription = ours.subscribe("CARDS_CREATE", "https://hooks.example/in").await;
        app.revoke_secrets().await;
        ours.draft("1").await;
        let [due] = app.deliveries(&subscription, DeliveryState::Due).await.try_into().expect("one");
        ours.unsubscribe(&subscription).await;
        let message = expect_refusal(&ours, &gid(&due), "NOT_FOUND").await;
        assert_eq!(message, "Deze melding is niet gevonden. Meldingen worden 30 dagen bewaard.");
    }
}
