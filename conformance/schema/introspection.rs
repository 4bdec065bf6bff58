//! Introspection of every version: equal to the file, and readable by a public tool. `graphql_js_reference` compares the
//! whole answer of 2026-10 with that of graphql-js.

use cynic::QueryBuilder;
use cynic_introspection::{CapabilitiesQuery, IntrospectionQuery};
use serde_json::json;

use super::{from_introspection, from_sdl, versions};
use crate::app::{Caller, TestApp};

const QUERY: &str = include_str!("introspection.graphql");

/// A caller that sees candidates too.
async fn test_caller(app: &TestApp) -> Caller {
    app.partner("Uitvaart Noord").await.test().await
}

on_sqlite! {
    async fn introspection_says_what_the_file_says(app: TestApp) {
        let caller = test_caller(&app).await;
        for (version, sdl) in versions() {
            let answered = caller.on_version(&version).data(QUERY, json!({})).await["__schema"].take();
            let (answered, published) = (from_introspection::facts(&answered), from_sdl::facts(&sdl));
            assert!(published.len() > 100, "the file was read: {} facts", published.len());
            answered.assert_same_as(&published);
        }
    }

    async fn introspection_is_read_by_a_public_tool(app: TestApp) {
        let caller = test_caller(&app).await;
        for (version, sdl) in versions() {
            let caller = caller.on_version(&version);
            let capabilities: CapabilitiesQuery = ask(&caller, &CapabilitiesQuery::build(())).await;
            let capabilities = capabilities.capabilities();
            let query = IntrospectionQuery::with_capabilities(capabilities);
            let schema = ask(&caller, &query).await.into_schema().expect("the tool reads the schema");
            let printed = schema.to_sdl();
            // The tool prints descriptions and order its own way; what is declared must be the same.
            let declared = |source: &str| {
                let mut names = from_sdl::fields_of(source, "Query");
                names.extend(from_sdl::fields_of(source, "Mutation"));
                names.extend(from_sdl::fields_of(source, "Card"));
                names
            };
            assert_eq!(declared(&printed), declared(&sdl));
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
