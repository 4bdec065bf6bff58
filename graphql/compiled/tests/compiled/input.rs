//! Inputs: an optional field has three states, a field with a default two, a required field one.

use std::borrow::Cow;

use dated_graphql::{FieldError, Patch};

use crate::generated::input as generated;
use crate::{Context, assert_answers};
use generated::{v2026_10, v2027_01};

impl v2026_10::Query for Context {
    async fn describe(
        &self,
        input: v2026_10::BookInput,
        filter: Option<v2026_10::FilterInput>,
        page: Option<v2026_10::PageInput>,
    ) -> Result<Cow<'static, str>, FieldError> {
        let v2026_10::BookInput { title, note, format, copies, author, tags, inner } = input;
        let people = match author {
            // `birthPlace` is new in 2027-01, which shares the input.
            Patch::Value(v2026_10::AuthorInput { first_name, nick_name, birth_place: Patch::Absent }) => {
                vec![first_name, nick_name]
            }
            Patch::Value(_) => panic!("2026-10 has no birthPlace"),
            Patch::Absent | Patch::Null => vec![],
        };
        let searched = (filter.map(|filter| filter.text), page.map(|page| page.size));
        assert_eq!((people, inner_count(inner), searched), (vec![], 0, (None, None)));
        Ok(format!("{title} {note:?} {format:?} {copies} {tags:?}").into())
    }
}

impl v2027_01::Query for Context {
    async fn describe(
        &self,
        input: v2027_01::BookInput,
        filter: Option<v2027_01::FilterInput>,
        page: Option<v2027_01::PageInput>,
    ) -> Result<Cow<'static, str>, FieldError> {
        // The filter and the format did not change, so both versions have the same types.
        let _: Option<v2026_10::FilterInput> = filter;
        let v2027_01::BookInput { title, note, format, copies, author, tags, inner } = input;
        let _: Option<v2026_10::Format> = format;
        let _: Option<i32> = page.and_then(|page| page.size);
        assert_eq!((&*title, note, copies, tags, inner_count(inner)), ("t", Patch::Absent, 1, Patch::Absent, 0));
        let place = match author {
            Patch::Value(v2027_01::AuthorInput { first_name, birth_place, nick_name }) => {
                assert_eq!((first_name, nick_name), (Patch::Absent, Patch::Absent));
                birth_place
            }
            Patch::Absent | Patch::Null => Patch::Absent,
        };
        Ok(format!("{place:?}").into())
    }
}

fn inner_count<T>(inner: Patch<Vec<T>>) -> usize {
    match inner {
        Patch::Value(inner) => inner.len(),
        Patch::Absent | Patch::Null => 0,
    }
}

#[test]
fn input_has_as_many_states_as_its_field_allows() {
    let place = r#"{ describe(input: { title: "t", author: { birthPlace: null } }) }"#;
    assert_answers(
        generated::engines,
        &[
            ("2026-10", r#"{ describe(input: { title: "t" }) }"#, r#"{"describe":"t Absent Some(Short) 1 Absent"}"#),
            (
                "2026-10",
                r#"{ describe(input: { title: "t", note: null, format: null, tags: [] }) }"#,
                r#"{"describe":"t Null None 1 Value([])"}"#,
            ),
            ("2027-01", place, r#"{"describe":"Null"}"#),
        ],
    );
}

/// Compiles the generated inputs of this case alone, with a function that drops one of the fields.
#[test]
fn compiler_warns_of_an_input_field_that_no_code_reads() {
    let generated = include_str!(concat!(env!("OUT_DIR"), "/input/v2026_10.rs"));
    let start = generated.find("#[warn(dead_code)]\n#[derive(Clone, Debug)]\npub struct FilterInput").unwrap();
    let item = &generated[start..start + generated[start..].find("\n}").unwrap() + 2];
    let compile = |reads: &str| {
        let file = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("input_field.rs");
        let parse = "pub fn parse() -> FilterInput { FilterInput { text: None } }";
        let used = format!("pub fn used(input: FilterInput) -> bool {{ {reads} }}");
        std::fs::write(&file, format!("type Patch<T> = Option<T>;\n{item}\n{parse}\n{used}\n")).unwrap();
        let mut rustc = std::process::Command::new("rustc");
        let flags = ["--crate-type", "lib", "--edition", "2024", "--emit", "metadata", "--out-dir"];
        let done = rustc.args(flags).arg(env!("CARGO_TARGET_TMPDIR")).arg(&file).output().unwrap();
        assert!(done.status.success(), "{done:?}");
        String::from_utf8(done.stderr).unwrap()
    };
    const WARNING: &str = "warning: field `text` is never read";
    let warnings = compile("input.text.is_some()");
    assert!(!warnings.contains(WARNING), "{warnings}");
    let warnings = compile("let FilterInput { .. } = input; true");
    assert!(warnings.contains(WARNING), "{warnings}");
}
