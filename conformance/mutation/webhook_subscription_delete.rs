//! `webhookSubscriptionDelete` (specification, sections 4.2 and 7.2; decisions W5).

use serde_json::{Value, json};

use crate::app::{Caller, TestApp};

async fn count(caller: &Caller) -> usize {
    let data = caller.data("{ webhookSubscriptions { nodes { id } } }", json!({})).await;
    data["webhookSubscriptions"]["nodes"].as_array().expect("nodes").len()
}

/// Asserts that the subscription is not found.
async fn not_found(caller: &Caller, id: &str) {
    let (deleted, faults) = caller.unsubscribe(id).await;
    assert_eq!(deleted, Value::Null, "{id}");
    let found: Vec<_> = faults.iter().map(|f| (f.code.as_str(), f.field.as_str(), f.message.as_str())).collect();
    assert_eq!(found, [("NOT_FOUND", "id", "Dit abonnement is niet gevonden.")], "{id}");
}

on_both_databases! {
    async fn subscription_deleted_is_gone_and_cannot_be_deleted_again(app: TestApp) {
        let live = app.live().await;
        let id = live.subscribe("CARDS_CREATE", "https://hooks.example/in").await;
        let kept = live.subscribe("CARDS_UPDATE", "https://hooks.example/in").await;
        assert_eq!(live.unsubscribe(&id).await, (json!(id), vec![]));
        assert_eq!(count(&live).await, 1);
        let data = live.data("query ($id: ID!) { node(id: $id) { id } }", json!({ "id": id })).await;
        assert_eq!(data["node"], Value::Null);
        not_found(&live, &id).await;
        live.subscribe("CARDS_CREATE", "https://hooks.example/in").await;
        assert_eq!(live.unsubscribe(&kept).await.1, []);
    }

    async fn live_key_deletes_all_subscriptions_and_test_key_test_ones(app: TestApp) {
        let partner = app.partner("Noord").await;
        let (live, test) = (partner.live().await, partner.test().await);
        let real = live.subscribe("CARDS_CREATE", "https://hooks.example/in").await;
        not_found(&test, &real).await;
        assert_eq!(partner.live().await.unsubscribe(&real).await.0, json!(real));
        for caller in [&live, &partner.test().await] {
            let trial = test.subscribe("CARDS_CREATE", "https://hooks.example/in").await;
            assert_eq!(caller.unsubscribe(&trial).await.0, json!(trial));
        }
    }
}
