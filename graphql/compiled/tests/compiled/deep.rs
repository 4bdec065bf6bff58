//! Values that nest deep and hold an entity: the future of each value is in the future of the value around it.

use std::borrow::Cow;
use std::sync::Arc;

use dated_graphql::FieldError;

use crate::generated::deep as generated;
use crate::{Context, assert_answers};
use generated::v2026_10::{self, A1, A2, A3, A4, A5, A6, A7, A8, A9, A10, Query};

impl Query for Context {
    async fn first(&self) -> Result<A1, FieldError> {
        let a7 = A7 { next: Some(A8 { next: Some(A9 { next: Some(A10 { next: None }) }) }) };
        let a4 = A4 { next: Some(A5 { next: Some(A6 { next: Some(a7) }) }) };
        Ok(A1 { next: Some(A2 { next: Some(A3 { next: Some(a4) }) }) })
    }
}

impl v2026_10::Tip for crate::model::Tip {
    fn name<'a>(&'a self, _: &'a Context) -> Option<Cow<'a, str>> {
        None
    }

    async fn again(&self, _: &Context, _: i32) -> Result<Option<Arc<Self>>, FieldError> {
        Ok(None)
    }
}

#[test]
fn values_that_nest_deep_compile_and_answer() {
    let query =
        "{ first { next { next { next { next { next { next { next { next { next { __typename } } } } } } } } } } }";
    let answer = r#"{"first":{"next":{"next":{"next":{"next":{"next":{"next":{"next":{"next":{"next":{"__typename":"A10"}}}}}}}}}}}"#;
    assert_answers(generated::engines, &[("2026-10", query, answer)]);
}
