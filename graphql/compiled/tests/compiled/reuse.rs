//! A version writes only what it changes: an older version writes the types that the version re-exports, whose entities are written
//! as the version of the response has them.

use std::borrow::Cow;
use std::sync::Arc;

use dated_graphql::FieldError;

use crate::generated::reuse as generated;
use crate::model::{Book, Id, Tag, Theme};
use crate::{Context, assert_answers};
use generated::{v2026_10, v2027_01, v2027_04};

impl v2026_10::Book for Book {
    fn id(&self, _: &Context) -> Id {
        Id(self.id)
    }

    fn themes(&self, _: &Context) -> v2027_04::ThemeList {
        v2026_10::ThemeList { nodes: vec![Arc::new(Theme { id: self.theme })], length: 1 }
    }

    async fn next(&self, cx: &Context, steps: i32) -> Result<Option<Arc<Book>>, FieldError> {
        Ok(cx.book(&(self.id as i32 + steps).to_string()))
    }
}

impl v2027_04::Book for Book {
    fn title<'a>(&'a self, _: &'a Context) -> Option<Cow<'a, str>> {
        Some(Cow::Borrowed(&self.title))
    }
}

impl v2026_10::Theme for Theme {
    fn id(&self, _: &Context) -> Id {
        Id(self.id)
    }

    fn title<'a>(&'a self, _: &'a Context) -> Cow<'a, str> {
        "Sea".into()
    }
}

impl v2027_01::Theme for Theme {
    async fn books(&self, cx: &Context, first: i32) -> Result<Vec<Arc<Book>>, FieldError> {
        Ok(cx.books.iter().take(first as usize).cloned().collect())
    }
}

impl v2026_10::Tag for Tag {
    fn id(&self, _: &Context) -> Id {
        Id(9)
    }
}

impl v2026_10::Query for Context {
    async fn book(&self) -> Result<Option<Arc<Book>>, FieldError> {
        Ok(self.book("1"))
    }

    async fn found(&self) -> Result<v2026_10::Found, FieldError> {
        Ok(v2026_10::Found { book: self.book("2"), theme: Some(Arc::new(Theme { id: 5 })) })
    }

    async fn tag(&self) -> Result<Option<Arc<Tag>>, FieldError> {
        Ok(Some(Arc::new(Tag("a".into()))))
    }
}

impl v2026_10::Mutation for Context {
    async fn touch(&self) -> Result<bool, FieldError> {
        Ok(true)
    }

    async fn theme(&self) -> Result<Option<Arc<Theme>>, FieldError> {
        Ok(Some(Arc::new(Theme { id: 6 })))
    }
}

/// Returns the `impl`s of generated code: for all versions or for one, the trait, and the type.
fn written(dispatch: &str) -> Vec<&str> {
    let heads = dispatch.lines().filter_map(|line| line.strip_prefix("impl"));
    heads
        .map(|head| head.trim_end_matches(" {").trim_start_matches("<V_: engine::Version<Context = Context>>").trim())
        .collect()
}

#[test]
fn version_writes_what_it_changes() {
    let changed = written(include_str!(concat!(env!("OUT_DIR"), "/reuse/v2027_04/dispatch.rs")));
    let expected = [
        "engine::Version for V2027_04",
        "engine::Object<V2027_04, V_> for model::Book",
        "engine::AsyncValue<V2027_04> for model::Book",
        "engine::AsyncValue<V2027_04> for model::Theme",
        "engine::Object<V2027_04> for Found",
        "engine::AsyncValue<V2027_04> for Found",
        "engine::Object<V2027_04> for engine::QueryRoot<'_, Context>",
    ];
    assert_eq!(changed, expected);
}

#[test]
fn reused_type_holds_the_entities_of_the_version() {
    let (both, changed) = (
        r#"{"book":{"id":"gid/1","themes":{"nodes":[{"title":"Sea"}],"length":1},"next":{"id":"gid/2"}},"found":{"theme":{"id":"gid/5"},"book":{"id":"gid/2"}}}"#,
        r#"{"book":{"themes":{"nodes":[{"books":[{"id":"gid/1"}]}]}},"found":{"theme":{"books":[{"id":"gid/1"},{"id":"gid/2"}]}}}"#,
    );
    let ask =
        "{ book { id themes { nodes { title } length } next(steps: 1) { id } } found { theme { id } book { id } } }";
    let books = "{ book { themes { nodes { books(first: 1) { id } } } } found { theme { books(first: 2) { id } } } }";
    let unknown = r#"Cannot query field "books" on type "Theme"."#;
    let (touch, touched) = ("mutation { touch theme { id } }", r#"{"touch":true,"theme":{"id":"gid/6"}}"#);
    let of_theme = "mutation { theme { books(first: 1) { id } } }";
    assert_answers(
        generated::engines,
        &[
            ("2026-10", ask, both),
            ("2026-10", "{ tag { id } }", r#"{"tag":{"id":"gid/9"}}"#),
            ("2026-10", of_theme, unknown),
            ("2026-10", touch, touched),
            ("2027-01", ask, both),
            ("2027-01", books, changed),
            ("2027-01", touch, touched),
            ("2027-01", of_theme, r#"{"theme":{"books":[{"id":"gid/1"}]}}"#),
            ("2027-04", ask, both),
            ("2027-04", books, changed),
            ("2027-04", of_theme, r#"{"theme":{"books":[{"id":"gid/1"}]}}"#),
            (
                "2027-04",
                "{ book { title __typename next(steps: 1) { title } } }",
                r#"{"book":{"title":"one","__typename":"Book","next":{"title":"two"}}}"#,
            ),
        ],
    );
}
