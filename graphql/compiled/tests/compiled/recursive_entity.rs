//! An entity that contains itself directly, in a list, through an interface, and through a value.

use std::borrow::Cow;

use crate::Context;
use crate::engine::{Field, FieldError, Id, Limits, Value, ask};
use crate::generated::recursive_entity as generated;
use crate::model::{Card, Family};
use generated::{v2026_10, v2027_01};

impl v2026_10::Card for Card {
    fn id(&self, _: &Context) -> Id {
        Id(self.id)
    }

    async fn related(&self, cx: &Context) -> Result<Option<Card>, FieldError> {
        Ok(cx.card(if self.id == 1 { "2" } else { "1" }))
    }

    async fn family(&self, _: &Context) -> Result<Family, FieldError> {
        Ok(Family { name: self.title.clone(), has_branches: true })
    }

    async fn all(&self, cx: &Context) -> Result<Vec<Card>, FieldError> {
        Ok(cx.cards.clone())
    }

    async fn any(&self, cx: &Context) -> Result<Option<v2026_10::Node>, FieldError> {
        Ok(cx.card("2").map(v2026_10::Node::Card))
    }
}

impl v2026_10::Family for Family {
    fn name<'a>(&'a self, _: &'a Context) -> Cow<'a, str> {
        Cow::Borrowed(&self.name)
    }

    async fn members(&self, cx: &Context) -> Result<Vec<Card>, FieldError> {
        Ok(cx.cards.clone())
    }

    async fn branches(&self, _: &Context) -> Result<Vec<Family>, FieldError> {
        Ok(if self.has_branches { vec![Family { has_branches: false, ..self.clone() }] } else { vec![] })
    }
}

impl v2027_01::Card for Card {
    async fn twin(&self, _: &Context) -> Result<Option<Card>, FieldError> {
        Ok(Some(self.clone()))
    }
}

impl v2026_10::Query for Context {
    async fn card(&self, id: String) -> Result<Option<Card>, FieldError> {
        Ok(self.card(&id))
    }
}

#[test]
fn recursive_entity_is_answered_at_any_depth() {
    let (engines, cx) = (generated::engines(Limits), Context::new());
    let id = || Field::new("id");
    let card = |field: Field| Field::new("card").with("id", Value::String("1")).select([field]);
    let deep = Field::new("related").select([Field::new("related").select([Field::new("all").select([id()])])]);
    let answer = r#"{"card":{"related":{"related":{"all":[{"id":"gid/1"},{"id":"gid/2"}]}}}}"#;
    assert_eq!(ask(&engines, "2026-10", &cx, card(deep)), answer);
    let branches = Field::new("branches").select([Field::new("name"), Field::new("members").select([id()])]);
    let answer = r#"{"card":{"family":{"branches":[{"name":"one","members":[{"id":"gid/1"},{"id":"gid/2"}]}]}}}"#;
    assert_eq!(ask(&engines, "2026-10", &cx, card(Field::new("family").select([branches]))), answer);
    // A field of the second version below fields of the first.
    let twin = Field::new("any").select([Field::new("twin").select([Field::new("related").select([id()])])]);
    let answer = r#"{"card":{"any":{"twin":{"related":{"id":"gid/1"}}}}}"#;
    assert_eq!(ask(&engines, "2027-01", &cx, card(twin)), answer);
}
