//! The examples of the reference site are run: a reader who copies one gets an answer, and no error of GraphQL.

use codegen::Sdl;
use codegen::docs::examples;
use serde_json::Value;

use crate::app::TestApp;

const SDL: &str = include_str!("../../schema/2026-10.graphql");

on_sqlite! {
    async fn example_of_the_reference_is_answered_with_data(app: TestApp) {
        let sdl = Sdl::parse("2026-10", "schema/2026-10.graphql", SDL).expect("the schema is right");
        let examples = examples(&sdl);
        assert!(examples.len() >= 10, "only {} examples", examples.len());
        let live = app.live().await;
        for example in examples {
            let variables: Value = example.variables.map_or(Value::Null, |text| {
                serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", example.coordinate))
            });
            let data = live.data(&example.operation, variables).await;
            assert!(data.is_object(), "{}: {data}", example.coordinate);
        }
    }
}
