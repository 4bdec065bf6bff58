//! An enum with an added value is a new type; the older version keeps its own values.

use std::borrow::Cow;

use crate::Context;
use crate::engine::{Field, FieldError, Id, Limits, Value, ask};
use crate::generated::enum_value_added as generated;
use crate::model::Card;
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
    let (engines, cx) = (generated::engines(Limits), Context::new());
    let node = || Field::new("node").with("id", Value::String("2")).select([Field::new("status")]);
    assert_eq!(ask(&engines, "2026-10", &cx, node()), r#"{"node":{"status":"ACTIVE"}}"#);
    assert_eq!(ask(&engines, "2027-01", &cx, node()), r#"{"node":{"status":"ARCHIVED"}}"#);
    let cards = Field::new("cards").with("status", Value::Enum("ARCHIVED")).select([Field::new("id")]);
    assert_eq!(ask(&engines, "2027-01", &cx, cards), r#"{"cards":[{"id":"gid/1"},{"id":"gid/2"}]}"#);
}
