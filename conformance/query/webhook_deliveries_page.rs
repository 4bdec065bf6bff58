//! What the connection of deliveries owes: sizes, ends, cursors (version 2027-01; decisions V5).

use serde_json::{Value, json};

use crate::app::{Caller, TestApp, tamper};

const DOCUMENT: &str = "query ($id: ID!, $first: Int, $after: String, $last: Int, $before: String) {
    webhookSubscription(id: $id) {
        webhookDeliveries(first: $first, after: $after, last: $last, before: $before) {
            edges { cursor node { id } }
            nodes { id cardId }
            pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
        }
    }
}";

/// A page, after checking that edges, nodes and pageInfo agree.
async fn page(caller: &Caller, id: &str, mut arguments: Value) -> Value {
    arguments["id"] = json!(id);
    let mut data = caller.data(DOCUMENT, arguments).await;
    let page = data["webhookSubscription"]["webhookDeliveries"].take();
    let (edges, nodes) = (page["edges"].as_array().expect("edges"), page["nodes"].as_array().expect("nodes"));
    assert!(edges.iter().map(|edge| &edge["node"]["id"]).eq(nodes.iter().map(|node| &node["id"])), "{page}");
    let cursor = |edge: Option<&Value>| edge.map_or(Value::Null, |edge| edge["cursor"].clone());
    assert_eq!(page["pageInfo"]["startCursor"], cursor(edges.first()));
    assert_eq!(page["pageInfo"]["endCursor"], cursor(edges.last()));
    page
}

/// The cards of a page, in its order.
fn cards(page: &Value) -> Vec<String> {
    let nodes = page["nodes"].as_array().expect("nodes").iter();
    nodes.map(|node| node["cardId"].as_str().expect("an id").to_owned()).collect()
}

/// Whether there is a previous page, and a next one.
fn more(page: &Value) -> (bool, bool) {
    let flag = |name: &str| page["pageInfo"][name].as_bool().expect("a flag");
    (flag("hasPreviousPage"), flag("hasNextPage"))
}

/// A subscription with a delivery for each of `count` cards; the cards, the newest first. Nothing is sent: there is no
/// secret.
async fn followed(app: &TestApp, count: usize) -> (Caller, String, Vec<String>) {
    let caller = app.on_2027_01().await;
    let id = caller.subscribe("CARDS_CREATE", "https://hooks.example/in").await;
    let mut cards = Vec::new();
    for number in 0..count {
        app.pass(chrono::Duration::seconds(1));
        cards.push(caller.draft(&number.to_string()).await);
    }
    cards.reverse();
    (caller, id, cards)
}

/// Finishes every second and every third delivery, so that the states alternate.
async fn finish_some(app: &TestApp) {
    for (state, offset) in [("FAILED", 1), ("DELIVERED", 2), ("FAILED", 4), ("DELIVERED", 5)] {
        let finish = format!(
            "UPDATE deliveries SET state = '{state}', due_at = NULL, finished_at = created_at
             WHERE id IN (SELECT id FROM deliveries ORDER BY id LIMIT 1 OFFSET {offset})"
        );
        tamper(app.database_url(), &finish).await;
    }
}

on_both_databases! {
    async fn deliveries_paged_both_ways_are_complete_and_newest_first(app: TestApp) {
        let (caller, id, all) = followed(&app, 7).await;
        finish_some(&app).await;
        for size in 1..=8 {
            let (mut forwards, mut after) = (Vec::new(), Value::Null);
            loop {
                let page = page(&caller, &id, json!({ "first": size, "after": after })).await;
                let (previous, next) = more(&page);
                assert_eq!(previous, !forwards.is_empty(), "first {size} after {}", forwards.len());
                forwards.extend(cards(&page));
                assert_eq!(next, forwards.len() < all.len(), "first {size} after {}", forwards.len());
                after = page["pageInfo"]["endCursor"].clone();
                if !next {
                    break;
                }
            }
            assert_eq!(forwards, all, "first {size}");
            let (mut backwards, mut before) = (Vec::new(), Value::Null);
            loop {
                let page = page(&caller, &id, json!({ "last": size, "before": before })).await;
                let (previous, next) = more(&page);
                assert_eq!(next, !backwards.is_empty(), "last {size} before {}", backwards.len());
                let mut found = cards(&page);
                found.extend(backwards);
                backwards = found;
                assert_eq!(previous, backwards.len() < all.len(), "last {size} before {}", backwards.len());
                before = page["pageInfo"]["startCursor"].clone();
                if !previous {
                    break;
                }
            }
            assert_eq!(backwards, all, "last {size}");
        }
    }

    async fn page_without_size_holds_50_and_cursors_bound_it(app: TestApp) {
        let (caller, id, all) = followed(&app, 52).await;
        let whole = page(&caller, &id, json!({})).await;
        assert_eq!((cards(&whole), more(&whole)), (all[..50].to_vec(), (false, true)));
        let cursor = |at: usize| whole["edges"][at]["cursor"].clone();
        let between = page(&caller, &id, json!({ "first": 2, "after": cursor(3), "before": cursor(9) })).await;
        assert_eq!((cards(&between), more(&between)), (all[4..6].to_vec(), (true, true)));
        let none = page(&caller, &id, json!({ "first": 0 })).await;
        assert_eq!((cards(&none), more(&none)), (vec![], (false, true)));
        let most = page(&caller, &id, json!({ "last": 250 })).await;
        assert_eq!((cards(&most), more(&most)), (all, (false, false)));
    }

    async fn paging_is_stable_while_deliveries_change(app: TestApp) {
        let (caller, id, all) = followed(&app, 7).await;
        let first = page(&caller, &id, json!({ "first": 2 })).await;
        caller.draft("newer").await;
        finish_some(&app).await;
        let next = page(&caller, &id, json!({ "first": 9, "after": first["pageInfo"]["endCursor"] })).await;
        assert_eq!((cards(&next), more(&next)), (all[2..].to_vec(), (true, false)));
    }

    async fn page_arguments_out_of_range_are_bad_user_input(app: TestApp) {
        let (caller, id, _) = followed(&app, 1).await;
        let listed = caller.data("{ webhookSubscriptions { pageInfo { endCursor } } }", json!({})).await;
        let foreign = &listed["webhookSubscriptions"]["pageInfo"]["endCursor"];
        for (mut arguments, named) in [
            (json!({ "first": 251 }), "250"),
            (json!({ "last": 251 }), "250"),
            (json!({ "first": -1 }), "250"),
            (json!({ "first": 1, "last": 1 }), "first"),
            (json!({ "after": "gid://service/Card/1" }), "after"),
            (json!({ "before": "é\u{0}" }), "before"),
            (json!({ "after": foreign }), "after"),
        ] {
            arguments["id"] = json!(id);
            let answer = caller.graphql(DOCUMENT, arguments.clone()).await;
            assert_eq!(answer.error_code(), "BAD_USER_INPUT", "{arguments}");
            let error = &answer.json()["errors"][0];
            assert!(error["message"].as_str().is_some_and(|message| message.contains(named)), "{arguments}: {error}");
            assert_eq!(error["path"], json!(["webhookSubscription", "webhookDeliveries"]));
        }
    }
}
