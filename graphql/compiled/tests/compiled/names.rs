//! Names that are Rust keywords, that generated code uses, that are the same in Rust or do not begin with a letter; and descriptions
//! that rustdoc would misread.

#![allow(clippy::just_underscores_and_digits)] // fields and arguments that are called so

use std::borrow::Cow;

use dated_graphql::FieldError;
use serde_json::json;

use crate::generated::names as generated;
use crate::model::Id;
use crate::{Context, assert_answers};
use generated::v2026_10::{Box_, Context_, HttpThing, HttpThing_, Option_, Query, Result_, Self_, Some_, V, Value_};
use generated::v2027_01::{self, Value__};

impl Query for Context {
    async fn r#type(&self, self_: Option<String>, r#match: Option<i32>) -> Result<Self_, FieldError> {
        let super_ = r#match.map(|n| n.to_string().into());
        let (url_value, old) = (Some(HttpThing_::Http11), Some(HttpThing_::Http11_));
        Ok(Self_ { self_: self_.map(Cow::Owned), super_, r#async: true, url_value, old })
    }

    async fn r#loop(&self) -> Result<Option<Cow<'static, str>>, FieldError> {
        Ok(None)
    }

    async fn __(&self) -> Result<Option<bool>, FieldError> {
        Ok(Some(true))
    }

    async fn _1(
        &self,
        cx_: Option<i32>,
        __: Option<i32>,
        page_size: Option<i32>,
        page_size_: Option<i32>,
    ) -> Result<Option<Cow<'static, str>>, FieldError> {
        Ok(Some(format!("{cx_:?} {__:?} {page_size:?} {page_size_:?}").into()))
    }

    async fn submission_id(&self) -> Result<Option<Id>, FieldError> {
        Ok(Some(Id(1)))
    }

    async fn v(&self) -> Result<Option<V>, FieldError> {
        Ok(Some(V { v: Some(Cow::Owned(json!({ "any": [1] }))) }))
    }

    async fn result(&self, r#box: Option<Box_>, vec: Option<Value_>) -> Result<Option<Result_>, FieldError> {
        let Box_ { cx, _1, string } = r#box.unwrap();
        let arc = Some(format!("{:?} {:?} {:?} {vec:?}", cx.value(), _1.value(), string.value()).into());
        let some = Some(vec![Some_::V(V { v: None }), Some_::Context_(Context_ { arc: None })]);
        Ok(Some(Result_ { option: Option_::HttpThing(HttpThing { arc }), some, v: None }))
    }
}

impl v2027_01::Query for Context {
    async fn submission_id_(&self) -> Result<Option<Id>, FieldError> {
        Ok(Some(Id(2)))
    }

    async fn result(
        &self,
        r#box: Option<Box_>,
        vec_: Option<Value__>,
        vec: Option<Value_>,
    ) -> Result<Option<Result_>, FieldError> {
        assert!(vec_.is_none());
        Query::result(self, r#box, vec).await
    }
}

#[test]
fn names_of_rust_are_answered_by_their_names_in_the_schema() {
    let document = r#"{ type(self: "s", match: 1) { self super async URLValue old } }"#;
    let answer = r#"{"type":{"self":"s","super":"1","async":true,"URLValue":"HTTP_1_1","old":"http_1_1"}}"#;
    let others = "{ _ _1(cx: 1, _: 2, pageSize: 3, page_size: 4) v { v } }";
    let others_answer = r#"{"_":true,"_1":"Some(1) Some(2) Some(3) Some(4)","v":{"v":{"any":[1]}}}"#;
    let result = "{ result(box: {cx: 1, _1: 2}, vec: _1) { option { __typename arc } some { __typename } } }";
    let result_answer = r#"{"result":{"option":{"__typename":"HttpThing","arc":"Some(1) Some(2) None Some(_1)"},"some":[{"__typename":"V"},{"__typename":"Context"}]}}"#;
    let cases = [(document, answer), (others, others_answer), (result, result_answer)];
    for (document, answer) in cases {
        assert_answers(generated::engines, &[("2026-10", document, answer), ("2027-01", document, answer)]);
    }
}

/// `submissionId` is new, and before `submissionID`, which keeps its Rust name.
#[test]
fn name_that_a_version_adds_leaves_the_rust_names_of_others() {
    let added = r#"{"submissionID":"gid/1","submissionId":"gid/2"}"#;
    let answers = [
        ("2026-10", "{ submissionID }", r#"{"submissionID":"gid/1"}"#),
        ("2027-01", "{ submissionID submissionId }", added),
    ];
    assert_answers(generated::engines, &answers);
}
