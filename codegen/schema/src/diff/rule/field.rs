//! Changes of a field of an object type or an interface.

use super::definition::{
    ADDED, BREAKING, DEPRECATED, DESCRIPTION_ADDED, DESCRIPTION_CHANGED, DESCRIPTION_REMOVED, REASON_CHANGED, REMOVED,
    Rule, SAFE, UNDEPRECATED,
};
use crate::diff::compatible;
use crate::diff::element::{Aspect, Compared};
use crate::parse::NO_REASON;

pub(super) const RULES: &[Rule] = &[
    Rule {
        id: "field-removed",
        summary: "A field of an object type or an interface was removed.",
        reason: "An operation that asks for the field is refused.",
        graphql_js: Some("FIELD_REMOVED"),
        inspector: &["FIELD_REMOVED"],
        ..REMOVED
    },
    Rule {
        id: "field-added",
        summary: "A field was added to an object type or an interface.",
        inspector: &["FIELD_ADDED"],
        ..ADDED
    },
    Rule {
        id: "field-type-changed",
        summary: "The type of a field changed, so that an answer can hold what it could not hold before.",
        reason: "A client reads a value that it was promised not to see: null, a list, another type.",
        graphql_js: Some("FIELD_CHANGED_KIND"),
        inspector: &["FIELD_TYPE_CHANGED"],
        help: Some(
            "add a field with the new type and another name, deprecate this one with a reason that names it, and remove this \
             one after the notice (docs/adding-a-version.md, \"Change a type\")",
        ),
        aspect: Aspect::Type,
        describe: |compared| {
            let (old, new) = compared.field()?.map(|field| &field.ty).kept()?;
            if compatible::output(old, new) { None } else { compared.type_message(old, new) }
        },
        ..BREAKING
    },
    Rule {
        id: "field-type-narrowed",
        summary: "A field can no longer be null, or hold null.",
        reason: "Every answer is one that was possible before.",
        inspector: &["FIELD_TYPE_CHANGED"],
        note: Some("graphql-js 17 calls it `FIELD_CHANGED_KIND_SAFE`."),
        aspect: Aspect::Type,
        describe: |compared| {
            let (old, new) = compared.field()?.map(|field| &field.ty).kept()?;
            if old != new && compatible::output(old, new) { compared.type_message(old, new) } else { None }
        },
        ..SAFE
    },
    Rule {
        id: "field-description-added",
        summary: "The description of a field was added.",
        inspector: &["FIELD_DESCRIPTION_ADDED"],
        ..DESCRIPTION_ADDED
    },
    Rule {
        id: "field-description-removed",
        summary: "The description of a field was removed.",
        inspector: &["FIELD_DESCRIPTION_REMOVED"],
        ..DESCRIPTION_REMOVED
    },
    Rule {
        id: "field-description-changed",
        summary: "The description of a field was changed.",
        inspector: &["FIELD_DESCRIPTION_CHANGED"],
        ..DESCRIPTION_CHANGED
    },
    Rule {
        id: "field-deprecated",
        summary: "A field was deprecated.",
        inspector: &["FIELD_DEPRECATION_ADDED"],
        ..DEPRECATED
    },
    Rule {
        id: "field-undeprecated",
        summary: "A field is no longer deprecated.",
        inspector: &["FIELD_DEPRECATION_REMOVED"],
        ..UNDEPRECATED
    },
    Rule {
        id: "field-deprecation-reason-added",
        summary: "The reason for the deprecation of a field was added.",
        inspector: &["FIELD_DEPRECATION_REASON_ADDED"],
        describe: |compared| {
            let (old, _) = reasons(compared)?;
            (old == NO_REASON).then(|| format!("`{}` says why it is deprecated from now on", compared.coordinate))
        },
        ..REASON_CHANGED
    },
    Rule {
        id: "field-deprecation-reason-removed",
        summary: "The reason for the deprecation of a field was removed.",
        inspector: &["FIELD_DEPRECATION_REASON_REMOVED"],
        describe: |compared| {
            let (_, new) = reasons(compared)?;
            (new == NO_REASON).then(|| format!("`{}` no longer says why it is deprecated", compared.coordinate))
        },
        ..REASON_CHANGED
    },
    Rule {
        id: "field-deprecation-reason-changed",
        summary: "The reason for the deprecation of a field was changed.",
        inspector: &["FIELD_DEPRECATION_REASON_CHANGED"],
        describe: |compared| {
            let (old, new) = reasons(compared)?;
            let given = old != NO_REASON && new != NO_REASON;
            given.then(|| format!("the reason for the deprecation of `{}` changed", compared.coordinate))
        },
        ..REASON_CHANGED
    },
];

/// Returns the deprecation reasons of a field that is deprecated in both schemas, where they differ.
fn reasons<'a>(compared: &Compared<'a>) -> Option<(&'a str, &'a str)> {
    let (old, new) = compared.deprecations()?.kept()?;
    old.zip(new).filter(|(old, new)| old != new)
}
