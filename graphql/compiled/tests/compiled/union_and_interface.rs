//! Unions and interfaces: borrowed from an entity, new in a later version, with an added member, with a removed one.

use dated_graphql::FieldError;

use crate::generated::union_and_interface as generated;
use crate::model::{Book, Id};
use crate::{Context, assert_answers};
use generated::{v2026_10, v2027_01};

impl v2026_10::Book for Book {
    fn id(&self, _: &Context) -> Id {
        Id(self.id)
    }

    fn contact<'a>(&'a self, _: &'a Context) -> Option<v2026_10::Contact<'a>> {
        Some(v2026_10::Contact::Mail(v2026_10::Mail { address: (&*self.title).into() }))
    }

    fn contacts<'a>(&'a self, _: &'a Context) -> Vec<v2026_10::Contact<'a>> {
        vec![v2026_10::Contact::Letter(v2026_10::Letter { street: "Lane".into() })]
    }
}

impl v2027_01::Book for Book {
    fn contact<'a>(&'a self, _: &'a Context) -> Option<v2027_01::Contact<'a>> {
        Some(v2027_01::Contact::Phone(v2027_01::Phone { number: (&*self.title).into() }))
    }

    fn contacts<'a>(&'a self, _: &'a Context) -> Vec<v2027_01::Contact<'a>> {
        vec![v2027_01::Contact::Mail(v2026_10::Mail { address: "a".into() })]
    }
}

impl v2026_10::Query for Context {
    async fn replies(&self) -> Result<Vec<v2026_10::Reply>, FieldError> {
        Ok(vec![v2026_10::Reply::Letter(v2026_10::Letter { street: "Lane".into() })])
    }

    async fn problems(&self) -> Result<Vec<v2026_10::TitleProblem>, FieldError> {
        Ok(vec![v2026_10::TitleProblem { message: "long".into(), maximum: 9 }])
    }

    async fn find(&self, text: String) -> Result<Vec<v2026_10::Found>, FieldError> {
        let mail = v2026_10::Found::Mail(v2026_10::Mail { address: text.clone().into() });
        Ok(self.book(&text).map(v2026_10::Found::Book).into_iter().chain([mail]).collect())
    }
}

impl v2027_01::Query for Context {
    async fn replies(&self) -> Result<Vec<v2027_01::Reply>, FieldError> {
        let v2027_01::Reply::Mail(mail) = v2027_01::Reply::Mail(v2026_10::Mail { address: "a".into() });
        Ok(vec![v2027_01::Reply::Mail(mail)])
    }

    async fn any_problems(&self) -> Result<Vec<v2027_01::Problem>, FieldError> {
        Ok(vec![v2027_01::Problem::OtherProblem(v2026_10::OtherProblem { message: "other".into() })])
    }
}

#[test]
fn union_is_answered_by_the_members_of_its_version() {
    let found = r#"{"find":[{"__typename":"Book"},{"__typename":"Mail"}]}"#;
    assert_answers(
        generated::engines,
        &[
            ("2026-10", r#"{ find(text: "1") { __typename } }"#, found),
            ("2027-01", r#"{ find(text: "1") { __typename } }"#, found),
            // A text that is not the id of a book matches the mail only.
            ("2027-01", r#"{ find(text: "x") { ... on Mail { address } } }"#, r#"{"find":[{"address":"x"}]}"#),
            ("2026-10", "{ replies { __typename } }", r#"{"replies":[{"__typename":"Letter"}]}"#),
            ("2027-01", "{ replies { __typename } }", r#"{"replies":[{"__typename":"Mail"}]}"#),
        ],
    );
}

#[test]
fn union_is_borrowed_from_its_entity() {
    let book = Book { id: 1, title: "one".to_owned(), theme: 1 };
    let cx = Context::new();
    let Some(v2027_01::Contact::Phone(phone)) = v2027_01::Book::contact(&book, &cx) else { panic!() };
    assert!(matches!(phone.number, std::borrow::Cow::Borrowed("one")));
}

#[test]
fn interface_is_answered_from_the_version_that_returns_it() {
    let problems = "{ problems { __typename message } }";
    assert_answers(
        generated::engines,
        &[
            ("2026-10", problems, r#"{"problems":[{"__typename":"TitleProblem","message":"long"}]}"#),
            ("2027-01", problems, r#"{"problems":[{"__typename":"TitleProblem","message":"long"}]}"#),
            (
                "2027-01",
                "{ anyProblems { __typename message } }",
                r#"{"anyProblems":[{"__typename":"OtherProblem","message":"other"}]}"#,
            ),
        ],
    );
}
