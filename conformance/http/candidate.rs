//! A version that is not published: test keys can call it, and its schema is public (specification, section 9; decisions
//! H3, H9).

use serde_json::json;

use crate::app::{Answer, Caller, TestApp};

const CANDIDATE: &str = "2027-01";

/// Returns an answer without its individual parts.
fn bare(answer: &Answer) -> String {
    answer.text().replace(answer.header("x-request-id").expect("a request id"), "<request>")
}

on_sqlite! {
    async fn candidate_exists_for_a_test_key_and_not_for_a_live_one(app: TestApp) {
        let partner = app.partner("Uitvaart Noord").await;
        let (live, test) = (partner.live().await, partner.test().await);
        let answer = test.on_version(CANDIDATE).graphql("{ __typename }", json!({})).await;
        assert_eq!(answer.data(), json!({ "__typename": "Query" }));
        assert_eq!(answer.header("x-service-api-version"), Some(CANDIDATE));

        let refused = live.on_version(CANDIDATE).graphql("{ __typename }", json!({})).await;
        let error = refused.refused(404, "VERSION_NOT_FOUND");
        assert_eq!(error["extensions"]["available"], json!(["2026-10"]));
        assert_eq!(error["extensions"]["latest"], "2026-10");
        let unknown = live.on_version("2027-02").graphql("{ __typename }", json!({})).await;
        assert_eq!(bare(&unknown).replace("2027-02", CANDIDATE), bare(&refused), "as if it did not exist");

        // A wrong token is refused first.
        let unknown_caller = Caller::new(app.clone(), "nonsense").on_version(CANDIDATE);
        unknown_caller.graphql("{ __typename }", json!({})).await.refused(401, "UNAUTHENTICATED");
    }

    async fn candidate_is_marked_in_the_list_and_its_schema_can_be_read(app: TestApp) {
        let get = async |path: &str| {
            Answer::read(app.http().get(app.url(path)).send().await.expect("the server answers")).await
        };
        let listed = get("/partner/api/versions").await.json();
        assert_eq!(listed["latest"], "2026-10");
        let states: Vec<_> = listed["versions"].as_array().expect("a list").iter()
            .map(|version| (version["name"].clone(), version["status"].clone(), version["published"].clone()))
            .collect();
        assert_eq!(states, [
            (json!("2026-10"), json!("current"), json!("2026-10-01")),
            (json!(CANDIDATE), json!("candidate"), json!(null)),
        ]);
        let schema = get(&format!("/partner/api/{CANDIDATE}/schema.graphql")).await;
        assert_eq!((schema.status, schema.text().as_str()), (200, include_str!("../../schema/2027-01.graphql")));
    }
}
