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
        let live = app.live().await;
        let card = live.draft("2026-1").await;
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

    async fn node_of_another_partner_reads_null(app: TestApp) {
        let ours = app.partner("Noord").await.live().await;
        let theirs = app.partner("Zuid").await.live().await;
        let card = ours.draft("1").await;
        let subscription = ours.subscribe("CARDS_CREATE", "https://hooks.example/in").await;
        assert_eq!(node(&theirs, &card).await, json!(null));
        assert_eq!(node(&theirs, &subscription).await, json!(null));
    }

    async fn node_of_the_wrong_kind_reads_null(app: TestApp) {
        let live = app.live().await;
        let uuid = live.draft("1").await.replace("gid://service/Card/", "");
        for kind in ["Theme", "WebhookSubscription", "Order", "card", ""] {
            assert_eq!(node(&live, &format!("gid://service/{kind}/{uuid}")).await, json!(null), "{kind}");
        }
    }

    async fn node_takes_no_bare_number(app: TestApp) {
        let live = app.live().await;
        let number = app.theme("linnen", 1).await.number.to_string();
        assert_eq!(node(&live, &number).await, json!(null));
    }
}
