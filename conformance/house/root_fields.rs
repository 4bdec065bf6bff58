//! No root field without its question to a stranger (house style, "Coverage of promises").

use std::collections::BTreeSet;

use crate::access::QUESTIONS;
use crate::schema::fields_of;

/// The SDL of every version.
const SCHEMAS: [&str; 1] = [include_str!("../../schema/2026-10.graphql")];

#[test]
fn root_field_of_every_version_is_asked_about_a_foreign_object() {
    let asked: BTreeSet<_> = QUESTIONS.iter().map(|question| question.field.to_owned()).collect();
    let mut published = BTreeSet::new();
    for sdl in SCHEMAS {
        published.extend(fields_of(sdl, "Query"));
        published.extend(fields_of(sdl, "Mutation"));
    }
    assert_eq!(asked, published, "conformance/access/root_field.rs asks about every root field and no other");
}
