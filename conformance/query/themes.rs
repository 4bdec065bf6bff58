//! The query `themes` (specification, sections 2.6 and 4.1; decisions V5). Pages are in `page`.

use serde_json::json;

use crate::app::TestApp;

on_both_databases! {
    async fn themes_follow_the_operators_order_and_then_their_number(app: TestApp) {
        let live = app.live().await;
        for (handle, position) in [("late", 9), ("twin-one", 5), ("early", 1), ("twin-two", 5)] {
            app.theme(handle, position).await;
        }
        let data = live.data("{ themes { nodes { handle } } }", json!({})).await;
        let handles: Vec<_> = data["themes"]["nodes"].as_array().expect("nodes").iter().map(|n| &n["handle"]).collect();
        assert_eq!(handles, ["early", "twin-one", "twin-two", "late"]);
    }

    async fn themes_are_the_same_for_every_partner(app: TestApp) {
        app.theme("linnen", 1).await;
        let (ours, theirs) = (app.partner("Noord").await, app.partner("Zuid").await);
        let document = "{ themes { edges { cursor node { id } } } }";
        let (a, b) = (ours.live().await, theirs.test().await);
        assert_eq!(a.data(document, json!({})).await, b.data(document, json!({})).await);
    }
}
