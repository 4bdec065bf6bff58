//! `webhookDeliveriesRecover` (version 2027-01; decisions W8).

use std::time::Instant;

use card_service::base::limits::{DELIVERIES_RECOVERED_AT_ONCE, RECOVERY_PAUSE};
use card_service::model::DeliveryState;
use chrono::Duration;
use serde_json::{Value, json};

use crate::app::mock_server::Reply;
use crate::app::{Caller, TestApp, UserFault, codes_of, tamper, user_faults};

/// The count or null, and the user errors.
async fn recover(caller: &Caller, since: &str) -> (Value, Vec<UserFault>) {
    let document = "mutation ($since: DateTime!) { webhookDeliveriesRecover(since: $since) {
        recoveredCount userErrors { code field message }
    } }";
    let data = caller.data(document, json!({ "since": since })).await;
    let payload = &data["webhookDeliveriesRecover"];
    (payload["recoveredCount"].clone(), user_faults(payload))
}

const FAIL: &str = "UPDATE deliveries SET state = 'FAILED', due_at = NULL, lease = NULL, leased_until = NULL, finished_at = created_at";

/// Adds `count` failed copies of every delivery, each with the next id and the next sequence.
async fn fail_copies(app: &TestApp, count: usize) {
    let copy = |id: &str| {
        format!(
            "WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < {count})
             INSERT INTO deliveries (id, event_id, subscription_id, partner_id, card_id, topic, sequence, test, api_version,
                                     state, attempt_count, schedule_step, created_at, finished_at)
             SELECT {id}, event_id, subscription_id, partner_id, card_id, topic, sequence + n, test, api_version,
                    'FAILED', 10, 10, created_at, created_at FROM deliveries, numbers"
        )
    };
    let ids = match app.database_url().starts_with("sqlite") {
        true => copy("CAST(unhex(printf('ffffffff%08x', n)) || substr(subscription_id, 9) AS BLOB)"),
        false => {
            copy("('ffffffff' || lpad(to_hex(n), 8, '0') || right(replace(subscription_id::text, '-', ''), 16))::uuid")
        }
    };
    tamper(app.database_url(), &ids).await;
}

