//! The cost of requests, and the rate limit (decisions H8).

use serde_json::{Value, json};

use crate::app::{Answer, Caller, FreshDatabase, PartnerAccount, Program, TestApp};

const DEBUG: (&str, &str) = ("x-service-debug-cost", "1");

/// Returns the points of a document: the response reports what left the bucket.
async fn cost_of(caller: &Caller, document: &str, variables: Value) -> u64 {
    let report = async |document: &str, variables: Value| {
        let answer = caller.with_header(DEBUG.0, DEBUG.1).graphql(document, variables).await;
        answer.json()["extensions"]["cost"].take()
    };
    let left = |cost: &Value| cost["throttleStatus"]["currentlyAvailable"].as_u64().expect("a number");
    let before = left(&report("{ __typename }", json!({})).await);
    let cost = report(document, variables).await;
    let taken = before - left(&cost);
    assert_eq!((&cost["requestedQueryCost"], &cost["actualQueryCost"]), (&json!(taken), &json!(taken)), "{document}");
    taken
}

/// A server with a small bucket: 100 points, 10 a second.
async fn frugal(database: &FreshDatabase, name: &str) -> (TestApp, PartnerAccount) {
    let rate = [("RATE_LIMIT_POINTS", "100"), ("RATE_LIMIT_RESTORE", "10")];
    let app = TestApp::start_with(database, name, &rate).await;
    let partner = app.partner("Uitvaart Noord").await;
    (app, partner)
}

fn creating(count: usize) -> String {
    let fields = (0..count).map(|n| {
        format!("a{n}: cardCreate(input: {{ externalDossierId: \"{n}\" }}) {{ card {{ id }} userErrors {{ code }} }} ")
    });
    format!("mutation {{ {} }}", fields.collect::<String>())
}

on_both_databases! {
    async fn cost_counts_objects_pages_and_mutations(app: TestApp) {
        let (live, card) = app.live_draft("kosten").await;
        for position in 1..=3 {
            app.theme(&format!("thema-{position}"), position).await;
        }
        let card = json!({ "id": card });
        let none = json!({});
        for (document, variables, cost) in [
            ("{ __typename }", &none, 1),
            ("query ($id: ID!) { card(id: $id) { id status } }", &card, 1),
            ("query ($id: ID!) { card(id: $id) { id deceased { firstName } familyContact { name } } }", &card, 3),
            // The theme is not chosen: it is charged all the same.
            ("query ($id: ID!) { card(id: $id) { theme { images { url } } } }", &card, 3),
            ("query ($id: ID!) { a: card(id: $id) { id } b: card(id: $id) { id } }", &card, 2),
            ("query ($id: ID!) { node(id: $id) { id ... on Card { deceased { firstName } } } }", &card, 2),
            ("{ card(id: \"geen\") { id } }", &none, 1),
            ("{ themes(first: 10) { nodes { id } } }", &none, 12),
            ("{ themes(first: 10) { nodes { id images { url } } pageInfo { hasNextPage } } }", &none, 22),
            ("{ themes(first: 2) { edges { cursor node { id } } nodes { id } } }", &none, 4),
            ("{ themes { nodes { id } } }", &none, 52),
            ("{ themes(last: 3) { pageInfo { hasNextPage } } }", &none, 5),
            ("query ($n: Int) { themes(first: $n) { nodes { id } } }", &json!({ "n": 7 }), 9),
            ("query ($n: Int) { themes(first: $n) { nodes { id } } }", &json!({ "n": null }), 52),
            ("query ($n: Int = 4) { themes(first: $n) { nodes { id } } }", &none, 6),
            ("query ($n: Int) { themes(last: $n) { nodes { id } } }", &json!({ "n": 1 }), 3),
            ("{ __schema { types { name fields { name } } } }", &none, 1),
        ] {
            assert_eq!(cost_of(&live, document, variables.clone()).await, cost, "{document} {variables}");
        }
        // Ten for the mutation, and the card, the deceased and the user errors.
        let document = "mutation { cardCreate(input: { externalDossierId: \"nieuw\" }) {
            card { deceased { firstName } } userErrors { code } } }";
        assert_eq!(cost_of(&live, document, none.clone()).await, 13);
        assert_eq!(cost_of(&live, &creating(5), none).await, 60);
    }

    async fn cost_is_reported_on_request_only(app: TestApp) {
        let live = app.live().await;
        for value in [None, Some("0"), Some("true")] {
            let caller = value.map_or_else(|| live.clone(), |value| live.with_header(DEBUG.0, value));
            let answer = caller.graphql("{ __typename }", json!({})).await;
            assert_eq!(answer.text(), "{\"data\":{\"__typename\":\"Query\"}}", "{value:?}");
        }
        let found = live.with_header(DEBUG.0, DEBUG.1).graphql("{ __typename }", json!({})).await.json();
        assert_eq!(found["data"], json!({ "__typename": "Query" }));
        let status = &found["extensions"]["cost"]["throttleStatus"];
        assert_eq!((&status["maximumAvailable"], &status["restoreRate"]), (&json!(1_000_000_000), &json!(50)));
    }

    async fn answer_that_told_its_cost_is_replayed_byte_for_byte(app: TestApp) {
        let keyed = app.live().await.with_key("kosten");
        let document = creating(1);
        let first = keyed.with_header(DEBUG.0, DEBUG.1).graphql(&document, json!({})).await;
        assert_eq!(first.json()["extensions"]["cost"]["requestedQueryCost"], 12);
        let again = keyed.graphql(&document, json!({})).await;
        assert_eq!((again.header("x-service-idempotent-replay"), &again.body), (Some("true"), &first.body));
    }
}

