//! Versions in the path, also one that is not published: test keys can call it, and its schema is public (specification,
//! sections 7.3 and 9; decisions H2, H3, H9).

use card_service::base::limits;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::app::{Caller, TestApp};

const CANDIDATE: &str = "2027-01";
const SDL: &str = include_str!("../../schema/2026-10.graphql");

on_sqlite! {
    async fn version_unknown_is_404_before_the_token_is_looked_at(app: TestApp) {
        let good = app.live().await;
        let bad = Caller::new(app.clone(), "nonsense");
        for version in ["2026-07", "2099-01", "2026-1", "latest", "v1", "2026-10x", "2026%2D11", "%00", "é"] {
            for caller in [&good, &bad] {
                let answer = caller.on_version(version).send("not even JSON").await;
                let error = answer.expect_error(404, "VERSION_NOT_FOUND");
                assert_eq!(error["message"], "Deze versie bestaat niet. Beschikbare versies: 2026-10.");
                assert_eq!(error["extensions"]["available"], json!(["2026-10"]));
                assert_eq!(error["extensions"]["latest"], "2026-10");
                assert!(error["extensions"]["requested"].is_string(), "{error}");
            }
        }
        // RFC 3986, section 6.2.2.2: the same path.
        for version in ["2026%2D10", "2026%2d10", "%32026-10", "2%30%32%36%2D1%30"] {
            good.on_version(version).data("{ __typename }", json!({})).await;
        }
        let answer = good.on_version("2026-07").send("{}").await;
        assert_eq!(answer.json()["errors"][0]["extensions"]["requested"], "2026-07");
        assert_eq!(answer.header("x-service-api-version"), None, "no version served it");
    }

    async fn response_names_its_version_and_request_id(app: TestApp) {
        let live = app.live().await;
        let unknown = Caller::new(app.clone(), "nonsense");
        let mut ids = Vec::new();
        for answer in [
            live.graphql("{ __typename }", json!({})).await,
            live.graphql("{ nothing }", json!({})).await,
            live.send("not JSON").await,
            unknown.graphql("{ __typename }", json!({})).await,
        ] {
            assert_eq!(answer.header("x-service-api-version"), Some("2026-10"));
            assert_eq!(answer.header("cache-control"), Some("no-store"));
            assert_eq!(answer.header("deprecation"), None, "2026-10 is the current version");
            let id = answer.header("x-request-id").expect("every answer has an id").to_owned();
            assert!(id.starts_with("req_"), "{id}");
            if let Some(errors) = answer.json().get("errors") {
                assert_eq!(errors[0]["extensions"]["requestId"], *id);
            }
            ids.push(id);
        }
        ids.sort();
        ids.dedup();
        assert_eq!(ids.len(), 4, "every answer has its own");
    }

    async fn versions_are_listed_with_the_digest_of_their_schema(app: TestApp) {
        let answer = app.get("/partner/api/versions").await;
        assert_eq!(answer.status, 200);
        let listed = answer.json();
        let versions = listed["versions"].as_array().or(listed.as_array()).expect("a list").clone();
        let names: Vec<_> = versions.iter().map(|version| version["name"].as_str().expect("a name")).collect();
        let files: Vec<_> = crate::schema::versions().into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, files, "the list holds every version of schema/");
        let text = versions[0].to_string();
        assert!(text.contains("/partner/api/2026-10/schema.graphql"), "{text}");
        let digest: String = Sha256::digest(SDL).iter().map(|byte| format!("{byte:02x}")).collect();
        assert!(text.contains(&digest), "{text} holds {digest}");
    }

    async fn schema_is_served_byte_for_byte_without_a_token_and_not_twice(app: TestApp) {
        let path = "/partner/api/2026-10/schema.graphql";
        let answer = app.get(path).await;
        assert_eq!((answer.status, answer.text().as_str()), (200, SDL));
        let hours = limits::IDEMPOTENCY_REMEMBERED.as_secs() / 3_600;
        assert!(SDL.contains(&format!("A key is remembered for {hours} hours.")));
        let etag = answer.header("etag").expect("an entity tag").to_owned();
        assert!(etag.starts_with('"') && etag.ends_with('"') && etag.len() > 10, "{etag} is strong");
        for (known, status) in [(etag.as_str(), 304), ("*", 304), ("\"other\"", 200)] {
            let again = app.send_request("GET", path, &[("if-none-match", known)]).await;
            assert_eq!(again.status, status, "{known}");
            assert_eq!(again.body.is_empty(), status == 304);
        }
    }

    async fn path_that_leads_nowhere_is_404(app: TestApp) {
        let live = app.live().await;
        for path in ["/partner/api/2026-10", "/partner/api/2026-10/", "/partner/api/2026-10/graphql/x",
            "/partner/api/2026-10/schema", "/partner/api", "/partner", "/nothing",
            "/partner/api/2026-10/../2026-10/none"] {
            let answer = app.get(path).await;
            assert_eq!(answer.status, 404, "{path}");
            if path.starts_with("/partner/api/") {
                assert!(answer.json()["errors"][0]["extensions"]["code"].is_string(), "{path}: H1's body");
            }
        }
        // The server still answers.
        assert_eq!(live.data("{ __typename }", json!({})).await, json!({ "__typename": "Query" }));
        assert_ne!(app.get("/partner/api/2099-01/schema.graphql").await.status, 200);
    }

    async fn method_other_than_post_is_405_that_allows_post(app: TestApp) {
        let live = app.live().await;
        for method in ["GET", "HEAD", "PUT", "DELETE", "PATCH"] {
            let path = "/partner/api/2026-10/graphql?query=%7B__typename%7D";
            let answer = app.send_request(method, path, &[("x-service-access-token", &live.token)]).await;
            assert_eq!((answer.status, answer.header("allow")), (405, Some("POST")), "{method}");
            if method != "HEAD" {
                assert_eq!(answer.json().get("data"), None::<&Value>);
            }
        }
    }

    async fn candidate_answers_test_keys_and_is_404_for_every_other_caller(app: TestApp) {
        let partner = app.partner("Uitvaart Noord").await;
        let (live, test) = (partner.live().await, partner.test().await);
        let answer = test.on_version(CANDIDATE).graphql("{ __typename }", json!({})).await;
        assert_eq!(answer.data(), json!({ "__typename": "Query" }));
        assert_eq!(answer.header("x-service-api-version"), Some(CANDIDATE));

        for caller in [live, Caller::new(app.clone(), "nonsense"), Caller::new(app.clone(), "")] {
            let answer = caller.on_version(CANDIDATE).graphql("{ __typename }", json!({})).await;
            let error = answer.expect_error(404, "VERSION_NOT_FOUND");
            assert_eq!(error["extensions"]["available"], json!(["2026-10"]));
            assert_eq!(error["extensions"]["latest"], "2026-10");
            let found = "Deze versie is nog niet verschenen en werkt alleen met een testsleutel. Beschikbare versies: 2026-10.";
            assert_eq!(error["message"], found);
        }
    }

    async fn candidate_is_marked_in_the_list_and_its_schema_can_be_read(app: TestApp) {
        let listed = app.get("/partner/api/versions").await.json();
        assert_eq!(listed["latest"], "2026-10");
        let states: Vec<_> = listed["versions"].as_array().expect("a list").iter()
            .map(|version| (version["name"].clone(), version["status"].clone(), version["published"].clone()))
            .collect();
        assert_eq!(states, [
            (json!("2026-10"), json!("current"), json!("2026-10-01")),
            (json!(CANDIDATE), json!("candidate"), json!(null)),
        ]);
        let schema = app.get(&format!("/partner/api/{CANDIDATE}/schema.graphql")).await;
        assert_eq!((schema.status, schema.text().as_str()), (200, include_str!("../../schema/2027-01.graphql")));
    }
}
