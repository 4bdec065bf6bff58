//! Fields that fail: a scalar that cannot be written, a null that the schema forbids, a resolver that panics. Each is an error with
//! its path, and null propagates (GraphQL specification, section 6.4.4).

use std::borrow::Cow;
use std::sync::Arc;

use dated_graphql::{AnyEngine as _, FieldError, Input, InputError, JsonWriter, Leaf, Limits, Request, Value, code};
use futures_util::FutureExt as _;
use serde_json::Value as Json;

use crate::Context;
use crate::generated::failing as generated;
use crate::model::Machine;
use generated::v2026_10::{self, Inner, Inner2, Mutation, Part, Query};

/// A scalar that cannot be written.
#[derive(Clone, Copy, Debug)]
pub struct Broken;

impl Leaf for Broken {
    fn write(&self, out: &mut JsonWriter) -> Result<(), FieldError> {
        out.string("the beginning of it");
        Err(FieldError::new(code::INTERNAL_SERVER_ERROR, "broken"))
    }
}

impl Input for Broken {
    fn parse(_: Value) -> Result<Self, InputError> {
        Ok(Self)
    }
}

fn inner(f: f64) -> Inner {
    let deeper = Inner2 { list: vec![1.5, f64::NAN], or_null: Some(f64::INFINITY) };
    Inner { f, or_null: Some(f64::NAN), deeper: Some(deeper) }
}

fn machine(speed: f64) -> Option<Arc<Machine>> {
    Some(Arc::new(Machine { speed }))
}

fn json(text: &str) -> Cow<'static, Json> {
    Cow::Owned(text.parse().unwrap())
}

impl v2026_10::Machine for Machine {
    fn speed(&self, _: &Context) -> f64 {
        self.speed
    }

    fn name<'a>(&'a self, _: &'a Context) -> Option<Cow<'a, str>> {
        panic!("as a bug would")
    }

    async fn breaks(&self, _: &Context, _: Option<bool>) -> Result<i32, FieldError> {
        panic!("as a bug would")
    }

    fn inner(&self, _: &Context) -> Option<Inner> {
        Some(inner(2.5))
    }
}

impl Query for Context {
    async fn f(&self) -> Result<f64, FieldError> {
        Ok(f64::NAN)
    }

    async fn or_null(&self) -> Result<Option<f64>, FieldError> {
        Ok(Some(f64::INFINITY))
    }

    async fn list(&self) -> Result<Vec<f64>, FieldError> {
        Ok(vec![1.5, f64::NEG_INFINITY])
    }

    async fn items(&self) -> Result<Option<Vec<Option<f64>>>, FieldError> {
        Ok(Some(vec![Some(1.5), Some(f64::NAN), None, Some(2.5)]))
    }

    async fn rows(&self) -> Result<Option<Vec<Option<Vec<f64>>>>, FieldError> {
        Ok(Some(vec![Some(vec![1.5]), Some(vec![f64::NAN, 2.5]), None]))
    }

    async fn rows_or_null(&self) -> Result<Option<Vec<Vec<f64>>>, FieldError> {
        Ok(Some(vec![vec![1.5], vec![f64::NAN]]))
    }

    async fn json(&self) -> Result<Cow<'static, Json>, FieldError> {
        Ok(json("null"))
    }

    async fn json_or_null(&self) -> Result<Option<Cow<'static, Json>>, FieldError> {
        Ok(Some(json("null")))
    }

    async fn jsons(&self) -> Result<Option<Vec<Cow<'static, Json>>>, FieldError> {
        Ok(Some(vec![json("1"), json("null")]))
    }

    async fn jsons_or_null(&self) -> Result<Option<Vec<Option<Cow<'static, Json>>>>, FieldError> {
        Ok(Some(vec![Some(json("1")), Some(json("null"))]))
    }

    async fn broken(&self) -> Result<Option<Broken>, FieldError> {
        Ok(Some(Broken))
    }

    async fn inner(&self) -> Result<Option<Inner>, FieldError> {
        Ok(Some(inner(1.5)))
    }

    async fn must_inner(&self) -> Result<Inner, FieldError> {
        Ok(inner(f64::NAN))
    }

    async fn inners(&self) -> Result<Option<Vec<Inner>>, FieldError> {
        Ok(Some(vec![inner(1.5), inner(f64::NAN)]))
    }

    async fn inners_or_null(&self) -> Result<Option<Vec<Option<Inner>>>, FieldError> {
        Ok(Some(vec![Some(inner(f64::NAN)), Some(inner(1.5))]))
    }

    async fn panics(&self) -> Result<Option<i32>, FieldError> {
        panic!("as a bug would")
    }

    async fn must_panic(&self) -> Result<i32, FieldError> {
        panic!("as a bug would")
    }

    async fn machine(&self) -> Result<Option<Arc<Machine>>, FieldError> {
        Ok(machine(1.5))
    }

    async fn machines(&self) -> Result<Option<Vec<Option<Arc<Machine>>>>, FieldError> {
        Ok(Some(vec![machine(f64::NAN), machine(1.5)]))
    }

    async fn part(&self) -> Result<Option<Part>, FieldError> {
        Ok(Some(Part::Inner(inner(f64::NAN))))
    }
}

