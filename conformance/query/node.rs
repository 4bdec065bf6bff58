//! The query `node` (specification, sections 2.2 and 4.1; decisions K4).

use serde_json::{Value, json};

use crate::app::{Caller, TestApp};

const NODE: &str = "query ($id: ID!) {
    node(id: $id) {
        __typename
        id
        ... on Card { externalDossierId }
        ... on Theme { handle }
        ... on WebhookSubscription { topic }
    }
}";

async fn node(caller: &Caller, id: &str) -> Value {
    caller.data(NODE, json!({ "id": id })).await["node"].take()
}

on_both_databases! {
    async fn node_of_every_kind_reads_its_own_fields(app: TestApp) {
        let (live, card) = app.live_draft("2026-1").await;
        let theme = format!("gid://service/Theme/{}", app.theme("linnen", 1).await.id);
        let subscription = live.subscribe("CARDS_CREATE", "https://hooks.example/in").await;
        for (id, kind, field, value) in [
            (&card, "Card", "externalDossierId", "2026-1"),
            (&theme, "Theme", "handle", "linnen"),
            (&subscription, "WebhookSubscription", "topic", "CARDS_CREATE"),
        ] {
            assert_eq!(node(&live, id).await, json!({ "__typename": kind, "id": id, field: value }));
        }
    }
}
