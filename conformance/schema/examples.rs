//! The examples of the reference site are run: a reader who copies one gets an answer, and no error of GraphQL.

use dated_graphql_docs::examples;
use dated_graphql_schema::Sdl;
use serde_json::Value;

use super::versions;
use crate::app::TestApp;

on_sqlite! {
    async fn example_of_the_reference_is_answered_with_data(app: TestApp) {
        // A test key, because candidates have a reference too.
        let caller = app.partner("Uitvaart Noord").await.test().await;
        for (version, source) in versions() {
            let sdl = Sdl::parse(&version, &version, &source).expect("the schema is right");
            let examples = examples(&sdl, |ty| format!("gid://service/{ty}/0192d1f0-7c1e-7a4b-9c3d-5e6f708192a3"));
            assert!(examples.len() >= 10, "only {} examples", examples.len());
            let caller = caller.on_version(&version);
            for example in examples {
                let variables: Value = example.variables.map_or(Value::Null, |text| {
                    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", example.coordinate))
                });
                let data = caller.data(&example.operation, variables).await;
                assert!(data.is_object(), "{}: {data}", example.coordinate);
            }
        }
    }
}
