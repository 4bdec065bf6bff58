//! A removed field is not selectable; the rest of its trait is reused without new code.

use std::borrow::Cow;

use engine::FieldError;

use crate::generated::field_removed as generated;
use crate::model::{Card, Id};
use crate::{Context, assert_answers};
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
    let nick_name = "{ card(id: 1) { deceased { nickName } } }";
    assert_answers(
        generated::engines,
        &[
            ("2026-10", "{ count }", r#"{"count":2}"#),
            ("2027-01", "{ count }", r#"Cannot query field "count" on type "Query"."#),
            ("2026-10", nick_name, r#"{"card":{"deceased":{"nickName":"one"}}}"#),
            ("2027-01", nick_name, r#"Cannot query field "nickName" on type "Deceased"."#),
            ("2027-01", "{ card(id: 1) { deceased { firstName } } }", r#"{"card":{"deceased":{"firstName":"one"}}}"#),
        ],
    );
}
