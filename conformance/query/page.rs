//! Pages of every connection: sizes, ends, cursors (specification, section 2.9; decisions V5).

use chrono::Duration;
use serde_json::{Value, json};

use crate::app::{Caller, TestApp, tamper};

/// A root field that returns a connection.
#[derive(Clone, Copy)]
struct Connection {
    field: &'static str,
    /// The field that identifies an item in a test.
    label: &'static str,
}

const THEMES: Connection = Connection { field: "themes", label: "handle" };
const SUBSCRIPTIONS: Connection =
    Connection { field: "webhookSubscriptions", label: "endpoint { ... on WebhookHttpEndpoint { callbackUrl } }" };

impl Connection {
    fn document(self) -> String {
        let Connection { field, label } = self;
        format!(
            "query ($first: Int, $after: String, $last: Int, $before: String) {{
                {field}(first: $first, after: $after, last: $last, before: $before) {{
                    edges {{ cursor node {{ id {label} }} }}
                    nodes {{ id {label} }}
                    pageInfo {{ hasNextPage hasPreviousPage startCursor endCursor }}
                }}
            }}"
        )
    }

    async fn page(self, caller: &Caller, arguments: Value) -> Page {
        let mut data = caller.data(&self.document(), arguments).await;
        Page(data[self.field].take())
    }
}

struct Page(Value);

impl Page {
    /// The items by name, after checking that edges, nodes and pageInfo agree.
    #[track_caller]
    fn names(&self) -> Vec<String> {
        let edges = self.0["edges"].as_array().expect("edges");
        let nodes: Vec<_> = edges.iter().map(|edge| edge["node"].clone()).collect();
        assert_eq!(self.0["nodes"], Value::from(nodes.clone()));
        let cursor = |edge: Option<&Value>| edge.map_or(Value::Null, |edge| edge["cursor"].clone());
        assert_eq!(self.0["pageInfo"]["startCursor"], cursor(edges.first()));
        assert_eq!(self.0["pageInfo"]["endCursor"], cursor(edges.last()));
        nodes
            .iter()
            .map(|node| {
                let name = node["handle"].as_str().or(node["cardId"].as_str()).unwrap_or_else(|| {
                    let url = node["endpoint"]["callbackUrl"].as_str().expect("a name");
                    url.rsplit('/').next().expect("a path")
                });
                name.to_owned()
            })
            .collect()
    }

    fn end(&self) -> Value {
        self.0["pageInfo"]["endCursor"].clone()
    }

    fn start(&self) -> Value {
        self.0["pageInfo"]["startCursor"].clone()
    }

    /// Previous, next.
    fn more(&self) -> (bool, bool) {
        let flag = |name: &str| self.0["pageInfo"][name].as_bool().expect("a flag");
        (flag("hasPreviousPage"), flag("hasNextPage"))
    }
}

/// Themes of these handles, in this order.
async fn themes(app: &TestApp, handles: &[&str]) {
    for (position, handle) in (10..).step_by(10).zip(handles) {
        app.theme(handle, position).await;
    }
}

/// Subscriptions with these last path segments; the first is the newest. Their ids, in the same order.
async fn subscriptions(app: &TestApp, caller: &Caller, names: &[&str]) -> Vec<String> {
    let mut ids = Vec::new();
    for name in names.iter().rev() {
        app.pass(Duration::seconds(1));
        ids.push(caller.subscribe("CARDS_CREATE", &format!("https://hooks.example/{name}")).await);
    }
    ids.reverse();
    ids
}

/// The connection of a subscription's deliveries (version 2027-01).
const DELIVERIES: &str = "query ($id: ID!, $first: Int, $after: String, $last: Int, $before: String) {
    webhookSubscription(id: $id) {
        webhookDeliveries(first: $first, after: $after, last: $last, before: $before) {
            edges { cursor node { id cardId } }
            nodes { id cardId }
            pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
        }
    }
}";

async fn deliveries(caller: &Caller, id: &str, mut arguments: Value) -> Page {
    arguments["id"] = json!(id);
    let mut data = caller.data(DELIVERIES, arguments).await;
    Page(data["webhookSubscription"]["webhookDeliveries"].take())
}

