//! A trait that only gained a method extends the trait of the previous version, over three versions.

use std::borrow::Cow;

use engine::FieldError;

use crate::generated::added_field as generated;
use crate::model::{Card, Id};
use crate::{Context, assert_answers};
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
    assert_answers(
        generated::engines,
        &[
            ("2026-10", "{ card(id: 1) { id title } }", r#"{"card":{"id":"gid/1","title":"one"}}"#),
            ("2026-10", "{ card(id: 1) { views } }", r#"Cannot query field "views" on type "Card"."#),
            ("2027-01", "{ card(id: 1) { title views } }", r#"{"card":{"title":"one","views":7}}"#),
            (
                "2027-04",
                "{ card(id: 1) { id title views returns __typename } }",
                r#"{"card":{"id":"gid/1","title":"one","views":7,"returns":3,"__typename":"Card"}}"#,
            ),
        ],
    );
}

#[test]
fn unchanged_root_answers_in_every_version() {
    for version in generated::VERSIONS {
        assert_answers(generated::engines, &[(version.name, "mutation { touch(id: 2) }", r#"{"touch":true}"#)]);
    }
    assert_eq!(generated::VERSIONS.last().and_then(|version| version.published), Some("2027-04-01"));
    assert_answers(generated::engines, &[("2027-04", "{ firstCard { id } }", r#"{"firstCard":{"id":"gid/1"}}"#)]);
}