#[track_caller]
fn expect_throttled(answer: &Answer, asked: u64, left: u64) {
    answer.expect_error(429, "THROTTLED");
    let cost = &answer.json()["extensions"]["cost"];
    let expected = json!({
        "requestedQueryCost": asked,
        // The minimum was taken, unless the bucket was empty.
        "actualQueryCost": u64::from(asked > 1),
        "throttleStatus": { "maximumAvailable": 100, "currentlyAvailable": left, "restoreRate": 10 },
    });
    assert_eq!(*cost, expected);
}

on_sqlite! {
    /// Refused requests are charged like others, so the rate limit also holds for a caller whose requests are all refused.
    async fn refused_requests_are_charged(database: FreshDatabase) {
        let (app, partner) = frugal(&database, "geweigerd").await;
        let live = partner.live().await;
        let unknown = |n| format!("{{ onbekend{n} }}");
        for n in 0..60 {
            live.graphql(&unknown(n), json!({})).await.expect_error(400, "GRAPHQL_VALIDATION_FAILED");
        }
        for _ in 0..20 {
            live.graphql("{", json!({})).await.expect_error(400, "GRAPHQL_PARSE_FAILED");
        }
        let wrong = "query ($n: Int!) { themes(first: $n) { nodes { id } } }";
        for _ in 0..20 {
            live.graphql(wrong, json!({ "n": "veel" })).await.expect_error(400, "BAD_USER_INPUT");
        }
        expect_throttled(&live.graphql(&unknown(60), json!({})).await, 1, 0);
        expect_throttled(&live.graphql("{ __typename }", json!({})).await, 1, 0);
        app.pass(chrono::Duration::milliseconds(100));
        assert_eq!(live.graphql("{ __typename }", json!({})).await.status, 200);
    }

    async fn partner_over_its_rate_is_throttled_alone(database: FreshDatabase) {
        let (app, partner) = frugal(&database, "bucket").await;
        let (live, test) = (partner.live().await, partner.test().await);
        assert_eq!(live.graphql(&creating(5), json!({})).await.status, 200); // 60 of the 100
        let page = "{ themes(first: 48) { nodes { id } } }"; // 50, where 40 are left
        let refused = live.graphql(page, json!({})).await;
        expect_throttled(&refused, 50, 39);
        assert_eq!(refused.header("retry-after"), Some("1"));
        // Another key of the same mode draws on the same points; the other mode and other partners have their own.
        expect_throttled(&partner.live().await.graphql(page, json!({})).await, 50, 38);
        assert_eq!(test.graphql(page, json!({})).await.status, 200);
        assert_eq!(app.partner("Uitvaart Zuid").await.live().await.graphql(page, json!({})).await.status, 200);
        // A cheaper request is still answered, and each refused request took one point.
        assert_eq!(live.graphql("{ themes(first: 28) { nodes { id } } }", json!({})).await.status, 200);
        let refused = live.graphql(page, json!({})).await;
        expect_throttled(&refused, 50, 7);
        assert_eq!(refused.header("retry-after"), Some("5"));
        app.pass(chrono::Duration::milliseconds(4_199));
        expect_throttled(&live.graphql(page, json!({})).await, 50, 47);
        app.pass(chrono::Duration::milliseconds(201));
        assert_eq!(live.graphql(page, json!({})).await.status, 200);
        // It fills up to its size and no further.
        app.pass(chrono::Duration::hours(1));
        assert_eq!(live.graphql("{ themes(first: 98) { nodes { id } } }", json!({})).await.status, 200);
        expect_throttled(&live.graphql("{ __typename }", json!({})).await, 1, 0);
        // A refused mutation has changed nothing.
        let refused = live.with_key("k").graphql(&creating(1).replace("\"0\"", "\"leeg\""), json!({})).await;
        expect_throttled(&refused, 1, 0);
        app.pass(chrono::Duration::seconds(2));
        let created = live.with_key("k").graphql(&creating(1).replace("\"0\"", "\"leeg\""), json!({})).await;
        assert!(created.data()["a0"]["card"]["id"].is_string(), "{}", created.text());
    }

    async fn request_above_the_bucket_size_is_refused_at_once(database: FreshDatabase) {
        let (_, partner) = frugal(&database, "dear").await;
        let live = partner.live().await;
        for (document, variables) in [
            ("{ themes(first: 99) { nodes { id } } }", json!({})),
            ("query ($n: Int) { themes(first: $n) { nodes { id } } }", json!({ "n": 250 })),
            // A page that is too large is reckoned as the largest.
            ("{ themes(first: 2147483647) { nodes { id } } }", json!({})),
        ] {
            let error = live.graphql(document, variables).await.expect_error(400, "MAX_COST_EXCEEDED");
            let detail = error["extensions"]["detail"].as_str().expect("a detail");
            assert!(detail.contains("at most 100"), "{detail}");
        }
        // Each request cost the minimum of one point.
        assert_eq!(live.graphql("{ themes(first: 95) { nodes { id } } }", json!({})).await.status, 200);
        expect_throttled(&live.graphql("{ __typename }", json!({})).await, 1, 0);
    }

    async fn default_rate_holds_in_the_real_program(database: FreshDatabase) {
        let program = Program::new(&database).set("RATE_LIMIT_POINTS", "");
        let token = &program.token("test");
        let serving = program.serve();
        let mut refused = None;
        for _ in 0..8 {
            let answer = serving.send(token, "{ themes(first: 250) { nodes { id } } }", Value::Null).await;
            if answer.status == 429 {
                refused = Some(answer);
                break;
            }
        }
        let refused = refused.expect("1,000 points do not pay for eight pages of 250");
        assert_eq!(refused.json()["extensions"]["cost"]["throttleStatus"]["maximumAvailable"], 1_000);
    }
}
