//! What `cargo schema skeleton` prints compiles, in every version: this module includes it.

// Nothing is written where a skeleton says `todo!()`.
#![allow(unused_variables, unreachable_code, clippy::diverging_sub_expression, clippy::todo)]

pub mod model {
    #[derive(Clone, Debug)]
    pub struct Book;

    #[derive(Clone, Copy)]
    pub enum Shade {
        Light,
        VeryDark,
    }

    #[derive(Clone, Copy)]
    pub enum Tone {
        Warm,
    }

    pub struct BookInput;
}

mod first {
    include!(concat!(env!("OUT_DIR"), "/skeleton/skeletons_2026-10.rs"));
}

mod second {
    include!(concat!(env!("OUT_DIR"), "/skeleton/skeletons_2027-01.rs"));
}

#[test]
fn skeleton_has_what_the_version_adds() {
    let text = include_str!(concat!(env!("OUT_DIR"), "/skeleton/skeletons_2027-01.rs"));
    for part in [
        "impl v2027_01::Book for model::Book {",
        "fn views(&self, cx: &Context) -> i32 {",
        "impl From<model::Tone> for v2027_01::Tone {",
        "impl From<v2027_01::Tone> for model::Tone {",
        "model::Tone::Warm => Self::Warm,",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
    // The first version has the trait with `title`, and shares the input, which gained fields.
    assert!(!text.contains("fn title") && !text.contains("BookInput") && !text.contains("fn change"), "{text}");
}
