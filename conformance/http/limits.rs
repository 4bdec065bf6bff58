//! Limits on a document (decisions H7), as a partner meets them. The engine's tests have all limits and hostile documents.

use dated_graphql::Limits;
use serde_json::{Value, json};

use crate::app::TestApp;

on_sqlite! {
    async fn mutation_fields_at_the_limit_run_and_above_it_none(app: TestApp) {
        let live = app.live().await;
        let creates = |count: usize, dossier: &str| {
            let one = |n| format!("c{n}: cardCreate(input: {{ externalDossierId: \"{dossier}{n}\" }}) {{ ...Made }} ");
            let fields: String = (0..count).map(one).collect();
            format!("mutation {{ {fields} }} fragment Made on CardCreatePayload {{ card {{ id }} }}")
        };
        let data = live.data(&creates(Limits::DEFAULT.root_mutation_fields_max, "a"), json!({})).await;
        assert!(data.as_object().expect("data").values().all(|payload| payload["card"]["id"].is_string()), "{data}");
        let answer = live.graphql(&creates(Limits::DEFAULT.root_mutation_fields_max + 1, "b"), json!({})).await;
        let told = "Het verzoek heeft te veel bewerkingen. Stuur er hoogstens 5 in één verzoek.";
        assert_eq!(answer.expect_error(400, "MAX_COST_EXCEEDED")["message"], told);
        live.draft("b0").await;
    }

    async fn variables_made_to_hurt_are_refused_and_the_server_lives_on(app: TestApp) {
        let live = app.live().await;
        let query = r#""query":"query ($id: ID!) { card(id: $id) { id } }""#;
        for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
            let deep = format!("{}1{}", open.repeat(20_000), close.repeat(20_000));
            let answer = live.send(format!("{{{query},\"variables\":{{\"id\":{deep}}}}}")).await;
            assert_eq!(answer.status, 400, "{}", answer.text());
            let answer = live.send(format!("{{{query},\"extensions\":{deep}}}")).await;
            assert!([200, 400].contains(&answer.status), "{}", answer.text());
        }
        for number in ["1e400", "-1e400", "123456789012345678901234567890", "0.1e-400"] {
            let answer = live.send(format!("{{{query},\"variables\":{{\"id\":{number}}}}}")).await;
            assert!([200, 400].contains(&answer.status), "{number}: {}", answer.text());
            assert_ne!(answer.json()["errors"][0]["extensions"]["code"], "INTERNAL_SERVER_ERROR", "{number}");
        }
        live.data("{ __typename }", json!({})).await;
    }

    async fn error_of_a_refused_document_has_its_place(app: TestApp) {
        let live = app.live().await;
        let answer = live.graphql("{\n  card(id: 1) { nothing }\n}", Value::Null).await;
        let error = answer.expect_error(400, "GRAPHQL_VALIDATION_FAILED");
        assert_eq!(error["locations"][0]["line"], 2, "{error}");
        assert!(error["extensions"]["detail"].as_str().is_some_and(|detail| detail.contains("nothing")), "{error}");
    }
}
