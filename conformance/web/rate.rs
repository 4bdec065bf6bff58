//! The rate limit of the pages behind a session link, and the forms that a browser session has in work (decisions S14).

use chrono::Duration;

use crate::app::family::{Browser, customizer};
use crate::app::{FreshDatabase, TestApp};

/// A browser session has a quarter of these points, and a tenth of their refill.
const POINTS: usize = 400;
const RATE: [(&str, &str); 2] = [("RATE_LIMIT_POINTS", "400"), ("RATE_LIMIT_RESTORE", "50")];

on_both_databases! {
    async fn session_that_uses_up_its_points_is_429_and_stops_no_other(database: FreshDatabase) {
        let app = TestApp::start_with(&database, "points of a session", &RATE).await;
        let live = app.live().await;
        let (gid, other) = (live.draft("1").await, live.draft("2").await);
        let mut browser = Browser::at_customizer(&live, &gid).await;
        let mut neighbour = Browser::at_customizer(&live, &other).await;
        let path = customizer(&gid, "overledene");
        let page = browser.get(&path).await;
        for number in 2..=POINTS / 4 {
            assert_eq!(browser.get(&path).await.status, 200, "{number}");
        }
        let refused = browser.get(&path).await;
        assert_eq!((refused.status, refused.header("retry-after")), (429, Some("1")));
        assert!(refused.text().contains("te veel pagina's"), "{}", refused.text());
        let fields = [("first_name", "Johanna"), ("last_name", "")];
        assert_eq!(browser.post(&path, &page.hidden_fields(), &fields).await.status, 429);
        assert_eq!(app.row(&gid).await.deceased.first_name, None, "nothing is saved");
        assert_eq!(neighbour.get(&customizer(&other, "overledene")).await.status, 200);
        assert_eq!(live.graphql("{ __typename }", serde_json::json!({})).await.status, 200);
        app.pass(Duration::seconds(1));
        assert_eq!(browser.post(&path, &page.hidden_fields(), &fields).await.status, 303);
    }

    async fn pages_of_a_partner_have_points_of_their_own(database: FreshDatabase) {
        let app = TestApp::start_with(&database, "points of a partner", &RATE).await;
        let (live, gid) = app.live_draft("1").await;
        let mut sessions = Vec::new();
        for _ in 0..5 {
            sessions.push(Browser::at_customizer(&live, &gid).await);
        }
        let test = app.partner("Zuid").await.test().await;
        let foreign = test.draft("1").await;
        let mut of_another = Browser::at_customizer(&test, &foreign).await;
        let path = customizer(&gid, "overledene");
        for browser in &mut sessions[..4] {
            for _ in 0..POINTS / 4 {
                assert_eq!(browser.get(&path).await.status, 200);
            }
        }
        assert_eq!(sessions[4].get(&path).await.status, 429);
        assert_eq!(live.graphql("{ __typename }", serde_json::json!({})).await.status, 200, "the API has other points");
        assert_eq!(of_another.get(&customizer(&foreign, "overledene")).await.status, 200);
    }
}
