//! An entity that contains itself directly, in a list, through an interface, and through a value.

use std::borrow::Cow;

use engine::FieldError;

use crate::generated::recursive_entity as generated;
use crate::model::{Book, Family, Id};
use crate::{Context, assert_answers};
use generated::{v2026_10, v2027_01};

impl v2026_10::Book for Book {
    fn id(&self, _: &Context) -> Id {
        Id(self.id)
    }

    async fn related(&self, cx: &Context) -> Result<Option<Book>, FieldError> {
        Ok(cx.book(if self.id == 1 { "2" } else { "1" }))
    }

    async fn family(&self, _: &Context) -> Result<Family, FieldError> {
        Ok(Family { name: self.title.clone(), has_branches: true })
    }

    async fn all(&self, cx: &Context) -> Result<Vec<Book>, FieldError> {
        Ok(cx.books.clone())
    }

    async fn any(&self, cx: &Context) -> Result<Option<v2026_10::Node>, FieldError> {
        Ok(cx.book("2").map(v2026_10::Node::Book))
    }
}

impl v2026_10::Family for Family {
    fn name<'a>(&'a self, _: &'a Context) -> Cow<'a, str> {
        Cow::Borrowed(&self.name)
    }

    async fn members(&self, cx: &Context) -> Result<Vec<Book>, FieldError> {
        Ok(cx.books.clone())
    }

    async fn branches(&self, _: &Context) -> Result<Vec<Family>, FieldError> {
        Ok(if self.has_branches { vec![Family { has_branches: false, ..self.clone() }] } else { vec![] })
    }
}

impl v2027_01::Book for Book {
    async fn twin(&self, _: &Context) -> Result<Option<Book>, FieldError> {
        Ok(Some(self.clone()))
    }
}

impl v2026_10::Query for Context {
    async fn book(&self, id: String) -> Result<Option<Book>, FieldError> {
        Ok(self.book(&id))
    }
}

#[test]
fn recursive_entity_is_answered_at_any_depth() {
    assert_answers(
        generated::engines,
        &[
            (
                "2026-10",
                "{ book(id: 1) { related { related { all { id } } } } }",
                r#"{"book":{"related":{"related":{"all":[{"id":"gid/1"},{"id":"gid/2"}]}}}}"#,
            ),
            (
                "2026-10",
                "{ book(id: 1) { family { branches { name members { id } } } } }",
                r#"{"book":{"family":{"branches":[{"name":"one","members":[{"id":"gid/1"},{"id":"gid/2"}]}]}}}"#,
            ),
            // A field of the second version below fields of the first.
            (
                "2027-01",
                "{ book(id: 1) { any { ... on Book { twin { related { id } } } } } }",
                r#"{"book":{"any":{"twin":{"related":{"id":"gid/1"}}}}}"#,
            ),
        ],
    );
}
