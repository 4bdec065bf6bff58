//! A changed struct is a new type, and so is the method of every field that returns it; entities with such fields extend
//! their trait.

use std::borrow::Cow;

use crate::Context;
use crate::engine::{Field, FieldError, Id, Limits, Value, ask, tell};
use crate::generated::changed_type as generated;
use crate::model::{Card, Theme};
use generated::{v2026_10, v2027_01};

impl v2026_10::Card for Card {
    fn id(&self, _: &Context) -> Id {
        Id(self.id)
    }

    fn title<'a>(&'a self, _: &'a Context) -> Option<Cow<'a, str>> {
        None
    }

    fn deceased<'a>(&'a self, _: &'a Context) -> v2026_10::Deceased<'a> {
        v2026_10::Deceased { first_name: Some(Cow::Borrowed(&self.title)) }
    }

    async fn theme(&self, _: &Context) -> Result<Option<Theme>, FieldError> {
        Ok(Some(Theme { id: self.theme }))
    }
}

impl v2027_01::Card for Card {
    fn deceased<'a>(&'a self, _: &'a Context) -> v2027_01::Deceased<'a> {
        v2027_01::Deceased { first_name: Some(Cow::Borrowed(&self.title)), place_of_birth: Some("Delft".into()) }
    }
}

// The theme did not change: one implementation serves both versions.
impl v2026_10::Theme for Theme {
    fn id(&self, _: &Context) -> Id {
        Id(self.id)
    }

    fn title<'a>(&'a self, _: &'a Context) -> Cow<'a, str> {
        "Sea".into()
    }
}

impl v2026_10::Query for Context {
    async fn card(&self, id: String) -> Result<Option<Card>, FieldError> {
        Ok(self.card(&id))
    }

    async fn themes(&self) -> Result<v2027_01::ThemePage, FieldError> {
        Ok(v2026_10::ThemePage { nodes: vec![Theme { id: 1 }] })
    }
}

impl v2026_10::Mutation for Context {
    async fn card_create(&self, _: String) -> Result<Option<v2026_10::CardPayload>, FieldError> {
        Ok(Some(v2026_10::CardPayload { card: self.card("1"), note: None }))
    }
}

impl v2027_01::Mutation for Context {
    async fn card_create(&self, title: String) -> Result<Option<v2027_01::CardPayload>, FieldError> {
        Ok(Some(v2027_01::CardPayload { card: self.card("1"), note: title.into() }))
    }
}

#[test]
fn changed_type_is_answered_by_each_version_in_its_shape() {
    let (engines, cx) = (generated::engines(Limits), Context::new());
    let card = |fields: &[&'static str]| {
        let deceased = Field::new("deceased").select(fields.iter().map(|name| Field::new(name)));
        let theme = Field::new("theme").select([Field::new("title")]);
        Field::new("card").with("id", Value::String("1")).select([deceased, theme])
    };
    let answer = r#"{"card":{"deceased":{"firstName":"one"},"theme":{"title":"Sea"}}}"#;
    assert_eq!(ask(&engines, "2026-10", &cx, card(&["firstName"])), answer);
    let answer = r#"{"card":{"deceased":{"firstName":"one","placeOfBirth":"Delft"},"theme":{"title":"Sea"}}}"#;
    assert_eq!(ask(&engines, "2027-01", &cx, card(&["firstName", "placeOfBirth"])), answer);
}

#[test]
fn unchanged_page_is_answered_by_both_versions() {
    let (engines, cx) = (generated::engines(Limits), Context::new());
    for version in ["2026-10", "2027-01"] {
        let themes = Field::new("themes").select([Field::new("nodes").select([Field::new("id")])]);
        assert_eq!(ask(&engines, version, &cx, themes), r#"{"themes":{"nodes":[{"id":"gid/1"}]}}"#);
    }
    let create = Field::new("cardCreate").with("title", Value::String("t")).select([Field::new("note")]);
    assert_eq!(tell(&engines, "2027-01", &cx, create), r#"{"cardCreate":{"note":"t"}}"#);
}
