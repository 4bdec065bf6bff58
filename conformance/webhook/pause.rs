//! Subscriptions that are paused, resumed and replayed, and their pending deliveries (decisions W3).

use card_service::model::{DeliveryState, PauseReason, SubscriptionHealth};
use chrono::Duration;
use serde_json::json;

use super::arrival::subscription_id;
use crate::app::mock_server::Reply;
use crate::app::{Caller, TestApp, codes_of, wait_for};
use card_service::base::Progress;

async fn health(app: &TestApp, subscription: &str) -> SubscriptionHealth {
    let found = app.store().any_subscription(subscription_id(subscription)).await.expect("the store answers");
    found.expect("the subscription is there").health
}

/// Waits until the subscription is paused; returns the reason.
async fn pause_reason(app: &TestApp, subscription: &str) -> PauseReason {
    wait_for("it is paused", || async { Some(health(app, subscription).await.pause?.reason) }).await
}

/// When each subscription last changed, as version 2026-10 shows it.
async fn update_times(caller: &Caller) -> Vec<String> {
    let data = caller.data("{ webhookSubscriptions { nodes { updatedAt } } }", json!({})).await;
    let nodes = data["webhookSubscriptions"]["nodes"].as_array().expect("a list");
    nodes.iter().map(|node| node["updatedAt"].as_str().expect("a text").to_owned()).collect()
}

