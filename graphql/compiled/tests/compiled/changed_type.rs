//! A changed struct is a new type, and so is the method of every field that returns it; entities with such fields extend
//! their trait.

use std::borrow::Cow;

use engine::FieldError;

use crate::generated::changed_type as generated;
use crate::model::{Card, Id, Theme};
use crate::{Context, assert_answers};
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
    assert_answers(
        generated::engines,
        &[
            (
                "2026-10",
                "{ card(id: 1) { deceased { firstName } theme { title } } }",
                r#"{"card":{"deceased":{"firstName":"one"},"theme":{"title":"Sea"}}}"#,
            ),
            (
                "2027-01",
                "{ card(id: 1) { deceased { firstName placeOfBirth } theme { title } } }",
                r#"{"card":{"deceased":{"firstName":"one","placeOfBirth":"Delft"},"theme":{"title":"Sea"}}}"#,
            ),
            ("2026-10", r#"mutation { cardCreate(title: "t") { note } }"#, r#"{"cardCreate":{"note":null}}"#),
            ("2027-01", r#"mutation { cardCreate(title: "t") { note } }"#, r#"{"cardCreate":{"note":"t"}}"#),
        ],
    );
}

#[test]
fn unchanged_page_is_answered_by_both_versions() {
    for version in ["2026-10", "2027-01"] {
        let answer = r#"{"themes":{"nodes":[{"id":"gid/1"}]}}"#;
        assert_answers(generated::engines, &[(version, "{ themes { nodes { id } } }", answer)]);
    }
}
