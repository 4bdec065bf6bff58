//! An object and an input that contain themselves, directly and through another, and the query root as the type of a field.

use std::borrow::Cow;

use crate::Context;
use crate::engine::{Field, FieldError, Id, Limits, Patch, Value, ask, tell};
use crate::generated::recursive_value as generated;
use crate::model::{Card, Category, Tag};
use generated::{v2026_10, v2027_01};

impl v2026_10::Card for Card {
    fn id(&self, _: &Context) -> Id {
        Id(self.id)
    }

    async fn category(&self, _: &Context) -> Result<Category, FieldError> {
        Ok(Category(format!("root/{}", self.title)))
    }
}

impl v2026_10::Category for Category {
    fn name<'a>(&'a self, _: &'a Context) -> Cow<'a, str> {
        Cow::Borrowed(self.0.rsplit('/').next().unwrap_or_default())
    }

    async fn parent(&self, _: &Context) -> Result<Option<Category>, FieldError> {
        Ok(self.0.rsplit_once('/').map(|(above, _)| Category(above.to_owned())))
    }

    async fn any(&self, _: &Context) -> Result<Option<v2026_10::Any>, FieldError> {
        Ok(Some(v2026_10::Any::Tag(Tag("root".to_owned()))))
    }
}

impl v2026_10::Tag for Tag {
    async fn category(&self, _: &Context) -> Result<Option<Category>, FieldError> {
        Ok(Some(Category(self.0.clone())))
    }
}

impl v2026_10::Query for Context {
    async fn card(&self, id: String) -> Result<Option<Card>, FieldError> {
        Ok(self.card(&id))
    }

    async fn describe(&self, filter: v2026_10::CardFilterInput) -> Result<Cow<'static, str>, FieldError> {
        Ok(described(filter).into())
    }
}

impl v2026_10::Mutation for Context {
    async fn rename(&self) -> Result<v2026_10::RenamePayload, FieldError> {
        Ok(v2026_10::RenamePayload { card: self.card("1") })
    }
}

impl v2027_01::Query for Context {
    async fn count(&self) -> Result<i32, FieldError> {
        Ok(2)
    }
}

/// Returns the text that the innermost filter looks for.
fn described(filter: v2026_10::CardFilterInput) -> String {
    let v2026_10::CardFilterInput { text, not, status } = filter;
    let status = match status {
        Patch::Value(status) => match status.card {
            Patch::Value(card) => described(*card),
            Patch::Absent | Patch::Null => String::new(),
        },
        Patch::Absent | Patch::Null => String::new(),
    };
    match (text, not) {
        (_, Patch::Value(not)) => format!("not {}{status}", described(*not)),
        (Patch::Value(text), _) => text + &status,
        _ => status,
    }
}

#[test]
fn object_that_contains_itself_is_resolved() {
    let (engines, cx) = (generated::engines(Limits), Context::new());
    let name = || Field::new("name");
    let parent = Field::new("parent").select([name(), Field::new("parent").select([name()])]);
    let any = Field::new("any").select([Field::new("category").select([name()])]);
    let category = Field::new("category").select([name(), parent, any]);
    let card = Field::new("card").with("id", Value::String("1")).select([category]);
    let answer = r#"{"card":{"category":{"name":"one","parent":{"name":"root","parent":null},"any":{"category":{"name":"root"}}}}}"#;
    assert_eq!(ask(&engines, "2026-10", &cx, card), answer);
}

#[test]
fn input_contains_itself_in_a_box() {
    let (engines, cx) = (generated::engines(Limits), Context::new());
    let text = |text| Value::Object(vec![("text", Value::String(text))]);
    let status = Value::Object(vec![("card", text("b"))]);
    let not = Value::Object(vec![("text", Value::String("a")), ("status", status)]);
    let field = Field::new("describe").with("filter", Value::Object(vec![("not", not)]));
    assert_eq!(ask(&engines, "2026-10", &cx, field), r#"{"describe":"not ab"}"#);
}

#[test]
fn field_returns_the_query_root() {
    let (engines, cx) = (generated::engines(Limits), Context::new());
    let card = || Field::new("card").with("id", Value::String("2")).select([Field::new("id")]);
    let rename = |fields: Vec<Field>| Field::new("rename").select([Field::new("query").select(fields)]);
    let answer = r#"{"rename":{"query":{"card":{"id":"gid/2"},"query":{"card":{"id":"gid/2"}}}}}"#;
    let nested = Field::new("query").select([card()]);
    assert_eq!(tell(&engines, "2026-10", &cx, rename(vec![card(), nested])), answer);
    // A field of the newer version below a payload of the older one.
    let answer = r#"{"rename":{"query":{"count":2}}}"#;
    assert_eq!(tell(&engines, "2027-01", &cx, rename(vec![Field::new("count")])), answer);
}
