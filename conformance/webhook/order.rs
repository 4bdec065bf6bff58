//! Deliveries are in order per card and address, and addresses do not delay each other (decisions W3).

use std::sync::Arc;

use card_service::base::{Progress, limits};
use card_service::model::DeliveryState;
use card_service::operation::webhook::delivery::pause;
use serde_json::json;
use tokio::sync::Notify;

use super::arrival::subscription_id;
use crate::app::mock_server::Reply;
use crate::app::{Caller, TestApp};

/// Subscribes `path` to these topics; returns the subscriptions.
async fn subscribe_all<const N: usize>(app: &TestApp, caller: &Caller, path: &str, topics: [&str; N]) -> [String; N] {
    let mut subscriptions = [const { String::new() }; N];
    for (subscription, topic) in subscriptions.iter_mut().zip(topics) {
        *subscription = caller.subscribe(topic, &app.mock_server().secure_url(path)).await;
    }
    subscriptions
}

const TOPICS: [&str; 3] = ["CARDS_CREATE", "CARDS_ORDERED", "CARDS_ACTIVATED"];

/// Creates, orders and activates a card, which are events 1, 2 and 3.
async fn order_and_activate(app: &TestApp, caller: &Caller) {
    let gid = caller.draft("1").await;
    app.order(&gid).await;
    app.activate(&gid).await;
}

fn sequences(app: &TestApp, path: &str) -> Vec<i64> {
    app.arrivals(path).iter().map(|arrival| arrival.sequence()).collect()
}

