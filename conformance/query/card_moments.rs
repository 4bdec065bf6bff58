//! `Card.orderedAt` and `Card.activatedAt` (version 2027-01).

use chrono::Duration;
use serde_json::{Value, json};

use crate::app::{Caller, TestApp};

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
}
