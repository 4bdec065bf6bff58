//! A version in which only descriptions changed: every item is re-exported, and nothing is implemented again.

use std::borrow::Cow;

use engine::FieldError;

use crate::generated::unchanged_type as generated;
use crate::model::{Card, Id, Theme};
use crate::{Context, assert_answers};
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
    let fields = "__typename theme { title } deceased { firstName } status";
    let card = r#"{"__typename":"Card","theme":{"title":"Sea"},"deceased":{"firstName":"one"},"status":"DRAFT"}"#;
    for version in ["2026-10", "2027-01"] {
        assert_answers(
            generated::engines,
            &[
                (
                    version,
                    &format!("{{ node(id: 1) {{ ... on Card {{ {fields} }} }} card(id: 1) {{ {fields} }} }}"),
                    &format!(r#"{{"node":{card},"card":{card}}}"#),
                ),
                (
                    version,
                    "mutation { cardCreate(input: {}) { card { id } errors { message } } }",
                    r#"{"cardCreate":{"card":null,"errors":[{"message":"no"}]}}"#,
                ),
            ],
        );
    }
}
