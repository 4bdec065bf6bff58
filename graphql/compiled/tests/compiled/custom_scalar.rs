//! Custom scalars that are no texts: any JSON, a number, and a type of the project that accepts objects.

use std::borrow::Cow;

use dated_graphql::{FieldError, Input, InputError, JsonWriter, Leaf, Value};
use serde_json::{Value as Json, json};

use crate::generated::custom_scalar as generated;
use crate::{Context, assert_answers};
use generated::v2026_10::Query;

#[derive(Clone, Copy, Debug)]
pub struct Point {
    x: i64,
    y: i64,
}

impl Input for Point {
    fn parse(value: Value) -> Result<Self, InputError> {
        let json = value.into_json();
        match (json["x"].as_i64(), json["y"].as_i64()) {
            (Some(x), Some(y)) => Ok(Self { x, y }),
            _ => Err(InputError::new("is not a point")),
        }
    }
}

impl Leaf for Point {
    fn write(&self, out: &mut JsonWriter) -> Result<(), FieldError> {
        json!({ "x": self.x, "y": self.y }).write(out)
    }
}

impl Query for Context {
    async fn json(&self, value: Option<Json>, default: Json) -> Result<Cow<'static, Json>, FieldError> {
        Ok(Cow::Owned(value.unwrap_or(default)))
    }

    async fn next(&self, to: i64) -> Result<i64, FieldError> {
        Ok(to + 1)
    }

    async fn mirror(&self, point: Point, at: Option<Vec<Point>>) -> Result<Vec<Point>, FieldError> {
        let mirrored = at.into_iter().flatten().map(|at| Point { x: 2 * at.x - point.x, y: 2 * at.y - point.y });
        Ok(mirrored.collect())
    }
}

#[test]
fn custom_scalar_is_any_json_that_its_type_accepts() {
    let version = "2026-10";
    assert_answers(
        generated::engines,
        &[
            (version, "{ json }", r#"{"json":{"a":[1,null]}}"#),
            (version, r#"{ json(value: [true, { b: "c" }]) }"#, r#"{"json":[true,{"b":"c"}]}"#),
            (version, "query ($n: Int = 5) { json(value: { n: $n }) }", r#"{"json":{"n":5}}"#),
            (version, "{ next(to: 9007199254740993) }", r#"{"next":9007199254740994}"#),
            (version, "{ next(to: 1.5) }", r#"Expected value of type "BigInt!", found 1.5."#),
            (version, r#"{ next(to: "1") }"#, r#"Expected value of type "BigInt!", found "1"."#),
            (version, "{ mirror(point: { x: 1, y: 2 }, at: { x: 0, y: 0 }) }", r#"{"mirror":[{"x":-1,"y":-2}]}"#),
            (version, "{ mirror(point: { x: 1 }) }", r#"Expected value of type "Point!", found {x: 1}."#),
            (version, "query ($p: Point = 1) { mirror(point: $p) }", r#"Expected value of type "Point", found 1."#),
        ],
    );
}

#[test]
fn default_of_a_custom_scalar_is_introspected_as_a_literal() {
    let document = r#"{ __type(name: "Query") { fields { args { defaultValue } } } }"#;
    let answer = r#"{"__type":{"fields":[{"args":[{"defaultValue":null},{"defaultValue":"{a: [1, null]}"}]},{"args":[{"defaultValue":null}]},{"args":[{"defaultValue":null},{"defaultValue":null}]}]}}"#;
    assert_answers(generated::engines, &[("2026-10", document, answer)]);
}
