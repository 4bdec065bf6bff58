//! The queries `theme` and `themes` (specification, sections 2.6 and 4.1; decisions K4, V5). Pages are in `page`.

use serde_json::{Value, json};

use crate::app::{Caller, PUBLIC_BASE, TestApp};

const THEME: &str = "query ($id: ID!) {
    theme(id: $id) {
        id legacyResourceId title handle description demoUrl images { url altText } videos { url }
    }
}";

async fn theme(caller: &Caller, id: &str) -> Value {
    caller.data(THEME, json!({ "id": id })).await["theme"].take()
}

on_both_databases! {
    async fn theme_by_global_id_and_by_number_reads_the_same(app: TestApp) {
        let live = app.live().await;
        let stored = app.theme("linnen", 1).await;
        let gid = format!("gid://service/Theme/{}", stored.id);
        let read = theme(&live, &gid).await;
        assert_eq!(read, json!({
            "id": gid,
            "legacyResourceId": stored.number.to_string(),
            "title": "Thema linnen",
            "handle": "linnen",
            "description": "Rustige kleuren.",
            "demoUrl": null,
            "images": [
                { "url": format!("{PUBLIC_BASE}/media/theme/linnen/voor.svg"), "altText": "De voorkant" },
                { "url": format!("{PUBLIC_BASE}/media/theme/linnen/achter.svg"), "altText": null },
            ],
            "videos": [{ "url": "https://video.example/rust.mp4" }],
        }));
        assert_eq!(theme(&live, &stored.number.to_string()).await, read);
    }

    async fn theme_number_may_be_sent_as_an_integer(app: TestApp) {
        let live = app.live().await;
        let stored = app.theme("linnen", 1).await;
        let data = live.data(THEME, json!({ "id": stored.number })).await;
        assert_eq!(data["theme"]["handle"], "linnen");
        let literal = format!("{{ theme(id: {}) {{ handle }} }}", stored.number);
        assert_eq!(live.data(&literal, json!({})).await["theme"]["handle"], "linnen");
    }

    async fn theme_unknown_reads_null(app: TestApp) {
        let live = app.live().await;
        let stored = app.theme("linnen", 1).await;
        // `access/malformed` has the ids that are malformed for every kind.
        for id in ["linnen", "999999", "+1", "0x1", "1.0", &format!(" {}", stored.number)] {
            assert_eq!(theme(&live, id).await, json!(null), "{id}");
        }
    }

    async fn theme_put_again_keeps_its_id_and_number(app: TestApp) {
        let live = app.live().await;
        let first = app.theme("linnen", 1).await;
        app.theme("eik", 2).await;
        let again = app.theme("linnen", 3).await;
        assert_eq!((again.id, again.number), (first.id, first.number));
        assert_eq!(theme(&live, &first.number.to_string()).await["handle"], "linnen");
    }

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
