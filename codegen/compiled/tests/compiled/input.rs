//! Inputs: an optional field has three states, a field with a default two, a required field one.

use std::borrow::Cow;

use crate::Context;
use crate::engine::{Field, FieldError, Limits, Patch, Value, ask};
use crate::generated::input as generated;
use generated::{v2026_10, v2027_01};

impl v2026_10::Query for Context {
    async fn describe(
        &self,
        input: v2026_10::CardInput,
        _: Option<v2026_10::FilterInput>,
        _: Option<v2026_10::PageInput>,
    ) -> Result<Cow<'static, str>, FieldError> {
        let v2026_10::CardInput { title, note, format, copies, tags, .. } = input;
        Ok(format!("{title} {note:?} {format:?} {copies} {tags:?}").into())
    }
}

impl v2027_01::Query for Context {
    async fn describe(
        &self,
        input: v2027_01::CardInput,
        filter: Option<v2027_01::FilterInput>,
        page: Option<v2027_01::PageInput>,
    ) -> Result<Cow<'static, str>, FieldError> {
        // The filter and the format did not change, so both versions have the same types.
        let _: Option<v2026_10::FilterInput> = filter;
        let _: Option<v2026_10::Format> = input.format;
        let _: Option<i32> = page.and_then(|page| page.size);
        let place = match input.deceased {
            Patch::Value(deceased) => deceased.place_of_birth,
            Patch::Absent | Patch::Null => Patch::Absent,
        };
        Ok(format!("{place:?}").into())
    }
}

#[test]
fn input_has_as_many_states_as_its_field_allows() {
    let (engines, cx) = (generated::engines(Limits), Context::new());
    let describe = |fields: Vec<(&'static str, Value)>| {
        let input = [("title", Value::String("t")), ("copies", Value::Int(1)), ("format", Value::Enum("SHORT"))];
        Field::new("describe").with("input", Value::Object(input.into_iter().chain(fields).collect()))
    };
    let answer = |field| ask(&engines, "2026-10", &cx, field);
    assert_eq!(answer(describe(vec![])), r#"{"describe":"t Absent Some(Short) 1 Absent"}"#);
    let null = describe(vec![("note", Value::Null), ("tags", Value::List(vec![]))]);
    assert_eq!(answer(null), r#"{"describe":"t Null Some(Short) 1 Value([])"}"#);
    let place = Value::Object(vec![("placeOfBirth", Value::Null)]);
    assert_eq!(ask(&engines, "2027-01", &cx, describe(vec![("deceased", place)])), r#"{"describe":"Null"}"#);
}
