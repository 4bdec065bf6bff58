//! Every root field has a question about a foreign object in `conformance/access`.

use std::collections::BTreeSet;

use crate::access::QUESTIONS;
use crate::schema::{fields_of, versions};

#[test]
fn root_field_of_every_version_is_asked_about_a_foreign_object() {
    let asked: BTreeSet<_> = QUESTIONS.iter().map(|question| question.field.to_owned()).collect();
    let mut published = BTreeSet::new();
    for (_, sdl) in versions() {
        published.extend(fields_of(&sdl, "Query"));
        published.extend(fields_of(&sdl, "Mutation"));
    }
    assert_eq!(asked, published, "conformance/access/root_field.rs asks about every root field and no other");
}
