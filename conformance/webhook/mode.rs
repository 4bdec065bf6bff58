//! Which subscriptions get the events of test and live cards (decisions K3).

use card_service::model::DeliveryState;

use crate::app::TestApp;
use crate::app::mock_server::Reply;

on_both_databases! {
    async fn test_subscription_gets_test_cards_only_and_live_one_all(app: TestApp) {
        let account = app.partner("Uitvaart Noord").await;
        app.secret(account.id).await;
        let (live, test) = (account.live().await, account.test().await);
        app.mock_server().on("/all", Reply::Status(200));
        app.mock_server().on("/test", Reply::Status(200));
        let mut trials = Vec::new();
        for topic in ["CARDS_CREATE", "CARDS_UPDATE", "CARDS_ORDERED", "CARDS_ACTIVATED"] {
            live.subscribe(topic, &app.mock_server().secure_url("/all")).await;
            trials.push(test.subscribe(topic, &app.mock_server().secure_url("/test")).await);
        }
        // The live card comes first: its notification would arrive before that of the test card.
        let real = live.draft("1").await;
        let trial = test.draft("2").await;
        for card in [&real, &trial] {
            live.update(card, serde_json::json!({ "livestreamUrl": "https://live.example/" })).await.gid();
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
