//! Introspection of every version: a public tool reads it and prints what the file declares. `graphql_js_reference` compares a
//! whole answer with the answer of graphql-js, also the roots, `@specifiedBy` and `@oneOf`.

use cynic::QueryBuilder;
use cynic_introspection::{CapabilitiesQuery, IntrospectionQuery};
use serde_json::json;

use super::from_sdl::facts;
use super::versions;
use crate::app::{Caller, TestApp};

/// A caller that sees candidates too.
async fn test_caller(app: &TestApp) -> Caller {
    app.partner("Uitvaart Noord").await.test().await
}

on_sqlite! {
    async fn introspection_that_a_public_tool_prints_is_the_file(app: TestApp) {
        let caller = test_caller(&app).await;
        for (version, sdl) in versions() {
            let caller = caller.on_version(&version);
            let capabilities: CapabilitiesQuery = ask(&caller, &CapabilitiesQuery::build(())).await;
            let query = IntrospectionQuery::with_capabilities(capabilities.capabilities());
            let schema = ask(&caller, &query).await.into_schema().expect("the tool reads the schema");
            let (mut printed, published) = (facts(&schema.to_sdl()).0, facts(&sdl).0);
            printed.retain(|fact| !fact.starts_with("directive @oneOf ")); // built in, and not known to the tool
            assert!(published.len() > 100, "the file was read: {} facts", published.len());
            let differing: Vec<_> = printed.symmetric_difference(&published).collect();
            assert!(differing.is_empty(), "{version}: {differing:#?}");
        }
    }

    async fn introspection_of_one_type_or_of_none_is_answered(app: TestApp) {
        let live = app.live().await;
        let data = live.data(
            r#"{ card: __type(name: "Card") { kind name } none: __type(name: "Nothing") { name } __typename }"#,
            json!({}),
        ).await;
        assert_eq!(data, json!({ "card": { "kind": "OBJECT", "name": "Card" }, "none": null, "__typename": "Query" }));
    }
}

async fn ask<F, V>(caller: &Caller, operation: &cynic::Operation<F, V>) -> F
where
    F: serde::de::DeserializeOwned,
    V: serde::Serialize,
{
    let body = serde_json::to_string(operation).expect("an operation is JSON");
    let answer = caller.send(body).await;
    let response: cynic::GraphQlResponse<F> = serde_json::from_slice(&answer.body).expect("the answer has its shape");
    assert!(response.errors.is_none(), "{}", answer.text());
    response.data.expect("data")
}
