//! The JSON Schemas of notifications: the service publishes them, and each body that a test receives is valid.

use std::collections::HashMap;
use std::sync::LazyLock;

use boon::{Compiler, SchemaIndex, Schemas};
use card_service::http::version_lives;
use card_service::model::{Actor, Topic};
use serde_json::{Value, json};

use crate::app::TestApp;
use crate::app::mock_server::Reply;
use crate::source_rules::documents::assert_current;

/// The JSON Schema of a topic, as it is committed.
fn read_committed(version: &str, topic: &str) -> String {
    let path = format!("{}/docs/webhooks/{version}/{topic}.schema.json", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// A compiled JSON Schema.
struct Validator(Schemas, SchemaIndex);

impl Validator {
    fn new(schema: Value) -> Self {
        let (mut schemas, mut compiler) = (Schemas::new(), Compiler::new());
        compiler.enable_format_assertions();
        compiler.add_resource("https://kaarten.example/payload", schema).expect("a resource");
        let compiled = compiler.compile("https://kaarten.example/payload", &mut schemas);
        let compiled = compiled.unwrap_or_else(|error| panic!("it is no JSON Schema: {error}"));
        Self(schemas, compiled)
    }

    fn check(&self, value: &Value) -> Result<(), String> {
        self.0.validate(value, self.1).map_err(|error| error.to_string())
    }
}

/// A validator of each version and topic that allows only the fields of the JSON Schema.
static CLOSED: LazyLock<HashMap<(&str, &str), Validator>> = LazyLock::new(|| {
    let versions = version_lives().into_iter().map(|life| life.name);
    let topics = versions.flat_map(|version| Topic::ALL.map(|topic| (version, topic.as_str())));
    let validator = |(version, topic)| {
        let schema = serde_json::from_str(&read_committed(version, topic)).expect("a JSON Schema is JSON");
        ((version, topic), Validator::new(close(schema)))
    };
    topics.map(validator).collect()
});

/// A JSON Schema that allows no other fields, so that a test finds a field that it lacks.
fn close(mut schema: Value) -> Value {
    if let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) {
        properties.values_mut().for_each(|property| *property = close(property.take()));
        schema["additionalProperties"] = false.into();
    }
    schema
}

/// Parses the body of a notification, which its JSON Schema must allow. A challenge has none.
pub fn valid(body: &[u8]) -> Value {
    let json: Value = serde_json::from_slice(body).expect("a body is JSON");
    if json["type"] != "webhooks/challenge" {
        let text = |name: &str| json[name].as_str().unwrap_or_else(|| panic!("no {name} in {json}"));
        let validator = CLOSED.get(&(text("apiVersion"), text("topic"))).expect("a topic of the version");
        validator.check(&json).unwrap_or_else(|error| panic!("{error}: {json}"));
    }
    json
}

on_both_databases! {
    async fn json_schema_of_every_topic_is_published(app: TestApp) {
        for version in version_lives().into_iter().map(|life| life.name) {
            for topic in Topic::ALL {
                let path = format!("/docs/{version}/{}.schema.json", topic.as_str());
                let answer = app.get(&path).await;
                assert_eq!((answer.status, answer.header("content-type")), (200, Some("application/schema+json")));
                assert_current(&format!("docs/webhooks/{version}/{}.schema.json", topic.as_str()), &answer.text());
                let etag = answer.header("etag").expect("a tag").to_owned();
                let again = app.send_request("GET", &path, &[("if-none-match", &etag)]).await;
                assert_eq!(again.status, 304, "{path}");
                let page = app.get(&format!("/docs/{version}/webhooks")).await;
                assert!(page.text().contains(&format!("href=\"{}.schema.json\"", topic.as_str())), "{path}");
            }
        }
        assert_eq!(app.get("/docs/2026-10/CARDS_DELETE.schema.json").await.status, 404);
    }

    async fn json_schema_refuses_a_body_of_another_form(app: TestApp) {
        let (caller, _) = app.follower("CARDS_CREATE", "/hook").await;
        app.mock_server().reply("/hook", Reply::Status(200));
        caller.draft("1").await;
        let [arrival] = app.arrive("/hook", 1).await.try_into().expect("one");
        let schema: Value = serde_json::from_str(&read_committed("2026-10", "CARDS_CREATE")).expect("JSON");
        let validator = Validator::new(schema.clone());
        let with = |pointer: &str, value: Value| {
            let mut body = arrival.json.clone();
            *body.pointer_mut(pointer).unwrap_or_else(|| panic!("no {pointer}")) = value;
            validator.check(&body)
        };
        assert_eq!(with("/sequence", json!(2)), Ok(()));
        assert_eq!(with("/data/card/cardUrl", json!("https://kaarten.example/kaart/a")), Ok(()));
        for actor in Actor::ALL {
            assert_eq!(with("/actor", json!(actor.as_str())), Ok(()));
        }
        for (pointer, value) in [
            ("/id", json!("evt_1")),
            ("/type", json!("cards/update")),
            ("/topic", json!("CARDS_DELETE")),
            ("/apiVersion", json!("2025-01")),
            ("/timestamp", json!("yesterday")),
            ("/test", json!("true")),
            ("/sequence", json!("1")),
            ("/sequence", json!(0)),
            ("/actor", json!("NOBODY")),
            ("/changedFields", json!([1])),
            ("/data/card/id", json!(null)),
            ("/data/card/status", json!("LOST")),
            ("/data/card/cardUrl", json!("no address")),
            ("/data/card", json!({})),
            ("/data", json!({})),
        ] {
            assert!(with(pointer, value.clone()).is_err(), "{pointer}: {value}");
        }
        // A field may be added; the tests' own check finds it.
        let mut more = arrival.json.clone();
        more["data"]["card"]["more"] = json!(1);
        assert_eq!(validator.check(&more), Ok(()));
        assert!(Validator::new(close(schema)).check(&more).is_err());
    }
}
