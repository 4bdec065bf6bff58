//! An object and an input that contain themselves, directly and through another, and the query root as the type of a field.

use std::borrow::Cow;
use std::sync::Arc;

use dated_graphql::{FieldError, Patch};

use crate::generated::recursive_value as generated;
use crate::model::{Book, Category, Id, Tag};
use crate::{Context, assert_answers};
use generated::{v2026_10, v2027_01};

impl v2026_10::Book for Book {
    fn id(&self, _: &Context) -> Id {
        Id(self.id)
    }

    async fn category(&self, _: &Context) -> Result<Arc<Category>, FieldError> {
        Ok(Arc::new(Category(format!("root/{}", self.title))))
    }
}

impl v2026_10::Category for Category {
    fn name<'a>(&'a self, _: &'a Context) -> Cow<'a, str> {
        Cow::Borrowed(self.0.rsplit('/').next().unwrap_or_default())
    }

    async fn parent(&self, _: &Context) -> Result<Option<Arc<Category>>, FieldError> {
        Ok(self.0.rsplit_once('/').map(|(above, _)| Category(above.to_owned())).map(Arc::new))
    }

    async fn any(&self, _: &Context) -> Result<Option<v2026_10::Any>, FieldError> {
        Ok(Some(v2026_10::Any::Tag(Arc::new(Tag("root".to_owned())))))
    }
}

impl v2026_10::Tag for Tag {
    async fn category(&self, _: &Context) -> Result<Option<Arc<Category>>, FieldError> {
        Ok(Some(Arc::new(Category(self.0.clone()))))
    }
}

impl v2026_10::Query for Context {
    async fn book(&self, id: String) -> Result<Option<Arc<Book>>, FieldError> {
        Ok(self.book(&id))
    }

    async fn describe(&self, filter: v2026_10::BookFilterInput) -> Result<Cow<'static, str>, FieldError> {
        Ok(described(filter).into())
    }
}

impl v2026_10::Mutation for Context {
    async fn rename(&self) -> Result<v2026_10::RenamePayload, FieldError> {
        Ok(v2026_10::RenamePayload { book: self.book("1") })
    }
}

impl v2027_01::Query for Context {
    async fn count(&self) -> Result<i32, FieldError> {
        Ok(2)
    }
}

/// Returns the text that the innermost filter looks for.
fn described(filter: v2026_10::BookFilterInput) -> String {
    let v2026_10::BookFilterInput { text, not, status } = filter;
    let status = match status {
        Patch::Value(status) => match status.book {
            Patch::Value(book) => described(*book),
            Patch::Absent | Patch::Null => String::new(),
        },
        Patch::Absent | Patch::Null => String::new(),
    };
    match (text, not) {
        (_, Patch::Value(not)) => format!("not {}{status}", described(*not)),
        (Patch::Value(text), _) => text + &status,
        _ => status,
    }
}

#[test]
fn object_that_contains_itself_is_resolved() {
    let any = "any { ... on Tag { category { name } } }";
    let document = format!("{{ book(id: 1) {{ category {{ name parent {{ name parent {{ name }} }} {any} }} }} }}");
    let answer = r#"{"book":{"category":{"name":"one","parent":{"name":"root","parent":null},"any":{"category":{"name":"root"}}}}}"#;
    assert_answers(generated::engines, &[("2026-10", &document, answer)]);
}

#[test]
fn input_contains_itself_in_a_box() {
    let document = r#"{ describe(filter: { not: { text: "a", status: { book: { text: "b" } } } }) }"#;
    assert_answers(generated::engines, &[("2026-10", document, r#"{"describe":"not ab"}"#)]);
}

#[test]
fn field_returns_the_query_root() {
    assert_answers(
        generated::engines,
        &[
            (
                "2026-10",
                "mutation { rename { query { book(id: 2) { id } query { book(id: 2) { id } } } } }",
                r#"{"rename":{"query":{"book":{"id":"gid/2"},"query":{"book":{"id":"gid/2"}}}}}"#,
            ),
            // A field of the newer version below a payload of the older one.
            ("2027-01", "mutation { rename { query { count } } }", r#"{"rename":{"query":{"count":2}}}"#),
        ],
    );
}