on_both_databases! {
    async fn subscriptions_of_one_address_receive_a_card_one_at_a_time_in_order(app: TestApp) {
        let caller = app.live().await;
        let [_, _, activated] = subscribe_all(&app, &caller, "/hook", TOPICS).await;
        let [elsewhere] = subscribe_all(&app, &caller, "/other", ["CARDS_ACTIVATED"]).await;
        let release = Arc::new(Notify::new());
        app.mock_server().play("/hook", [Reply::Held { release: release.clone() }, Reply::Status(200)]);
        app.mock_server().reply("/other", Reply::Status(200));
        order_and_activate(&app, &caller).await;
        app.settle(&elsewhere, DeliveryState::Delivered, 1).await;
        app.assert_quiet("/hook", 1).await;
        release.notify_one();
        app.settle(&activated, DeliveryState::Delivered, 1).await;
        assert_eq!(sequences(&app, "/hook"), [1, 2, 3]);
    }

    async fn retried_notification_holds_up_the_card_for_the_other_subscriptions_of_its_address(app: TestApp) {
        let caller = app.live().await;
        let [_, ordered, activated] = subscribe_all(&app, &caller, "/hook", TOPICS).await;
        app.mock_server().play("/hook", [Reply::Status(200), Reply::Status(502), Reply::Status(200)]);
        order_and_activate(&app, &caller).await;
        app.next_attempt(&ordered, 1).await;
        app.assert_quiet("/hook", 2).await;
        app.pass(chrono::Duration::seconds(10));
        app.settle(&activated, DeliveryState::Delivered, 1).await;
        assert_eq!(sequences(&app, "/hook"), [1, 2, 2, 3]);
    }

    async fn paused_subscription_holds_up_no_other_of_its_address(app: TestApp) {
        let caller = app.live().await;
        let [created, _, activated] = subscribe_all(&app, &caller, "/hook", TOPICS).await;
        app.mock_server().play("/hook", [Reply::Status(502), Reply::Status(200)]);
        order_and_activate(&app, &caller).await;
        app.next_attempt(&created, 1).await;
        pause(app.services(), subscription_id(&created)).await.expect("it is paused");
        app.settle(&activated, DeliveryState::Delivered, 1).await;
        assert_eq!(sequences(&app, "/hook"), [1, 2, 3]);
        app.store().resume_subscription(subscription_id(&created), app.now(), &Progress::default()).await.expect("the store answers");
        app.settle(&created, DeliveryState::Delivered, 1).await;
        assert_eq!(sequences(&app, "/hook"), [1, 2, 3, 1]);
    }

    async fn subscription_that_answered_410_holds_up_no_other_of_its_address(app: TestApp) {
        let caller = app.live().await;
        let [_, _, activated] = subscribe_all(&app, &caller, "/hook", TOPICS).await;
        app.mock_server().play("/hook", [Reply::Status(410), Reply::Status(200)]);
        order_and_activate(&app, &caller).await;
        app.settle(&activated, DeliveryState::Delivered, 1).await;
        assert_eq!(sequences(&app, "/hook"), [1, 2, 3]);
    }

    async fn deleted_subscription_holds_up_no_other_of_its_address(app: TestApp) {
        let caller = app.live().await;
        let [created, _, activated] = subscribe_all(&app, &caller, "/hook", TOPICS).await;
        app.mock_server().play("/hook", [Reply::Status(502), Reply::Status(200)]);
        order_and_activate(&app, &caller).await;
        app.next_attempt(&created, 1).await;
        caller.unsubscribe(&created).await;
        app.settle(&activated, DeliveryState::Delivered, 1).await;
        assert_eq!(sequences(&app, "/hook"), [1, 2, 3]);
        app.settle(&created, DeliveryState::Due, 0).await;
    }

    async fn subscription_that_moved_waits_at_its_new_address_and_not_at_the_old_one(app: TestApp) {
        let caller = app.on_2027_01().await;
        let [_, ordered, activated] = subscribe_all(&app, &caller, "/hook", TOPICS).await;
        let [changed] = subscribe_all(&app, &caller, "/other", ["CARDS_UPDATE"]).await;
        app.mock_server().play("/hook", [Reply::Status(200), Reply::Status(502), Reply::Status(200)]);
        app.mock_server().play("/other", [Reply::Status(502), Reply::Status(200)]);
        let gid = caller.draft("1").await;
        caller.update(&gid, json!({ "deceased": { "firstName": "A" } })).await;
        app.next_attempt(&changed, 1).await;
        app.order(&gid).await;
        app.activate(&gid).await;
        app.next_attempt(&ordered, 1).await;
        let query = "mutation ($id: ID!, $input: WebhookSubscriptionUpdateInput!) {
            webhookSubscriptionUpdate(id: $id, webhookSubscription: $input) { userErrors { message } }
        }";
        let input = json!({ "callbackUrl": app.mock_server().secure_url("/other") });
        let moved = caller.data(query, json!({ "id": ordered, "input": input })).await;
        assert_eq!(moved["webhookSubscriptionUpdate"]["userErrors"], json!([]));
        app.settle(&activated, DeliveryState::Delivered, 1).await;
        assert_eq!(sequences(&app, "/hook"), [1, 3, 4]);
        app.settle(&ordered, DeliveryState::Waiting, 1).await;
        app.pass(chrono::Duration::seconds(10));
        app.settle(&ordered, DeliveryState::Delivered, 1).await;
        assert_eq!(sequences(&app, "/other"), [2, 2, 3]);
    }

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
        let arrived = app.arrivals("/hook");
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
        let sequences: Vec<_> = app.arrivals("/hook").iter().map(|arrival| arrival.sequence()).collect();
        assert_eq!(sequences, [2, 3, 4]);
    }

    async fn receiver_that_never_answers_delays_no_other(app: TestApp) {
        let (caller, _) = app.follower("CARDS_CREATE", "/dead").await;
        let alive = caller.subscribe("CARDS_CREATE", &app.mock_server().secure_url("/hook")).await;
        app.mock_server().reply("/dead", Reply::Silence);
        app.mock_server().reply("/hook", Reply::Status(200));
        let drafts = (0..60).map(|n| {
            let caller = caller.clone();
            async move { caller.draft(&n.to_string()).await }
        });
        let began = std::time::Instant::now();
        futures_util::future::join_all(drafts).await;
        app.settle(&alive, DeliveryState::Delivered, 60).await;
        // Its places are taken again when its attempts have timed out.
        let rounds = 1 + began.elapsed().as_secs() / limits::DELIVERY_TOTAL.as_secs();
        let dead = app.arrivals("/dead").len();
        let dead_max = limits::DELIVERIES_SENT_AT_ONCE_PER_SUBSCRIPTION * rounds as usize;
        assert!((1..=dead_max.min(59)).contains(&dead), "{dead}: only its own places, and nobody waited for all its attempts");
    }

    async fn partner_without_a_secret_delays_no_other_partner(app: TestApp) {
        let unsigned = app.partner("Uitvaart Noord").await.live().await;
        for n in 0..limits::SUBSCRIPTIONS_PER_TOPIC_MAX {
            for topic in ["CARDS_CREATE", "CARDS_UPDATE"] {
                unsigned.subscribe(topic, &app.mock_server().secure_url(&format!("/{n}/{topic}"))).await;
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
        app.mock_server().reply("/hook", Reply::Status(200));
        other.draft("1").await;
        app.arrive("/hook", 1).await;
        app.assert_quiet("/hook", 1).await;
    }
}
