//! `Card.orderedAt` and `Card.activatedAt` (version 2027-01).

use chrono::Duration;
use serde_json::{Value, json};

use crate::app::{Caller, TestApp, tamper};

/// What became of a card, and when.
async fn moments(caller: &Caller, id: &str) -> Value {
    let document = "query ($id: ID!) { card(id: $id) { status orderedAt activatedAt updatedAt } }";
    caller.data(document, json!({ "id": id })).await["card"].take()
}

on_both_databases! {
    async fn card_moments_are_null_until_they_come_and_then_stay(app: TestApp) {
        let caller = app.on_2027_01().await;
        let id = caller.draft("1").await;
        assert_eq!(moments(&caller, &id).await, json!({
            "status": "DRAFT", "orderedAt": null, "activatedAt": null, "updatedAt": "2026-11-10T08:30:00.000Z",
        }));
        app.pass(Duration::minutes(1));
        app.order(&id).await;
        assert_eq!(moments(&caller, &id).await, json!({
            "status": "ORDERED",
            "orderedAt": "2026-11-10T08:31:00.000Z",
            "activatedAt": null,
            "updatedAt": "2026-11-10T08:31:00.000Z",
        }));
        app.pass(Duration::minutes(1));
        app.activate(&id).await;
        app.pass(Duration::minutes(1));
        caller.update(&id, json!({ "livestreamUrl": "https://live.example/1" })).await.gid();
        assert_eq!(moments(&caller, &id).await, json!({
            "status": "ACTIVE",
            "orderedAt": "2026-11-10T08:31:00.000Z",
            "activatedAt": "2026-11-10T08:32:00.000Z",
            "updatedAt": "2026-11-10T08:33:00.000Z",
        }));
        let order = app.store().order_of(app.row(&id).await.id).await.expect("the store answers").expect("an order");
        assert_eq!(Some(order.ordered_at), app.row(&id).await.ordered_at);
    }

    async fn card_timestamps_of_old_cards_are_filled_by_the_migration(app: TestApp) {
        let caller = app.on_2027_01().await;
        let cards = [caller.draft("1").await, caller.draft("2").await, caller.draft("3").await];
        app.pass(Duration::minutes(1));
        app.order(&cards[1]).await;
        app.order(&cards[2]).await;
        app.pass(Duration::minutes(1));
        app.activate(&cards[2]).await;
        let mut before = Vec::new();
        for id in &cards {
            before.push(moments(&caller, id).await);
        }
        let (up, down) = if app.database_url().starts_with("sqlite") {
            (
                include_str!("../../migrations/sqlite/2026-11-21-000008_card_moments/up.sql"),
                include_str!("../../migrations/sqlite/2026-11-21-000008_card_moments/down.sql"),
            )
        } else {
            (
                include_str!("../../migrations/postgres/2026-11-21-000008_card_moments/up.sql"),
                include_str!("../../migrations/postgres/2026-11-21-000008_card_moments/down.sql"),
            )
        };
        tamper(app.database_url(), down).await;
        tamper(app.database_url(), up).await;
        for (id, before) in cards.iter().zip(&before) {
            assert_eq!(&moments(&caller, id).await, before);
        }
    }
}