on_both_databases! {
    async fn failed_deliveries_since_a_time_are_sent_again_in_order(app: TestApp) {
        let (caller, id) = app.follower_on_2027_01("CARDS_UPDATE", "/hook").await;
        app.mock_server().reply("/hook", Reply::Status(200));
        let cards = [caller.draft("1").await, caller.draft("2").await];
        app.revoke_secrets().await;
        for name in ["A", "B", "C"] {
            app.pass(Duration::minutes(1));
            for card in &cards {
                caller.update(card, json!({ "deceased": { "firstName": name } })).await.gid();
            }
        }
        tamper(app.database_url(), FAIL).await;
        // A later one waits for the ones that are sent again.
        app.pass(Duration::minutes(1));
        caller.update(&cards[0], json!({ "deceased": { "firstName": "D" } })).await.gid();
        assert_eq!(recover(&caller, "2026-11-10T09:32:00+01:00").await, (json!(4), vec![]));
        app.settle(&id, DeliveryState::Due, 2).await;
        app.settle(&id, DeliveryState::Waiting, 3).await;
        app.settle(&id, DeliveryState::Failed, 2).await;
        assert_eq!(recover(&caller, "2026-11-10T08:32:00Z").await, (json!(0), vec![]), "it is on its way already");
        let partner = app.row(&cards[0]).await.partner_id;
        app.secret(partner).await;
        app.settle(&id, DeliveryState::Delivered, 5).await;
        let arrived = app.arrivals("/hook");
        let sequences = |card: &str| -> Vec<i64> {
            arrived.iter().filter(|arrival| arrival.card() == card).map(|arrival| arrival.sequence()).collect()
        };
        assert_eq!((sequences(&cards[0]), sequences(&cards[1])), (vec![3, 4, 5], vec![3, 4]));
    }

    async fn recovery_of_many_goes_in_batches_and_in_order(app: TestApp) {
        let (caller, id) = app.follower_on_2027_01("CARDS_UPDATE", "/hook").await;
        app.mock_server().reply("/hook", Reply::Status(200));
        let card = caller.draft("1").await;
        caller.update(&card, json!({ "deceased": { "firstName": "A" } })).await.gid();
        app.settle(&id, DeliveryState::Delivered, 1).await;
        let count = 2 * DELIVERIES_RECOVERED_AT_ONCE + 7;
        fail_copies(&app, count).await;
        let asked = Instant::now();
        assert_eq!(recover(&caller, "2026-11-10T08:30:00Z").await, (json!(count), vec![]));
        app.settle(&id, DeliveryState::Failed, 0).await;
        assert!(asked.elapsed() >= 2 * RECOVERY_PAUSE, "{:?}", asked.elapsed());
        app.arrive("/hook", 20).await;
        let delivered = app.deliveries(&id, DeliveryState::Delivered).await;
        let waiting = app.deliveries(&id, DeliveryState::Waiting).await;
        let newest = delivered.iter().map(|delivery| delivery.sequence).max();
        let oldest = waiting.iter().map(|delivery| delivery.sequence).min();
        assert!(newest < oldest, "{newest:?} was sent before {oldest:?}");
    }

    async fn several_recoveries_share_what_is_sent_again_at_once(app: TestApp) {
        let (caller, first) = app.follower_on_2027_01("CARDS_UPDATE", "/first").await;
        app.mock_server().reply("/first", Reply::Status(200));
        app.mock_server().reply("/second", Reply::Status(200));
        let second = caller.subscribe("CARDS_UPDATE", &app.mock_server().secure_url("/second")).await;
        let card = caller.draft("1").await;
        caller.update(&card, json!({ "deceased": { "firstName": "A" } })).await.gid();
        for id in [&first, &second] {
            app.settle(id, DeliveryState::Delivered, 1).await;
        }
        app.revoke_secrets().await;
        let count = DELIVERIES_RECOVERED_AT_ONCE / 2 + 50;
        fail_copies(&app, count).await;
        let asked = Instant::now();
        assert_eq!(recover(&caller, "2026-11-10T08:30:00Z").await, (json!(2 * count), vec![]));
        for id in [&first, &second] {
            app.settle(id, DeliveryState::Failed, 0).await;
        }
        assert!(asked.elapsed() >= RECOVERY_PAUSE, "{:?}", asked.elapsed());
    }

    async fn test_key_recovers_test_subscriptions_and_no_other_partner(app: TestApp) {
        let account = app.partner("Noord").await;
        let (live, test) = (account.live().await, account.test().await.on_version("2027-01"));
        let url = |path| app.mock_server().secure_url(path);
        let real = live.subscribe("CARDS_CREATE", &url("/live")).await;
        let trial = test.subscribe("CARDS_CREATE", &url("/test")).await;
        let other = app.partner("Zuid").await.test().await.on_version("2027-01");
        let foreign = other.subscribe("CARDS_CREATE", &url("/other")).await;
        app.revoke_secrets().await;
        for caller in [&test, &other] {
            caller.draft("1").await;
        }
        tamper(app.database_url(), FAIL).await;
        assert_eq!(recover(&test, "2026-11-10T08:00:00Z").await, (json!(1), vec![]));
        app.settle(&trial, DeliveryState::Due, 1).await;
        for untouched in [&real, &foreign] {
            app.settle(untouched, DeliveryState::Failed, 1).await;
        }
    }

    async fn recovery_from_no_time_or_a_time_to_come_is_invalid(app: TestApp) {
        let caller = app.on_2027_01().await;
        for (since, said) in [
            ("gisteren", "Vul een bestaand tijdstip in"),
            ("2026-11-10", "Vul een bestaand tijdstip in"),
            ("2026-11-10T08:30:00", "met een tijdzone"),
            ("2026-11-10T08:30:00.001Z", "ligt in de toekomst"),
        ] {
            let (count, faults) = recover(&caller, since).await;
            assert_eq!((count, codes_of(&faults)), (Value::Null, vec![("INVALID", "since")]), "{since}");
            assert!(faults[0].message.contains(said), "{faults:?}");
        }
    }
}
