//! A trait that only gained a method extends the trait of the previous version, over three versions.

use std::borrow::Cow;

use crate::Context;
use crate::engine::{Field, FieldError, Id, Limits, Value, ask, tell};
use crate::generated::added_field as generated;
use crate::model::Card;
use generated::{v2026_10, v2027_01, v2027_04};

impl v2026_10::Card for Card {
    fn id(&self, _: &Context) -> Id {
        Id(self.id)
    }

    fn title<'a>(&'a self, _: &'a Context) -> Option<Cow<'a, str>> {
        Some(Cow::Borrowed(&self.title))
    }
}

impl v2027_01::Card for Card {
    fn views(&self, _: &Context) -> i32 {
        7
    }
}

impl v2027_04::Card for Card {
    fn returns(&self, _: &Context) -> i32 {
        3
    }
}

impl v2026_10::Query for Context {
    async fn card(&self, id: String) -> Result<Option<Card>, FieldError> {
        Ok(self.card(&id))
    }
}

impl v2027_01::Query for Context {
    async fn first_card(&self) -> Result<Option<Card>, FieldError> {
        Ok(self.cards.first().cloned())
    }
}

impl v2026_10::Mutation for Context {
    async fn touch(&self, id: String) -> Result<bool, FieldError> {
        Ok(self.card(&id).is_some())
    }
}

#[test]
fn added_field_is_answered_from_its_version_on() {
    let (engines, cx) = (generated::engines(Limits), Context::new());
    let card = |fields: &[&'static str]| {
        Field::new("card").with("id", Value::String("1")).select(fields.iter().map(|name| Field::new(name)))
    };
    assert_eq!(ask(&engines, "2026-10", &cx, card(&["id", "title"])), r#"{"card":{"id":"gid/1","title":"one"}}"#);
    assert_eq!(ask(&engines, "2027-01", &cx, card(&["title", "views"])), r#"{"card":{"title":"one","views":7}}"#);
    let all = ["id", "title", "views", "returns", "__typename"];
    let answer = r#"{"card":{"id":"gid/1","title":"one","views":7,"returns":3,"__typename":"Card"}}"#;
    assert_eq!(ask(&engines, "2027-04", &cx, card(&all)), answer);
}

#[test]
fn unchanged_root_answers_in_every_version() {
    let (engines, cx) = (generated::engines(Limits), Context::new());
    for version in generated::VERSIONS {
        let field = Field::new("touch").with("id", Value::String("2"));
        assert_eq!(tell(&engines, version.name, &cx, field), r#"{"touch":true}"#);
    }
    assert_eq!(generated::VERSIONS.last().and_then(|version| version.published), Some("2027-04-01"));
    let first = Field::new("firstCard").select([Field::new("id")]);
    assert_eq!(ask(&engines, "2027-04", &cx, first), r#"{"firstCard":{"id":"gid/1"}}"#);
}
