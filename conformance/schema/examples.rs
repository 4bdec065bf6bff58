//! The examples of the reference site are run: a reader who copies one gets an answer, and no error of GraphQL. graphql-js
//! validates the recorded ones (`.ci/references`).

use docs::{Example, examples};
use schema::Sdl;
use serde_json::Value;

use super::versions;
use crate::app::TestApp;
use crate::source_rules::documents::assert_current;

/// Returns the examples of a version.
fn examples_of(version: &str, source: &str) -> Vec<Example> {
    let sdl = Sdl::parse(version, version, source).expect("the schema is right");
    examples(&sdl, |ty| format!("gid://service/{ty}/0192d1f0-7c1e-7a4b-9c3d-5e6f708192a3"))
}

#[test]
fn examples_are_as_recorded() {
    let (version, source) = versions().swap_remove(0);
    let text = examples_of(&version, &source).into_iter().map(|Example { coordinate, operation, variables }| {
        format!("# {coordinate}\n{operation}\n{}\n\n", variables.as_deref().unwrap_or("{}"))
    });
    assert_current("conformance/schema_change_reference/examples.txt", &text.collect::<String>());
}

on_sqlite! {
    async fn example_of_the_reference_is_answered_with_data(app: TestApp) {
        // A test key, because candidates have a reference too.
        let caller = app.partner("Uitvaart Noord").await.test().await;
        for (version, source) in versions() {
            let examples = examples_of(&version, &source);
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
