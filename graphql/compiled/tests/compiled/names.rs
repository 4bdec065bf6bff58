//! Names that are Rust keywords or the same in Rust, and descriptions that rustdoc would misread.

use std::borrow::Cow;

use dated_graphql::FieldError;

use crate::generated::names as generated;
use crate::{Context, assert_answers};
use generated::v2026_10::{HttpThing, Query, Self_};

impl Query for Context {
    async fn r#type(&self, self_: Option<String>, r#match: Option<i32>) -> Result<Self_, FieldError> {
        let super_ = r#match.map(|n| n.to_string().into());
        let (url_value, old) = (Some(HttpThing::Http11), Some(HttpThing::Http11_));
        Ok(Self_ { self_: self_.map(Cow::Owned), super_, r#async: true, url_value, old })
    }

    async fn r#loop(&self) -> Result<Option<Cow<'static, str>>, FieldError> {
        Ok(None)
    }
}

#[test]
fn names_of_rust_are_answered_by_their_names_in_the_schema() {
    let document = r#"{ type(self: "s", match: 1) { self super async URLValue old } }"#;
    let answer = r#"{"type":{"self":"s","super":"1","async":true,"URLValue":"HTTP_1_1","old":"http_1_1"}}"#;
    assert_answers(generated::engines, &[("2026-10", document, answer)]);
}
