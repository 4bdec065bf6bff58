//! The query `webhookSubscriptions` (specification, sections 2.8 and 4.1; decisions V5). Pages are in `page`.

use chrono::Duration;
use serde_json::{Value, json};

use crate::app::{Caller, TestApp};

async fn topics(caller: &Caller, arguments: &str) -> Vec<Value> {
    let document = format!("{{ webhookSubscriptions{arguments} {{ nodes {{ topic }} }} }}");
    let data = caller.data(&document, json!({})).await;
    data["webhookSubscriptions"]["nodes"].as_array().expect("nodes").iter().map(|node| node["topic"].clone()).collect()
}

on_both_databases! {
    async fn subscription_reads_every_field(app: TestApp) {
        let live = app.live().await;
        let id = live.subscribe("CARDS_ORDERED", "https://hooks.example/in?a=1").await;
        let document = "{ webhookSubscriptions { nodes {
            id topic format createdAt updatedAt endpoint { __typename ... on WebhookHttpEndpoint { callbackUrl } }
        } } }";
        assert_eq!(live.data(document, json!({})).await["webhookSubscriptions"]["nodes"], json!([{
            "id": id,
            "topic": "CARDS_ORDERED",
            "format": "JSON",
            "createdAt": "2026-11-10T08:30:00.000Z",
            "updatedAt": "2026-11-10T08:30:00.000Z",
            "endpoint": { "__typename": "WebhookHttpEndpoint", "callbackUrl": "https://hooks.example/in?a=1" },
        }]));
        assert!(id.starts_with("gid://service/WebhookSubscription/"), "{id}");
    }

    async fn subscriptions_are_filtered_by_topics_and_newest_first(app: TestApp) {
        let live = app.live().await;
        for topic in ["CARDS_CREATE", "CARDS_UPDATE", "CARDS_ORDERED", "CARDS_ACTIVATED"] {
            app.pass(Duration::seconds(1));
            live.subscribe(topic, "https://hooks.example/in").await;
        }
        let all = ["CARDS_ACTIVATED", "CARDS_ORDERED", "CARDS_UPDATE", "CARDS_CREATE"];
        assert_eq!(topics(&live, "").await, all);
        assert_eq!(topics(&live, "(topics: null)").await, all);
        assert_eq!(topics(&live, "(topics: [CARDS_UPDATE])").await, ["CARDS_UPDATE"]);
        assert_eq!(topics(&live, "(topics: CARDS_UPDATE)").await, ["CARDS_UPDATE"]);
        let two = topics(&live, "(topics: [CARDS_CREATE, CARDS_ACTIVATED, CARDS_CREATE])").await;
        assert_eq!(two, ["CARDS_ACTIVATED", "CARDS_CREATE"]);
    }

    async fn subscriptions_with_an_empty_filter_are_not_filtered(app: TestApp) {
        let live = app.live().await;
        live.subscribe("CARDS_CREATE", "https://hooks.example/in").await;
        assert_eq!(topics(&live, "(topics: [])").await, ["CARDS_CREATE"]);
    }

    async fn subscriptions_of_another_partner_are_not_listed(app: TestApp) {
        let (ours, theirs) = (app.partner("Noord").await, app.partner("Zuid").await);
        ours.live().await.subscribe("CARDS_CREATE", "https://hooks.example/in").await;
        assert_eq!(topics(&theirs.live().await, "").await, [] as [Value; 0]);
        assert_eq!(topics(&ours.live().await, "").await, ["CARDS_CREATE"], "another live key of the account");
    }

    async fn test_key_lists_test_subscriptions_only_and_live_key_all(app: TestApp) {
        let partner = app.partner("Noord").await;
        let (live, test) = (partner.live().await, partner.test().await);
        live.subscribe("CARDS_CREATE", "https://hooks.example/in").await;
        app.pass(Duration::seconds(1));
        test.subscribe("CARDS_UPDATE", "https://hooks.example/test").await;
        app.pass(Duration::seconds(1));
        live.subscribe("CARDS_ORDERED", "https://hooks.example/in").await;
        assert_eq!(topics(&test, "").await, ["CARDS_UPDATE"]);
        assert_eq!(topics(&test, "(topics: [CARDS_CREATE, CARDS_ORDERED])").await, [] as [Value; 0]);
        assert_eq!(topics(&live, "").await, ["CARDS_ORDERED", "CARDS_UPDATE", "CARDS_CREATE"]);
        // Nothing of the others shows in the page either.
        for from in ["first: 1", "last: 1"] {
            let document = format!("{{ webhookSubscriptions({from}) {{ pageInfo {{ hasNextPage hasPreviousPage }} }} }}");
            let page = test.data(&document, json!({})).await["webhookSubscriptions"]["pageInfo"].take();
            assert_eq!(page, json!({ "hasNextPage": false, "hasPreviousPage": false }), "{from}");
        }
    }
}
