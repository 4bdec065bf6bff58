//! Body, headers and signature of a notification, and which subscriptions get it (decisions K3, W1, W2, W4).

use std::collections::BTreeMap;

use card_service::model::{AttemptOutcome, DeliveryState, event_name};
use serde_json::json;

use super::arrival::{Arrival, assert_signed, subscription_id};
use crate::app::mock_server::Reply;
use crate::app::{Caller, FreshDatabase, PUBLIC_BASE, TestApp, tamper};

on_both_databases! {
    async fn card_create_notification_has_every_promised_field(app: TestApp) {
        let account = app.partner("Uitvaart Noord").await;
        let test = account.test().await;
        let subscription = test.subscribe("CARDS_CREATE", &app.mock_server().secure_url("/hook")).await;
        app.mock_server().reply("/hook", Reply::Status(200));
        let card = test.create(json!({
            "externalDossierId": "2026-0142 ë",
            "externalFuneralDirectorId": "UV-88",
            "deceased": { "firstName": "Johanna" },
            "familyContact": { "email": "familie@voorbeeld.nl" },
        })).await;
        let [arrival] = app.arrive("/hook", 1).await.try_into().expect("one");
        let event = &app.events(&card.gid()).await[0];
        assert_eq!(arrival.json, json!({
            "id": event_name(event.id),
            "type": "cards/create",
            "topic": "CARDS_CREATE",
            "apiVersion": "2026-10",
            "timestamp": event.occurred_at.to_string(),
            "test": true,
            "sequence": 1,
            "actor": "PARTNER",
            "changedFields": [],
            "data": { "card": {
                "id": card.gid(),
                "externalDossierId": "2026-0142 ë",
                "externalFuneralDirectorId": "UV-88",
                "status": "DRAFT",
                "cardUrl": null,
                "test": true,
                "createdAt": card.card["createdAt"],
                "updatedAt": card.card["updatedAt"],
            }},
        }));
        assert_signed(&arrival, &account.secret, app.now().millis() / 1_000);
        for (name, value) in [
            ("webhook-id", event_name(event.id).as_str()),
            ("webhook-timestamp", &(app.now().millis() / 1_000).to_string()),
            ("content-type", "application/json"),
            ("user-agent", "PartnerCardService-Webhooks/1"),
            ("x-service-topic", "CARDS_CREATE"),
            ("x-service-api-version", "2026-10"),
            ("x-service-test", "true"),
            ("x-service-subscription-id", &subscription),
            ("x-service-attempt", "1"),
        ] {
            assert_eq!(arrival.header(name), value, "{name}");
        }
        let [delivery] = app.settle(&subscription, DeliveryState::Delivered, 1).await.try_into().expect("one");
        let [attempt] = app.store().attempts_of(delivery.id).await.expect("attempts").try_into().expect("one");
        assert_eq!((attempt.number, attempt.outcome), (1, AttemptOutcome::Answered(200)));
        app.assert_quiet("/hook", 1).await;
    }

    /// The steps of docs/partner/versions.md.
    async fn subscription_is_moved_to_another_version_without_a_gap(app: TestApp) {
        let account = app.partner("Uitvaart Noord").await;
        let old = account.test().await;
        let new = old.on_version("2027-01");
        app.mock_server().reply("/hook", Reply::Status(200));
        let address = app.mock_server().secure_url("/hook");
        let first = old.subscribe("CARDS_CREATE", &address).await;
        assert_eq!(new.try_subscribe("CARDS_CREATE", &address).await.1[0].code, "TAKEN");
        old.draft("1").await;
        app.arrive("/hook", 1).await;
        app.pass(chrono::Duration::seconds(1));
        new.subscribe("CARDS_CREATE", &format!("{address}?version=2027-01")).await;
        let versions = "{ webhookSubscriptions { nodes { apiVersion } } }";
        let versions = new.data(versions, json!({})).await["webhookSubscriptions"]["nodes"].take();
        assert_eq!(versions, json!([{ "apiVersion": "2027-01" }, { "apiVersion": "2026-10" }]));
        old.draft("2").await;
        app.arrive("/hook", 3).await;
        assert_eq!(new.unsubscribe(&first).await.0, first.as_str());
        old.draft("3").await;
        let arrivals = app.arrive("/hook", 4).await;
        let text = |value: &serde_json::Value| value.as_str().expect("a text").to_owned();
        let found = |arrival: &Arrival| {
            let json = &arrival.json;
            [&json["data"]["card"]["externalDossierId"], &json["apiVersion"], &json["id"]].map(text)
        };
        let mut found: Vec<_> = arrivals.iter().map(found).collect();
        found.sort();
        let events = found.iter().map(|[dossier, version, _]| (dossier.as_str(), version.as_str())).collect::<Vec<_>>();
        assert_eq!(events, [("1", "2026-10"), ("2", "2026-10"), ("2", "2027-01"), ("3", "2027-01")]);
        assert_eq!(found[1][2], found[2][2], "the same event has one id at both addresses");
        app.assert_quiet("/hook", 4).await;
    }

    async fn notification_of_each_topic_has_sequence_actor_and_fields(app: TestApp) {
        let (caller, _) = app.follower("CARDS_CREATE", "/hook").await;
        for topic in ["CARDS_UPDATE", "CARDS_ORDERED", "CARDS_ACTIVATED"] {
            caller.subscribe(topic, &app.mock_server().secure_url("/hook")).await;
        }
        app.mock_server().reply("/hook", Reply::Status(204));
        let gid = caller.draft("1").await;
        app.arrive("/hook", 1).await;
        let input = json!({ "deceased": { "firstName": "Johanna" }, "livestreamUrl": "https://live.example/1" });
        caller.update(&gid, input.clone()).await;
        app.arrive("/hook", 2).await;
        caller.update(&gid, input).await; // changes nothing, and is no event
        caller.update(&gid, json!({})).await;
        app.order(&gid).await;
        app.arrive("/hook", 3).await;
        app.activate(&gid).await;
        let arrived = app.arrive("/hook", 4).await;
        let found: Vec<_> = arrived.iter().map(|a| {
            json!([a.topic(), a.json["type"], a.sequence(), a.json["actor"], a.json["changedFields"]])
        }).collect();
        assert_eq!(json!(found), json!([
            ["CARDS_CREATE", "cards/create", 1, "PARTNER", []],
            ["CARDS_UPDATE", "cards/update", 2, "PARTNER", ["deceased.firstName", "livestreamUrl"]],
            ["CARDS_ORDERED", "cards/ordered", 3, "FAMILY", ["status"]],
            ["CARDS_ACTIVATED", "cards/activated", 4, "SERVICE", ["status", "cardUrl"]],
        ]));
        let url = arrived[3].json["data"]["card"]["cardUrl"].as_str().expect("an address");
        assert!(url.starts_with(&format!("{PUBLIC_BASE}/kaart/")), "{url}");
        assert_eq!(caller.card(&gid).await["cardUrl"], url);
        assert_eq!(arrived[2].json["data"]["card"]["cardUrl"], json!(null));
        app.assert_quiet("/hook", 4).await;
    }

    async fn subscription_gets_events_between_creation_and_cancellation(app: TestApp) {
        let caller = app.live().await;
        app.mock_server().reply("/hook", Reply::Status(200));
        let before = caller.draft("1").await;
        let subscription = caller.subscribe("CARDS_CREATE", &app.mock_server().secure_url("/hook")).await;
        let other = app.partner("Uitvaart Zuid").await.live().await;
        other.draft("1").await;
        let during = caller.draft("2").await;
        let arrived = app.arrive("/hook", 1).await;
        assert_eq!(arrived[0].card(), during);
        assert_ne!(arrived[0].card(), before);
        caller.unsubscribe(&subscription).await;
        caller.draft("3").await;
        app.assert_quiet("/hook", 1).await;
    }

    async fn body_is_rendered_at_the_event_in_the_subscription_version(app: TestApp) {
        let account = app.partner("Uitvaart Noord").await;
        let caller = account.live().await;
        let subscription = caller.subscribe("CARDS_CREATE", &app.mock_server().secure_url("/hook")).await;
        app.revoke_secrets().await;
        tamper(app.database_url(), "UPDATE webhook_subscriptions SET api_version = '2027-01'").await;
        let gid = caller.draft("1").await;
        // Changes before it is sent do not change the body.
        tamper(app.database_url(), "UPDATE webhook_subscriptions SET api_version = '2026-10'").await;
        caller.update(&gid, json!({ "externalFuneralDirectorId": "UV-88" })).await;
        let [delivery] = app.deliveries(&subscription, DeliveryState::Due).await.try_into().expect("one");
        let body = app.store().body_of(delivery.id).await.expect("the store answers").expect("a body");
        app.mock_server().play("/hook", [Reply::Status(500), Reply::Status(200)]);
        app.secret(account.id).await;
        app.next_attempt(&subscription, 1).await;
        app.pass(chrono::Duration::seconds(10));
        let arrived = app.arrive("/hook", 2).await;
        for arrival in &arrived {
            assert_eq!(arrival.seen.body, body);
            assert_eq!(arrival.json["apiVersion"], "2027-01");
            assert_eq!(arrival.json["data"]["card"]["externalFuneralDirectorId"], json!(null));
            assert_eq!(arrival.header("x-service-api-version"), "2027-01");
        }
    }

    async fn subscription_made_on_2027_01_gets_bodies_of_2027_01(app: TestApp) {
        let (caller, _) = app.follower_on_2027_01("CARDS_CREATE", "/new").await;
        // The same partner also runs an older program.
        caller.on_version("2026-10").subscribe("CARDS_CREATE", &app.mock_server().secure_url("/old")).await;
        app.mock_server().reply("/new", Reply::Status(200));
        app.mock_server().reply("/old", Reply::Status(200));
        caller.on_version("2026-10").draft("1").await;
        let [new] = app.arrive("/new", 1).await.try_into().expect("one");
        let [old] = app.arrive("/old", 1).await.try_into().expect("one");
        assert_eq!((&new.json["apiVersion"], new.header("x-service-api-version")), (&json!("2027-01"), "2027-01"));
        assert_eq!((&old.json["apiVersion"], old.header("x-service-api-version")), (&json!("2026-10"), "2026-10"));
        let mut same = new.json.clone();
        same["apiVersion"] = json!("2026-10");
        assert_eq!(same, old.json, "the versions differ in nothing else so far");
    }

    async fn notification_is_never_sent_unsigned_and_waits_for_a_secret(app: TestApp) {
        let account = app.partner("Uitvaart Noord").await;
        let caller = account.live().await;
        let subscription = caller.subscribe("CARDS_CREATE", &app.mock_server().secure_url("/hook")).await;
        app.revoke_secrets().await;
        app.mock_server().reply("/hook", Reply::Status(200));
        caller.draft("1").await;
        app.assert_quiet("/hook", 0).await;
        app.settle(&subscription, DeliveryState::Due, 1).await;
        let secret = app.secret(account.id).await;
        let arrived = app.arrive("/hook", 1).await;
        assert_signed(&arrived[0], &secret, app.now().millis() / 1_000);
        assert_eq!(arrived[0].header("x-service-attempt"), "1");
    }

    async fn both_secrets_of_a_rotation_sign(app: TestApp) {
        let account = app.partner("Uitvaart Noord").await;
        let secrets = [account.secret.clone(), app.secret(account.id).await];
        let caller = account.live().await;
        caller.subscribe("CARDS_CREATE", &app.mock_server().secure_url("/hook")).await;
        app.mock_server().reply("/hook", Reply::Status(200));
        caller.draft("1").await;
        let arrived = app.arrive("/hook", 1).await;
        for secret in &secrets {
            assert_signed(&arrived[0], secret, app.now().millis() / 1_000);
        }
    }

    async fn sequence_has_no_gaps_when_two_servers_change_one_card(database: FreshDatabase) {
        let [one, other] = [TestApp::start(&database, "one").await, TestApp::start(&database, "other").await];
        let (caller, subscription) = one.follower("CARDS_UPDATE", "/hook").await;
        one.mock_server().reply("/hook", Reply::Status(200));
        // The other server may call only its own mock server; its attempts are refused and do not matter here.
        let gid = caller.draft("1").await;
        let elsewhere = Caller::new(other.clone(), caller.token.clone());
        let changes = (0..40).map(|n| {
            let caller = if n % 2 == 0 { caller.clone() } else { elsewhere.clone() };
            let gid = gid.clone();
            async move { caller.update(&gid, json!({ "externalFuneralDirectorId": format!("UV-{n}") })).await.gid() }
        });
        futures_util::future::join_all(changes).await;
        let events = one.events(&gid).await;
        let sequences: Vec<_> = events.iter().map(|event| event.sequence).collect();
        assert_eq!(sequences, (1..=41).collect::<Vec<_>>());
        let id = subscription_id(&subscription);
        // By their ids: one that moves on between two of these looks is seen twice.
        let mut found = BTreeMap::new();
        for state in DeliveryState::ALL {
            let there = one.store().deliveries_in_state(id, state, 100).await.expect("the store answers");
            found.extend(there.into_iter().map(|delivery| (delivery.id, delivery.sequence)));
        }
        let mut found: Vec<_> = found.into_values().collect();
        found.sort();
        assert_eq!(found, (2..=41).collect::<Vec<_>>());
    }

    async fn test_subscription_gets_test_cards_only_and_live_one_all(app: TestApp) {
        let account = app.partner("Uitvaart Noord").await;
        let (live, test) = (account.live().await, account.test().await);
        app.mock_server().reply("/all", Reply::Status(200));
        app.mock_server().reply("/test", Reply::Status(200));
        let mut trials = Vec::new();
        for topic in ["CARDS_CREATE", "CARDS_UPDATE", "CARDS_ORDERED", "CARDS_ACTIVATED"] {
            live.subscribe(topic, &app.mock_server().secure_url("/all")).await;
            trials.push(test.subscribe(topic, &app.mock_server().secure_url("/test")).await);
        }
        // The live card comes first: its notification would arrive before the notification of the test card.
        let real = live.draft("1").await;
        let trial = test.draft("2").await;
        for card in [&real, &trial] {
            live.update(card, json!({ "livestreamUrl": "https://live.example/" })).await.gid();
            app.order(card).await;
            app.activate(card).await;
        }
        let heard = app.arrive("/test", 4).await;
        assert!(heard.iter().all(|arrival| arrival.card() == trial && arrival.json["test"] == true), "{heard:?}");
        let heard = app.arrive("/all", 8).await;
        assert_eq!(heard.iter().filter(|arrival| arrival.card() == real).count(), 4);
        app.assert_quiet("/test", 4).await;
        for subscription in &trials {
            app.settle(subscription, DeliveryState::Delivered, 1).await;
            assert_eq!(app.deliveries(subscription, DeliveryState::Due).await, []);
        }
    }
}
