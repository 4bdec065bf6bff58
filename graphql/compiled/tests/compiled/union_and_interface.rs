//! Unions and interfaces: borrowed from an entity, new in a later version, with an added member, with a removed one.

use crate::Context;
use crate::engine::{Field, FieldError, Id, Limits, Value, ask};
use crate::generated::union_and_interface as generated;
use crate::model::Card;
use generated::{v2026_10, v2027_01};

impl v2026_10::Card for Card {
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

impl v2027_01::Card for Card {
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
        Ok(self.card(&text).map(v2026_10::Found::Card).into_iter().chain([mail]).collect())
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
    let (engines, cx) = (generated::engines(Limits), Context::new());
    let names = || Field::new("find").with("text", Value::String("1")).select([Field::new("__typename")]);
    let answer = r#"{"find":[{"__typename":"Card"},{"__typename":"Mail"}]}"#;
    assert_eq!(ask(&engines, "2026-10", &cx, names()), answer);
    assert_eq!(ask(&engines, "2027-01", &cx, names()), answer);
    // A text that is not the id of a card matches the mail only.
    let mail = Field::new("find").with("text", Value::String("x")).select([Field::new("address")]);
    assert_eq!(ask(&engines, "2027-01", &cx, mail), r#"{"find":[{"address":"x"}]}"#);
    let replies = || Field::new("replies").select([Field::new("__typename")]);
    assert_eq!(ask(&engines, "2026-10", &cx, replies()), r#"{"replies":[{"__typename":"Letter"}]}"#);
    assert_eq!(ask(&engines, "2027-01", &cx, replies()), r#"{"replies":[{"__typename":"Mail"}]}"#);
}

#[test]
fn union_is_borrowed_from_its_entity() {
    let card = Card { id: 1, title: "one".to_owned(), theme: 1 };
    let cx = Context::new();
    let Some(v2027_01::Contact::Phone(phone)) = v2027_01::Card::contact(&card, &cx) else { panic!() };
    assert!(matches!(phone.number, std::borrow::Cow::Borrowed("one")));
}

#[test]
fn interface_is_answered_from_the_version_that_returns_it() {
    let (engines, cx) = (generated::engines(Limits), Context::new());
    let fields = || [Field::new("__typename"), Field::new("message")];
    let answer = r#"{"anyProblems":[{"__typename":"OtherProblem","message":"other"}]}"#;
    assert_eq!(ask(&engines, "2027-01", &cx, Field::new("anyProblems").select(fields())), answer);
    let answer = r#"{"problems":[{"__typename":"TitleProblem","message":"long"}]}"#;
    assert_eq!(ask(&engines, "2027-01", &cx, Field::new("problems").select(fields())), answer);
}
