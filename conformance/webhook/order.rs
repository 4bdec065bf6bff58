//! Deliveries are in order per card, and partners do not delay each other (decisions W3).

use std::sync::Arc;

use card_service::base::limits;
use card_service::model::DeliveryState;
use serde_json::json;
use tokio::sync::Notify;

use crate::app::TestApp;
use crate::app::mock_server::Reply;

on_both_databases! {
    async fn failing_notification_holds_up_its_card_and_no_other(app: TestApp) {
        let (caller, subscription) = app.follower("CARDS_UPDATE", "/hook").await;
        app.mock_server().play("/hook", [Reply::Status(500), Reply::Status(200)]);
        let (one, other) = (caller.draft("1").await, caller.draft("2").await);
        for name in ["A", "B", "C"] {
            caller.update(&one, json!({ "deceased": { "firstName": name } })).await;
            // The first one fails.
            app.arrive("/hook", 1).await;
        }
        caller.update(&other, json!({ "deceased": { "firstName": "A" } })).await;
        let arrived = app.arrive("/hook", 2).await;
        assert_eq!((arrived[0].card(), arrived[1].card()), (one.as_str(), other.as_str()));
        app.assert_quiet("/hook", 2).await;
        app.pass(chrono::Duration::seconds(10));
        app.settle(&subscription, DeliveryState::Delivered, 4).await;
        let arrived = app.arrived("/hook");
        let of_one: Vec<_> = arrived.iter().filter(|a| a.card() == one).map(|a| a.sequence()).collect();
        assert_eq!(of_one, [2, 2, 3, 4]);
    }

    async fn notifications_of_a_card_are_sent_one_at_a_time(app: TestApp) {
        let (caller, subscription) = app.follower("CARDS_UPDATE", "/hook").await;
        let release = Arc::new(Notify::new());
        app.mock_server().play("/hook", [Reply::Held { release: release.clone() }, Reply::Status(200)]);
        let gid = caller.draft("1").await;
        for name in ["A", "B", "C"] {
            caller.update(&gid, json!({ "deceased": { "firstName": name } })).await;
        }
        app.arrive("/hook", 1).await;
        app.assert_quiet("/hook", 1).await;
        release.notify_one();
        app.settle(&subscription, DeliveryState::Delivered, 3).await;
        let sequences: Vec<_> = app.arrived("/hook").iter().map(|arrival| arrival.sequence()).collect();
        assert_eq!(sequences, [2, 3, 4]);
    }

    async fn receiver_that_never_answers_delays_no_other(app: TestApp) {
        let (caller, _) = app.follower("CARDS_CREATE", "/dead").await;
        let alive = caller.subscribe("CARDS_CREATE", &app.mock_server().secure_url("/hook")).await;
        app.mock_server().on("/dead", Reply::Silence);
        app.mock_server().on("/hook", Reply::Status(200));
        let drafts = (0..60).map(|n| {
            let caller = caller.clone();
            async move { caller.draft(&n.to_string()).await }
        });
        let began = std::time::Instant::now();
        futures_util::future::join_all(drafts).await;
        app.settle(&alive, DeliveryState::Delivered, 60).await;
        assert!(began.elapsed().as_secs() < 14, "nobody waited for the dead one's attempts to end");
        let dead = app.arrived("/dead").len();
        assert_eq!(dead, limits::DELIVERIES_SENT_AT_ONCE_PER_SUBSCRIPTION, "its own places and no more");
    }

    async fn partner_without_a_secret_delays_no_other_partner(app: TestApp) {
        let unsigned = app.partner("Uitvaart Noord").await.live().await;
        for n in 0..limits::SUBSCRIPTIONS_PER_TOPIC_MAX {
            for topic in ["CARDS_CREATE", "CARDS_UPDATE"] {
                unsigned.subscribe(topic, &app.mock_server().secure_url(&format!("/{n}"))).await;
            }
        }
        app.revoke_secrets().await;
        let gid = unsigned.draft("1").await;
        unsigned.update(&gid, json!({ "deceased": { "firstName": "A" } })).await;
        let due = app.store().subscriptions_due(app.now()).await.expect("the store answers").len();
        let reached = limits::DELIVERIES_CLAIMED_AT_ONCE / limits::DELIVERIES_SENT_AT_ONCE_PER_SUBSCRIPTION;
        assert!(due > reached, "{due} subscriptions are due, and one claim reaches {reached}");
        let other = app.partner("Uitvaart Zuid").await.live().await;
        other.subscribe("CARDS_CREATE", &app.mock_server().secure_url("/hook")).await;
        app.mock_server().on("/hook", Reply::Status(200));
        other.draft("1").await;
        app.arrive("/hook", 1).await;
        app.assert_quiet("/hook", 1).await;
    }
}