on_both_databases! {
    async fn gone_receiver_is_paused_and_gets_all_in_order_on_resume(app: TestApp) {
        let (caller, subscription) = app.follower("CARDS_UPDATE", "/hook").await;
        app.mock_server().play("/hook", [Reply::Status(410), Reply::Status(200)]);
        let gid = caller.draft("1").await;
        caller.update(&gid, json!({ "deceased": { "firstName": "A" } })).await;
        assert_eq!(pause_reason(&app, &subscription).await, PauseReason::Gone);
        for name in ["B", "C"] {
            caller.update(&gid, json!({ "deceased": { "firstName": name } })).await;
        }
        assert_eq!(update_times(&caller).await, ["2026-11-10T08:30:00.000Z"]);
        app.pass(Duration::days(29));
        app.assert_quiet("/hook", 1).await;
        let id = subscription_id(&subscription);
        assert_eq!(app.store().resume_subscription(id, app.now(), &Progress::default()).await.expect("the store answers"), Some(0));
        assert_eq!(update_times(&caller).await, ["2026-12-09T08:30:00.000Z"], "a resumed subscription has changed");
        // Delivered before the clock advances: a delivery that is being sent would lose its lease, and be sent again.
        app.settle(&subscription, DeliveryState::Delivered, 3).await;
        app.pass(Duration::days(1));
        app.store().resume_subscription(id, app.now(), &Progress::default()).await.expect("the store answers");
        assert_eq!(update_times(&caller).await, ["2026-12-09T08:30:00.000Z"], "one that was not paused has not");
        let sequences: Vec<_> = app.arrivals("/hook").iter().map(|arrival| arrival.sequence()).collect();
        assert_eq!(sequences, [2, 2, 3, 4]);
        assert_eq!(health(&app, &subscription).await, SubscriptionHealth::default());
    }

    async fn five_days_of_nothing_but_failures_pause_a_subscription(app: TestApp) {
        let (caller, subscription) = app.follower("CARDS_CREATE", "/hook").await;
        app.mock_server().reply("/hook", Reply::Status(500));
        caller.draft("1").await;
        app.next_attempt(&subscription, 1).await;
        app.pass(Duration::days(5) - Duration::seconds(1));
        app.next_attempt(&subscription, 2).await;
        assert_eq!(health(&app, &subscription).await.pause, None);
        assert_eq!(health(&app, &subscription).await.failure_count, 2);
        app.pass(Duration::days(1));
        assert_eq!(pause_reason(&app, &subscription).await, PauseReason::Failures);
        app.assert_quiet("/hook", 3).await;
        // It is never deleted: its partner still sees it, and that it changed.
        assert_eq!(update_times(&caller).await, ["2026-11-16T08:29:59.000Z"]);
    }

    async fn subscribing_a_paused_address_again_says_why_and_what_to_do(app: TestApp) {
        let partner = app.partner("Noord").await;
        let (live, test) = (partner.live().await, partner.test().await);
        let url = |path| app.mock_server().secure_url(path);
        app.mock_server().reply("/gone", Reply::Status(410));
        app.mock_server().reply("/failing", Reply::Status(500));
        app.mock_server().reply("/test", Reply::Status(410));
        let gone = live.subscribe("CARDS_CREATE", &url("/gone")).await;
        let trial = test.subscribe("CARDS_CREATE", &url("/test")).await;
        test.draft("1").await;
        pause_reason(&app, &trial).await;
        let failing = live.subscribe("CARDS_CREATE", &url("/failing")).await;
        live.draft("2").await;
        pause_reason(&app, &gone).await;
        app.next_attempt(&failing, 1).await;
        app.pass(Duration::days(5));
        pause_reason(&app, &failing).await;
        for (caller, path, wanted) in [
            (&live, "/gone", Some("sinds 10-11-2026 om 09.30 uur, omdat het adres met status 410 antwoordde.")),
            (&live, "/failing", Some("sinds 15-11-2026 om 09.30 uur, omdat er vijf dagen lang geen melding aankwam.")),
            (&live, "/test", Some("sinds 10-11-2026 om 09.30 uur, omdat het adres met status 410 antwoordde.")),
            (&test, "/test", Some("sinds 10-11-2026 om 09.30 uur, omdat het adres met status 410 antwoordde.")),
            (&test, "/gone", None),
        ] {
            let (_, faults) = caller.try_subscribe("CARDS_CREATE", &url(path)).await;
            assert_eq!(codes_of(&faults), [("TAKEN", "webhookSubscription.callbackUrl")]);
            let message = &faults[0].message;
            assert_eq!(message.contains("gepauzeerd"), wanted.is_some(), "{message}");
            if let Some(wanted) = wanted {
                assert!(message.contains(wanted) && message.contains("Vraag de beheerder om het te hervatten."), "{message}");
                assert!(!message.contains("2027-01"), "it is a candidate: {message}");
            }
        }
    }

    async fn one_success_ends_a_streak_of_failures(app: TestApp) {
        let (caller, subscription) = app.follower("CARDS_CREATE", "/hook").await;
        app.mock_server().play("/hook", [Reply::Status(500), Reply::Status(200), Reply::Status(500)]);
        caller.draft("1").await;
        app.next_attempt(&subscription, 1).await;
        app.pass(Duration::days(4));
        app.settle(&subscription, DeliveryState::Delivered, 1).await;
        assert_eq!(health(&app, &subscription).await, SubscriptionHealth::default());
        caller.draft("2").await;
        app.next_attempt(&subscription, 1).await;
        app.pass(Duration::days(4));
        app.next_attempt(&subscription, 2).await;
        assert_eq!(health(&app, &subscription).await.pause, None);
    }

    async fn replay_sends_again_what_was_delivered(app: TestApp) {
        let (caller, subscription) = app.follower("CARDS_UPDATE", "/hook").await;
        app.mock_server().reply("/hook", Reply::Status(200));
        let gid = caller.draft("1").await;
        for (done, name) in ["A", "B", "C"].into_iter().enumerate() {
            app.pass(Duration::minutes(1));
            caller.update(&gid, json!({ "deceased": { "firstName": name } })).await;
            app.settle(&subscription, DeliveryState::Delivered, done + 1).await;
        }
        let since = app.now().plus(-Duration::minutes(1));
        let id = subscription_id(&subscription);
        assert_eq!(app.store().replay_deliveries(id, since, app.now(), &Progress::default()).await.expect("the store answers"), Some(2));
        app.arrive("/hook", 5).await;
        app.settle(&subscription, DeliveryState::Delivered, 3).await;
        let sequences: Vec<_> = app.arrivals("/hook").iter().map(|arrival| arrival.sequence()).collect();
        assert_eq!(sequences, [2, 3, 4, 3, 4]);
    }
}
