//! Three versions of one API. What a version changes is a new item or method, and each version responds in its own shape. The
//! rest is implemented once.

use std::borrow::Cow;
use std::sync::Arc;

use dated_graphql::FieldError;

use crate::generated::versions as generated;
use crate::model::{Book, Id, Theme};
use crate::{Context, assert_answers};
use generated::{v2026_10, v2027_01, v2027_04};

impl v2026_10::Book for Book {
    fn id(&self, _: &Context) -> Id {
        Id(self.id)
    }

    fn title<'a>(&'a self, _: &'a Context) -> Option<Cow<'a, str>> {
        Some(Cow::Borrowed(&self.title))
    }

    fn author<'a>(&'a self, _: &'a Context) -> v2026_10::Author<'a> {
        v2026_10::Author { first_name: None, nick_name: Some(Cow::Borrowed(&self.title)) }
    }

    fn status(&self, _: &Context) -> v2026_10::Status {
        v2026_10::Status::Active
    }

    async fn theme(&self, _: &Context) -> Result<Option<Arc<Theme>>, FieldError> {
        Ok(Some(Arc::new(Theme { id: self.theme })))
    }

    async fn photos(&self, _: &Context, first: i32) -> Result<Vec<Cow<'static, str>>, FieldError> {
        Ok((0..first).map(|at| format!("{at}.jpeg").into()).collect())
    }
}

impl v2027_01::Book for Book {
    fn author<'a>(&'a self, _: &'a Context) -> v2027_01::Author<'a> {
        v2027_01::Author { first_name: Some(Cow::Borrowed(&self.title)), birth_place: Some("Delft".into()) }
    }

    fn status(&self, _: &Context) -> v2027_01::Status {
        v2027_01::Status::Archived
    }

    async fn photos(
        &self,
        _: &Context,
        first: i32,
        square: Option<bool>,
    ) -> Result<Vec<Cow<'static, str>>, FieldError> {
        let shape = if square == Some(true) { "square" } else { "any" };
        Ok((0..first).map(|at| format!("{at}-{shape}.jpeg").into()).collect())
    }

    fn views(&self, _: &Context) -> i32 {
        7
    }
}

impl v2027_04::Book for Book {
    fn returns(&self, _: &Context) -> i32 {
        3
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

impl v2026_10::Query for Context {
    async fn node(&self, id: String) -> Result<Option<v2027_04::Node>, FieldError> {
        Ok(self.book(&id).map(v2026_10::Node::Book))
    }

    async fn book(&self, id: String) -> Result<Option<Arc<Book>>, FieldError> {
        Ok(self.book(&id))
    }

    async fn books(&self, status: Option<v2026_10::Status>) -> Result<Vec<Arc<Book>>, FieldError> {
        Ok(if status == Some(v2026_10::Status::Active) { self.books.clone() } else { vec![] })
    }

    async fn themes(&self) -> Result<v2027_01::ThemePage, FieldError> {
        Ok(v2026_10::ThemePage { nodes: vec![Arc::new(Theme { id: 1 })] })
    }

    async fn count(&self) -> Result<i32, FieldError> {
        Ok(self.books.len() as i32)
    }
}

impl v2027_01::Query for Context {
    async fn book(&self, id: String, archived: bool) -> Result<Option<Arc<Book>>, FieldError> {
        Ok(self.book(&id).filter(|_| !archived))
    }

    async fn books(&self, status: Option<v2027_04::Status>) -> Result<Vec<Arc<Book>>, FieldError> {
        Ok(if status == Some(v2027_01::Status::Archived) { self.books.clone() } else { vec![] })
    }

    async fn first_book(&self) -> Result<Option<Arc<Book>>, FieldError> {
        Ok(self.books.first().cloned())
    }
}

impl v2026_10::Mutation for Context {
    async fn touch(&self, id: String) -> Result<bool, FieldError> {
        Ok(self.book(&id).is_some())
    }

    async fn book_create(&self, _: String) -> Result<Option<v2026_10::BookPayload>, FieldError> {
        Ok(Some(v2026_10::BookPayload { book: self.book("1"), note: None }))
    }
}

impl v2027_01::Mutation for Context {
    async fn book_create(&self, title: String) -> Result<Option<v2027_01::BookPayload>, FieldError> {
        Ok(Some(v2027_01::BookPayload { book: self.book("1"), note: title.into() }))
    }
}

#[test]
fn each_version_responds_in_its_shape() {
    let whole = "{ book(id: 1) { id title author { firstName nickName } status theme { title } photos(first: 1) } }";
    let later = "{ book(id: 1) { author { firstName birthPlace } status theme { title } photos(first: 1, square: true) views } }";
    let theme = r#""theme":{"title":"Sea"}"#;
    let before = format!(
        r#"{{"book":{{"id":"gid/1","title":"one","author":{{"firstName":null,"nickName":"one"}},"status":"ACTIVE",{theme},"photos":["0.jpeg"]}}}}"#
    );
    let after = format!(
        r#"{{"book":{{"author":{{"firstName":"one","birthPlace":"Delft"}},"status":"ARCHIVED",{theme},"photos":["0-square.jpeg"],"views":7}}}}"#
    );
    let (archived, status) = ("{ books(status: ARCHIVED) { id } }", "{ node(id: 2) { ... on Book { status } } }");
    let create = r#"mutation { bookCreate(title: "t") { note } }"#;
    assert_answers(
        generated::engines,
        &[
            ("2026-10", whole, &before),
            ("2026-10", "{ count }", r#"{"count":2}"#),
            ("2026-10", "{ book(id: 1) { views } }", r#"Cannot query field "views" on type "Book"."#),
            ("2026-10", archived, r#"Value "ARCHIVED" does not exist in "Status" enum."#),
            ("2026-10", status, r#"{"node":{"status":"ACTIVE"}}"#),
            ("2026-10", create, r#"{"bookCreate":{"note":null}}"#),
            ("2027-01", later, &after),
            ("2027-01", "{ count }", r#"Cannot query field "count" on type "Query"."#),
            ("2027-01", "{ book(id: 1, archived: true) { id } }", r#"{"book":null}"#),
            ("2027-01", archived, r#"{"books":[{"id":"gid/1"},{"id":"gid/2"}]}"#),
            ("2027-01", status, r#"{"node":{"status":"ARCHIVED"}}"#),
            ("2027-01", create, r#"{"bookCreate":{"note":"t"}}"#),
            ("2027-04", later, &after),
            ("2027-04", "{ firstBook { returns __typename } }", r#"{"firstBook":{"returns":3,"__typename":"Book"}}"#),
        ],
    );
    // What no version changes is implemented once.
    let themes = ("{ themes { nodes { id } } }", r#"{"themes":{"nodes":[{"id":"gid/1"}]}}"#);
    assert_answers(generated::engines, &["2026-10", "2027-01", "2027-04"].map(|version| (version, themes.0, themes.1)));
    assert_eq!(generated::VERSIONS.last().and_then(|version| version.published), Some("2027-04-01"));
}
