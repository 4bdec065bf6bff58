//! A removed field is not selectable; the rest of its trait is reused without new code.

use std::borrow::Cow;

use crate::Context;
use crate::engine::{Field, FieldError, Id, Limits, Value, ask};
use crate::generated::field_removed as generated;
use crate::model::Card;
use generated::{v2026_10, v2027_01};

impl v2026_10::Card for Card {
    fn id(&self, _: &Context) -> Id {
        Id(self.id)
    }

    fn title<'a>(&'a self, _: &'a Context) -> Option<Cow<'a, str>> {
        Some(Cow::Borrowed(&self.title))
    }

    fn deceased<'a>(&'a self, _: &'a Context) -> v2026_10::Deceased<'a> {
        v2026_10::Deceased { first_name: None, nick_name: Some(Cow::Borrowed(&self.title)) }
    }
}

impl v2027_01::Card for Card {
    fn deceased<'a>(&'a self, _: &'a Context) -> v2027_01::Deceased<'a> {
        v2027_01::Deceased { first_name: Some(Cow::Borrowed(&self.title)) }
    }
}

// `Query` only lost a field, so the trait of the first version serves both.
impl v2027_01::Query for Context {
    async fn card(&self, id: String) -> Result<Option<Card>, FieldError> {
        Ok(self.card(&id))
    }

    async fn count(&self) -> Result<i32, FieldError> {
        Ok(self.cards.len() as i32)
    }
}

#[test]
fn removed_field_is_answered_only_before() {
    let (engines, cx) = (generated::engines(Limits), Context::new());
    assert_eq!(ask(&engines, "2026-10", &cx, Field::new("count")), r#"{"count":2}"#);
    let deceased = |name| {
        let deceased = Field::new("deceased").select([Field::new(name)]);
        Field::new("card").with("id", Value::String("1")).select([deceased])
    };
    let answer = r#"{"card":{"deceased":{"nickName":"one"}}}"#;
    assert_eq!(ask(&engines, "2026-10", &cx, deceased("nickName")), answer);
    let answer = r#"{"card":{"deceased":{"firstName":"one"}}}"#;
    assert_eq!(ask(&engines, "2027-01", &cx, deceased("firstName")), answer);
}

#[test]
#[should_panic(expected = "Query has no field count")]
fn removed_field_has_no_dispatch_afterwards() {
    ask(&generated::engines(Limits), "2027-01", &Context::new(), Field::new("count"));
}
