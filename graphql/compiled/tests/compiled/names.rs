//! Names that are Rust keywords, and descriptions that rustdoc would misread.

use std::borrow::Cow;

use crate::Context;
use crate::engine::{Field, FieldError, Limits, Value, ask};
use crate::generated::names as generated;
use generated::v2026_10::{HttpThing, Query, Self_};

impl Query for Context {
    async fn r#type(&self, self_: Option<String>, r#match: Option<i32>) -> Result<Self_, FieldError> {
        let super_ = r#match.map(|n| n.to_string().into());
        Ok(Self_ { self_: self_.map(Cow::Owned), super_, r#async: true, url_value: Some(HttpThing::Http11) })
    }

    async fn r#loop(&self) -> Result<Option<Cow<'static, str>>, FieldError> {
        Ok(None)
    }
}

#[test]
fn names_of_rust_are_answered_by_their_names_in_the_schema() {
    let fields = ["self", "super", "async", "URLValue"].map(Field::new);
    let field = Field::new("type").with("self", Value::String("s")).with("match", Value::Int(1)).select(fields);
    let answer = r#"{"type":{"self":"s","super":"1","async":true,"URLValue":"HTTP_1_1"}}"#;
    assert_eq!(ask(&generated::engines(Limits), "2026-10", &Context::new(), field), answer);
}
