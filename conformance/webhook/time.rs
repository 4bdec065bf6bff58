//! Timestamps that never go back, whatever the clocks of the replicas say (decisions V7).

use card_service::operation::webhook::delivery;
use chrono::Duration;
use futures_util::future::join_all;
use serde_json::json;

use super::arrival::subscription_id;
use crate::app::family::{Browser, customizer};
use crate::app::mock_server::Reply;
use crate::app::{Caller, TestApp};
use card_service::base::Progress;

/// How far the clock goes back before each change.
const BACK: Duration = Duration::hours(1);

/// Asserts that the times in the events of a card, and in the notifications about it, are in the order of their sequence.
async fn assert_in_order(app: &TestApp, gid: &str, path: &str) {
    let events = app.events(gid).await;
    assert!(events.is_sorted_by_key(|event| event.occurred_at), "{events:#?}");
    assert_eq!(app.row(gid).await.updated_at, events.last().expect("an event").occurred_at);
    // Deliveries are due at the clock of their event.
    app.pass(Duration::days(1));
    let mut arrivals = app.arrive(path, events.len()).await;
    arrivals.sort_by_key(|arrival| arrival.sequence());
    let text =
        |pointer: &str| arrivals.iter().map(|one| one.json.pointer(pointer).expect("a time").to_string()).collect();
    let (timestamps, updates): (Vec<_>, Vec<_>) = (text("/timestamp"), text("/data/card/updatedAt"));
    assert!(timestamps.is_sorted(), "{timestamps:?}");
    assert_eq!(updates, timestamps);
}

/// A partner that receives every notification about its cards.
async fn follower(app: &TestApp, path: &str) -> Caller {
    let caller = app.live().await;
    app.mock_server().reply(path, Reply::Status(200));
    for topic in ["CARDS_CREATE", "CARDS_UPDATE", "CARDS_ORDERED", "CARDS_ACTIVATED"] {
        caller.subscribe(topic, &app.mock_server().secure_url(path)).await;
    }
    caller
}

/// Returns when the only subscription changed.
async fn update_time(caller: &Caller) -> String {
    let data = caller.data("{ webhookSubscriptions { nodes { updatedAt } } }", json!({})).await;
    data["webhookSubscriptions"]["nodes"][0]["updatedAt"].as_str().expect("a time").to_owned()
}

on_both_databases! {
    async fn times_of_a_card_never_go_back_when_a_clock_does(app: TestApp) {
        let caller = follower(&app, "/hook").await;
        let gid = caller.draft("1").await;
        let mut browser = Browser::at_customizer(&caller, &gid).await;
        let start = app.row(&gid).await.updated_at;
        for change in ["partner", "family", "order", "activation", "partner again"] {
            app.pass(-BACK);
            match change {
                "family" => {
                    let fields = [("livestream", "https://live.example/")];
                    assert_eq!(browser.submit(&customizer(&gid, "afscheid"), &fields).await.status, 303);
                }
                "order" => app.order(&gid).await,
                "activation" => app.activate(&gid).await,
                _ => {
                    let updated = caller.update(&gid, json!({ "externalFuneralDirectorId": change })).await;
                    assert_eq!(updated.card["updatedAt"], start.to_string(), "{change}");
                }
            }
            assert_eq!(app.row(&gid).await.updated_at, start, "{change}");
        }
        assert_eq!(app.events(&gid).await.len(), 6);
        assert_in_order(&app, &gid, "/hook").await;
    }

    async fn ten_updates_at_once_leave_times_in_order(app: TestApp) {
        let caller = follower(&app, "/hook").await;
        let gid = caller.draft("1").await;
        let update = async |n: usize| {
            for round in 0..2 {
                app.pass(-Duration::seconds(1)); // each request begins by another clock
                caller.update(&gid, json!({ "externalFuneralDirectorId": format!("{n}-{round}") })).await.gid();
            }
        };
        join_all((0..10).map(update)).await;
        assert_eq!(app.events(&gid).await.len(), 21);
        assert_in_order(&app, &gid, "/hook").await;
    }

    async fn update_time_of_a_subscription_never_goes_back(app: TestApp) {
        let (caller, subscription) = app.follower_on_2027_01("CARDS_UPDATE", "/hook").await;
        let id = subscription_id(&subscription);
        let start = update_time(&caller).await;
        for change in ["address", "pause", "resumption"] {
            app.pass(-BACK);
            match change {
                "address" => {
                    let update = "mutation ($id: ID!, $to: URL!) {
                        webhookSubscriptionUpdate(id: $id, webhookSubscription: { callbackUrl: $to }) {
                            webhookSubscription { updatedAt } userErrors { message }
                        }
                    }";
                    let to = app.mock_server().secure_url("/other");
                    let data = caller.data(update, json!({ "id": subscription, "to": to })).await;
                    assert_eq!(data["webhookSubscriptionUpdate"]["userErrors"], json!([]));
                }
                "pause" => delivery::pause(app.services(), id).await.expect("it is there"),
                _ => _ = delivery::resume(app.services(), id, &Progress::default()).await.expect("it is there"),
            }
            assert_eq!(update_time(&caller).await, start, "{change}");
        }
        app.pass(BACK * 4);
        delivery::pause(app.services(), id).await.expect("it is there");
        assert!(update_time(&caller).await > start, "it goes on with the clock");
    }
}