impl Mutation for Context {
    async fn panics(&self) -> Result<Option<i32>, FieldError> {
        panic!("as a bug would")
    }

    async fn f(&self) -> Result<Option<f64>, FieldError> {
        Ok(Some(f64::NAN))
    }
}

/// Documents with the data and the paths of the errors of graphql-js 17.1, whose resolvers return the same and throw where these
/// panic.
const ANSWERS: &[(&str, &str, &str)] = &[
    ("{ f }", "null", "f"),
    ("{ orNull }", r#"{"orNull":null}"#, "orNull"),
    ("{ a: orNull b: orNull }", r#"{"a":null,"b":null}"#, "a b"),
    ("{ list }", "null", "list.1"),
    ("{ items }", r#"{"items":[1.5,null,null,2.5]}"#, "items.1"),
    ("{ rows }", r#"{"rows":[[1.5],null,null]}"#, "rows.1.0"),
    ("{ rowsOrNull }", r#"{"rowsOrNull":null}"#, "rowsOrNull.1.0"),
    ("{ json }", "null", "json"),
    ("{ jsonOrNull }", r#"{"jsonOrNull":null}"#, ""),
    ("{ jsons }", r#"{"jsons":null}"#, "jsons.1"),
    ("{ jsonsOrNull }", r#"{"jsonsOrNull":[1,null]}"#, ""),
    ("{ broken }", r#"{"broken":null}"#, "broken"),
    (
        "{ inner { f orNull deeper { list orNull } } }",
        r#"{"inner":{"f":1.5,"orNull":null,"deeper":null}}"#,
        "inner.orNull inner.deeper.list.1",
    ),
    ("{ mustInner { f } }", "null", "mustInner.f"),
    ("{ inners { f } }", r#"{"inners":null}"#, "inners.1.f"),
    ("{ innersOrNull { x: f } }", r#"{"innersOrNull":[null,{"x":1.5}]}"#, "innersOrNull.0.x"),
    ("{ inner { deeper { orNull } } }", r#"{"inner":{"deeper":{"orNull":null}}}"#, "inner.deeper.orNull"),
    ("{ panics inner { f } }", r#"{"panics":null,"inner":{"f":1.5}}"#, "panics"),
    ("{ mustPanic }", "null", "mustPanic"),
    ("{ machine { speed inner { f } } }", r#"{"machine":{"speed":1.5,"inner":{"f":2.5}}}"#, ""),
    ("{ machine { breaks } }", r#"{"machine":null}"#, "machine.breaks"),
    ("{ machines { speed } }", r#"{"machines":[null,{"speed":1.5}]}"#, "machines.0.speed"),
    ("{ machines { breaks } }", r#"{"machines":[null,null]}"#, "machines.0.breaks machines.1.breaks"),
    ("{ part { ... on Inner { f } } }", r#"{"part":null}"#, "part.f"),
    ("mutation { panics f }", r#"{"panics":null,"f":null}"#, "panics f"),
];

/// A panic of a field that needs no await is an error of the awaited field that holds it: graphql-js names `machine.name`.
const PANIC_OF_A_LOADED_FIELD: (&str, &str, &str) =
    ("{ f: orNull machine { name } }", r#"{"f":null,"machine":null}"#, "f machine");

#[test]
fn failing_field_is_an_error_with_its_path_and_null_propagates() {
    let engine = generated::engines(Limits::DEFAULT).remove(0);
    for (document, data, paths) in ANSWERS.iter().chain([&PANIC_OF_A_LOADED_FIELD]) {
        let body = serde_json::json!({ "query": document }).to_string();
        let prepared = engine.prepare(&Request::parse(body.as_bytes()).unwrap()).unwrap();
        let executed = engine.execute(&prepared, &Context::new()).now_or_never().unwrap();
        let answer: Json = serde_json::from_slice(&executed.body).unwrap();
        assert_eq!(answer["data"], serde_json::from_str::<Json>(data).unwrap(), "{document}");
        let errors = answer["errors"].as_array().cloned().unwrap_or_default();
        let path = |error: &Json| {
            let path = error["path"].as_array().unwrap().iter();
            path.map(|key| key.as_str().map_or_else(|| key.to_string(), str::to_owned)).collect::<Vec<_>>().join(".")
        };
        assert_eq!(errors.iter().map(path).collect::<Vec<_>>().join(" "), *paths, "{document}");
        assert!(errors.iter().all(|error| error["extensions"]["code"] == "INTERNAL_SERVER_ERROR"), "{answer}");
        assert_eq!(executed.error_codes.len(), errors.len());
    }
}
