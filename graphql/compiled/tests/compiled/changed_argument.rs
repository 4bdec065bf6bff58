//! A field with changed arguments has a new method; the rest of its trait is reused.

use std::borrow::Cow;

use engine::FieldError;

use crate::generated::changed_argument as generated;
use crate::model::{Card, Id};
use crate::{Context, assert_answers};
use generated::{v2026_10, v2027_01};

impl v2026_10::Card for Card {
    fn id(&self, _: &Context) -> Id {
        Id(self.id)
    }

    async fn photos(&self, _: &Context, first: i32) -> Result<Vec<Cow<'static, str>>, FieldError> {
        Ok((0..first).map(|at| format!("{at}.jpeg").into()).collect())
    }

    fn title<'a>(&'a self, _: &'a Context) -> Option<Cow<'a, str>> {
        Some(Cow::Borrowed(&self.title))
    }
}

impl v2027_01::Card for Card {
    async fn photos(
        &self,
        _: &Context,
        first: i32,
        square: Option<bool>,
    ) -> Result<Vec<Cow<'static, str>>, FieldError> {
        let shape = if square == Some(true) { "square" } else { "any" };
        Ok((0..first).map(|at| format!("{at}-{shape}.jpeg").into()).collect())
    }
}

impl v2026_10::Query for Context {
    async fn card(&self, id: String) -> Result<Option<Card>, FieldError> {
        Ok(self.card(&id))
    }

    async fn cards(&self, first: Option<i32>) -> Result<Vec<Card>, FieldError> {
        Ok(self.cards.iter().take(first.unwrap_or_default() as usize).cloned().collect())
    }
}

impl v2027_01::Query for Context {
    async fn card(&self, id: String, archived: bool) -> Result<Option<Card>, FieldError> {
        Ok(self.card(&id).filter(|_| !archived))
    }
}

#[test]
fn changed_argument_reaches_the_resolver_of_its_version() {
    let square = "{ card(id: 1, archived: false) { photos(first: 1, square: true) } }";
    assert_answers(
        generated::engines,
        &[
            ("2026-10", "{ card(id: 1) { photos(first: 1) } }", r#"{"card":{"photos":["0.jpeg"]}}"#),
            ("2027-01", square, r#"{"card":{"photos":["0-square.jpeg"]}}"#),
            ("2027-01", "{ card(id: 1, archived: true) { id } }", r#"{"card":null}"#),
            ("2027-01", "{ cards(first: 1) { title } }", r#"{"cards":[{"title":"one"}]}"#),
        ],
    );
}
