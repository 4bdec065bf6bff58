//! A version in which only descriptions changed: every item is re-exported, and nothing is implemented again.

use std::borrow::Cow;

use crate::Context;
use crate::engine::{Field, FieldError, Id, Limits, Value, ask, tell};
use crate::generated::unchanged_type as generated;
use crate::model::{Card, Theme};
use generated::{v2026_10, v2027_01};

impl v2026_10::Card for Card {
    fn id(&self, _: &Context) -> Id {
        Id(self.id)
    }

    async fn theme(&self, _: &Context) -> Result<Option<Theme>, FieldError> {
        Ok(Some(Theme { id: self.theme }))
    }

    fn deceased<'a>(&'a self, _: &'a Context) -> v2027_01::Deceased<'a> {
        v2026_10::Deceased { first_name: Some(Cow::Borrowed(&self.title)) }
    }

    fn status(&self, _: &Context) -> v2027_01::Status {
        v2026_10::Status::Draft
    }
}

impl v2026_10::Theme for Theme {
    fn id(&self, _: &Context) -> Id {
        Id(self.id)
    }

    fn title<'a>(&'a self, _: &'a Context) -> Cow<'a, str> {
        "Sea".into()
    }
}

impl v2026_10::Query for Context {
    async fn node(&self, id: String) -> Result<Option<v2027_01::Node>, FieldError> {
        Ok(self.card(&id).map(v2026_10::Node::Card))
    }

    async fn card(&self, id: String) -> Result<Option<Card>, FieldError> {
        Ok(self.card(&id))
    }
}

impl v2026_10::Mutation for Context {
    async fn card_create(&self, input: v2027_01::CardInput) -> Result<Option<v2027_01::CardPayload>, FieldError> {
        drop(input.title);
        let problem = v2026_10::Problem { message: "no".into() };
        Ok(Some(v2026_10::CardPayload { card: None, errors: vec![problem] }))
    }
}

#[test]
fn unchanged_types_answer_the_same_in_both_versions() {
    let (engines, cx) = (generated::engines(Limits), Context::new());
    for version in ["2026-10", "2027-01"] {
        let fields = || {
            let names = Field::new("deceased").select([Field::new("firstName")]);
            [Field::new("__typename"), Field::new("theme").select([Field::new("title")]), names, Field::new("status")]
        };
        let node = Field::new("node").with("id", Value::String("1")).select(fields());
        let card = Field::new("card").with("id", Value::String("1")).select(fields());
        let answer = r#"{"__typename":"Card","theme":{"title":"Sea"},"deceased":{"firstName":"one"},"status":"DRAFT"}"#;
        assert_eq!(ask(&engines, version, &cx, node), format!(r#"{{"node":{answer}}}"#));
        assert_eq!(ask(&engines, version, &cx, card), format!(r#"{{"card":{answer}}}"#));
        let errors = [Field::new("card"), Field::new("errors").select([Field::new("message")])];
        let create = Field::new("cardCreate").with("input", Value::Object(vec![])).select(errors);
        let answer = r#"{"cardCreate":{"card":null,"errors":[{"message":"no"}]}}"#;
        assert_eq!(tell(&engines, version, &cx, create), answer);
    }
}
