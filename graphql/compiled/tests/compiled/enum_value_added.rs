//! An enum with an added value is a new type; the older version keeps its own values.

use std::borrow::Cow;

use engine::FieldError;

use crate::generated::enum_value_added as generated;
use crate::model::{Card, Id};
use crate::{Context, assert_answers};
use generated::{v2026_10, v2027_01};

impl v2026_10::Card for Card {
    fn id(&self, _: &Context) -> Id {
        Id(self.id)
    }

    fn status(&self, _: &Context) -> v2026_10::Status {
        v2026_10::Status::Active
    }

    fn title<'a>(&'a self, _: &'a Context) -> Option<Cow<'a, str>> {
        None
    }
}

impl v2027_01::Card for Card {
    fn status(&self, _: &Context) -> v2027_01::Status {
        v2027_01::Status::Archived
    }
}

impl v2026_10::Query for Context {
    async fn node(&self, id: String) -> Result<Option<v2026_10::Node>, FieldError> {
        Ok(self.card(&id).map(v2027_01::Node::Card))
    }

    async fn cards(&self, status: Option<v2026_10::Status>) -> Result<Vec<Card>, FieldError> {
        Ok(if status == Some(v2026_10::Status::Active) { self.cards.clone() } else { vec![] })
    }
}

impl v2027_01::Query for Context {
    async fn cards(&self, status: Option<v2027_01::Status>) -> Result<Vec<Card>, FieldError> {
        Ok(if status == Some(v2027_01::Status::Archived) { self.cards.clone() } else { vec![] })
    }
}

#[test]
fn enum_value_is_answered_from_its_version_on() {
    let archived = "{ cards(status: ARCHIVED) { id } }";
    assert_answers(
        generated::engines,
        &[
            ("2026-10", "{ node(id: 2) { ... on Card { status } } }", r#"{"node":{"status":"ACTIVE"}}"#),
            ("2027-01", "{ node(id: 2) { ... on Card { status } } }", r#"{"node":{"status":"ARCHIVED"}}"#),
            ("2026-10", archived, r#"Value "ARCHIVED" does not exist in "Status" enum."#),
            ("2027-01", archived, r#"{"cards":[{"id":"gid/1"},{"id":"gid/2"}]}"#),
        ],
    );
}