/// A subscription with a delivery for each of `count` cards; the cards, the newest first. Nothing is sent: the secret is
/// revoked.
async fn subscribe_and_follow(app: &TestApp, count: usize) -> (Caller, String, Vec<String>) {
    let caller = app.on_2027_01().await;
    let id = caller.subscribe("CARDS_CREATE", "https://hooks.example/in").await;
    app.revoke_secrets().await;
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

/// Reads a connection that holds `all`, both ways in every page size.
async fn walk_both_ways<F: Future<Output = Page>>(all: &[String], read: impl Fn(Value) -> F) {
    for size in 1..=all.len() + 1 {
        let (mut forwards, mut after) = (Vec::new(), Value::Null);
        loop {
            let page = read(json!({ "first": size, "after": after })).await;
            let (previous, next) = page.more();
            assert_eq!(previous, !forwards.is_empty(), "first {size} after {}", forwards.len());
            forwards.extend(page.names());
            assert_eq!(next, forwards.len() < all.len(), "first {size} after {}", forwards.len());
            after = page.end();
            if !next {
                break;
            }
        }
        assert_eq!(forwards, all, "first {size}");

        let (mut backwards, mut before) = (Vec::new(), Value::Null);
        loop {
            let page = read(json!({ "last": size, "before": before })).await;
            let (previous, next) = page.more();
            assert_eq!(next, !backwards.is_empty(), "last {size} before {}", backwards.len());
            let mut names = page.names();
            names.extend(backwards);
            backwards = names;
            assert_eq!(previous, backwards.len() < all.len(), "last {size} before {}", backwards.len());
            before = page.start();
            if !previous {
                break;
            }
        }
        assert_eq!(backwards, all, "last {size}");
    }
}

on_both_databases! {
    async fn themes_and_subscriptions_paged_both_ways_are_complete_and_in_order(app: TestApp) {
        let live = app.live().await;
        let all = ["a", "b", "c", "d", "e"];
        themes(&app, &all).await;
        subscriptions(&app, &live, &all).await;
        for connection in [THEMES, SUBSCRIPTIONS] {
            walk_both_ways(&all.map(str::to_owned), |arguments| connection.page(&live, arguments)).await;
        }
    }

    async fn deliveries_paged_both_ways_are_complete_and_newest_first(app: TestApp) {
        let (caller, id, all) = subscribe_and_follow(&app, 7).await;
        finish_some(&app).await;
        walk_both_ways(&all, |arguments| deliveries(&caller, &id, arguments)).await;
    }

    async fn page_between_two_cursors_holds_what_lies_between(app: TestApp) {
        let live = app.live().await;
        themes(&app, &["a", "b", "c", "d", "e"]).await;
        let whole = THEMES.page(&live, json!({})).await;
        let (a, e) = (whole.start(), whole.end());
        assert_eq!(THEMES.page(&live, json!({ "after": a, "before": e })).await.names(), ["b", "c", "d"]);
        let page = THEMES.page(&live, json!({ "first": 2, "after": a, "before": e })).await;
        assert_eq!(page.names(), ["b", "c"]);
        assert!(page.more().1, "d still lies between");
        let page = THEMES.page(&live, json!({ "last": 2, "after": a, "before": e })).await;
        assert_eq!(page.names(), ["c", "d"]);
        assert!(page.more().0, "b still lies between");
        assert_eq!(THEMES.page(&live, json!({ "after": e, "before": a })).await.names(), [""; 0]);
    }

    async fn page_of_nothing_has_no_cursors(app: TestApp) {
        let live = app.live().await;
        for connection in [THEMES, SUBSCRIPTIONS] {
            let page = connection.page(&live, json!({})).await;
            assert_eq!((page.names(), page.more()), (vec![], (false, false)));
            assert_eq!((page.start(), page.end()), (Value::Null, Value::Null));
        }
    }

    async fn page_of_size_zero_is_empty(app: TestApp) {
        let live = app.live().await;
        themes(&app, &["a", "b"]).await;
        for arguments in [json!({ "first": 0 }), json!({ "last": 0 })] {
            assert_eq!(THEMES.page(&live, arguments).await.names(), [""; 0]);
        }
    }

    async fn page_without_size_holds_50_and_at_most_250(app: TestApp) {
        let live = app.live().await;
        for number in 0..251 {
            app.theme(&format!("t{number:03}"), number).await;
        }
        assert_eq!(THEMES.page(&live, json!({})).await.names().len(), 50);
        let page = THEMES.page(&live, json!({ "first": 250 })).await;
        assert_eq!((page.names().len(), page.more()), (250, (false, true)));
        let page = THEMES.page(&live, json!({ "last": 250 })).await;
        assert_eq!((page.names()[0].as_str(), page.more()), ("t001", (true, false)));
    }

    async fn page_arguments_out_of_range_are_bad_user_input(app: TestApp) {
        let (caller, id, _) = subscribe_and_follow(&app, 1).await;
        themes(&app, &["a", "b", "c"]).await;
        let (theme, subscription) =
            (THEMES.page(&caller, json!({})).await.start(), SUBSCRIPTIONS.page(&caller, json!({})).await.start());
        for (document, path, foreign) in [
            (THEMES.document(), json!(["themes"]), &subscription),
            (SUBSCRIPTIONS.document(), json!(["webhookSubscriptions"]), &theme),
            (DELIVERIES.to_owned(), json!(["webhookSubscription", "webhookDeliveries"]), &subscription),
        ] {
            for (mut arguments, named) in [
                (json!({ "first": 251 }), "250"),
                (json!({ "last": 251 }), "250"),
                (json!({ "first": -1 }), "250"),
                (json!({ "last": -1 }), "250"),
                (json!({ "first": i32::MAX }), "250"),
                (json!({ "first": 1, "last": 1 }), "first"),
                (json!({ "after": "" }), "after"),
                (json!({ "after": "gid://service/Card/1" }), "after"),
                (json!({ "before": "ééé\u{0}%_'\"" }), "before"),
                (json!({ "before": "x".repeat(10_000) }), "before"),
                (json!({ "after": foreign }), "after"),
                (json!({ "after": format!("{}=", foreign.as_str().expect("a cursor")) }), "after"),
            ] {
                arguments["id"] = json!(id);
                let answer = caller.graphql(&document, arguments.clone()).await;
                assert_eq!(answer.error_code(), "BAD_USER_INPUT", "{path} {arguments}");
                let error = &answer.json()["errors"][0];
                assert!(error["message"].as_str().is_some_and(|text| text.contains(named)), "{path} {arguments}: {error}");
                assert_eq!(error["path"], path);
            }
        }
        // `AX` is layout 1 of the cursor of a theme, and `An` would be layout 2.
        let later = theme.as_str().expect("a cursor").replacen("AX", "An", 1);
        let answer = caller.graphql(&THEMES.document(), json!({ "after": later })).await;
        assert_eq!(answer.error_code(), "BAD_USER_INPUT");
    }

    async fn paging_while_themes_change_misses_and_repeats_none(app: TestApp) {
        let live = app.live().await;
        themes(&app, &["a", "b", "c", "d", "e", "f"]).await;
        let first = THEMES.page(&live, json!({ "first": 2 })).await;
        let last = THEMES.page(&live, json!({ "last": 2 })).await;
        assert_eq!((first.names(), last.names()), (vec!["a".into(), "b".into()], vec!["e".into(), "f".into()]));
        app.theme("before-all", 1).await;
        app.theme("between", 35).await;
        // The theme at the cursor moves.
        app.theme("b", 99).await;
        let next = THEMES.page(&live, json!({ "first": 3, "after": first.end() })).await;
        assert_eq!(next.names(), ["c", "between", "d"]);
        let previous = THEMES.page(&live, json!({ "last": 3, "before": last.start() })).await;
        assert_eq!(previous.names(), ["c", "between", "d"]);
    }

    async fn paging_while_subscriptions_change_misses_and_repeats_none(app: TestApp) {
        let live = app.live().await;
        let ids = subscriptions(&app, &live, &["a", "b", "c", "d", "e", "f"]).await;
        let first = SUBSCRIPTIONS.page(&live, json!({ "first": 2 })).await;
        let last = SUBSCRIPTIONS.page(&live, json!({ "last": 2 })).await;
        subscriptions(&app, &live, &["newer"]).await;
        // The rows under both cursors go, and one between them.
        for gone in [1, 2, 4] {
            live.unsubscribe(&ids[gone]).await;
        }
        let next = SUBSCRIPTIONS.page(&live, json!({ "first": 5, "after": first.end() })).await;
        assert_eq!((next.names(), next.more()), (vec!["d".into(), "f".into()], (true, false)));
        let previous = SUBSCRIPTIONS.page(&live, json!({ "last": 2, "before": last.start() })).await;
        assert_eq!((previous.names(), previous.more()), (vec!["a".into(), "d".into()], (true, true)));
    }

    async fn page_of_deliveries_holds_50_and_cursors_bound_it(app: TestApp) {
        let (caller, id, all) = subscribe_and_follow(&app, 52).await;
        let whole = deliveries(&caller, &id, json!({})).await;
        assert_eq!((whole.names(), whole.more()), (all[..50].to_vec(), (false, true)));
        let cursor = |at: usize| whole.0["edges"][at]["cursor"].clone();
        let between = deliveries(&caller, &id, json!({ "first": 2, "after": cursor(3), "before": cursor(9) })).await;
        assert_eq!((between.names(), between.more()), (all[4..6].to_vec(), (true, true)));
        let none = deliveries(&caller, &id, json!({ "first": 0 })).await;
        assert_eq!((none.names(), none.more()), (vec![], (false, true)));
        let most = deliveries(&caller, &id, json!({ "last": 250 })).await;
        assert_eq!((most.names(), most.more()), (all, (false, false)));
    }

    async fn paging_while_deliveries_change_misses_and_repeats_none(app: TestApp) {
        let (caller, id, all) = subscribe_and_follow(&app, 7).await;
        let first = deliveries(&caller, &id, json!({ "first": 2 })).await;
        caller.draft("newer").await;
        finish_some(&app).await;
        let next = deliveries(&caller, &id, json!({ "first": 9, "after": first.end() })).await;
        assert_eq!((next.names(), next.more()), (all[2..].to_vec(), (true, false)));
    }
}
