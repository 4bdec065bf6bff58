//! Changes of a named type: its kind, its description, its interfaces, its members.

use super::definition::{
    ADDED, BREAKING, DANGEROUS, DESCRIPTION_ADDED, DESCRIPTION_CHANGED, DESCRIPTION_REMOVED, REMOVED, Rule, SAFE,
};
use crate::diff::element::{Compared, Element, Pairing};
use crate::model::{Kind, Type};

pub(super) const RULES: &[Rule] = &[
    Rule {
        id: "type-removed",
        summary: "A type was removed.",
        reason: "An operation that names the type, or reaches it, is refused.",
        graphql_js: Some("TYPE_REMOVED"),
        inspector: &["TYPE_REMOVED"],
        ..REMOVED
    },
    Rule { id: "type-added", summary: "A type was added.", inspector: &["TYPE_ADDED"], ..ADDED },
    Rule {
        id: "type-kind-changed",
        summary: "A type is of another kind, such as an enum that was a scalar.",
        reason: "What may be selected below it, or sent for it, is something else altogether.",
        graphql_js: Some("TYPE_CHANGED_KIND"),
        inspector: &["TYPE_KIND_CHANGED"],
        describe: |compared| {
            let (was, is) = compared.ty()?.map(with_article).kept()?;
            (was != is).then(|| format!("`{}` was {was} and is {is}", compared.coordinate))
        },
        ..BREAKING
    },
    Rule {
        id: "built-in-scalar-removed",
        summary: "A scalar of the specification is not used any more.",
        reason: "A variable of that type is refused, because introspection no longer has it.",
        graphql_js: Some("TYPE_REMOVED"),
        note: Some(
            "graphql-js calls this the removal of a type; it has a rule of its own here, so that it can be waived \
             apart.",
        ),
        describe: |compared| {
            let Element::BuiltIn(Pairing::Removed(name)) = compared.element else { return None };
            Some(format!("scalar `{name}` is not used any more"))
        },
        ..BREAKING
    },
    Rule {
        id: "built-in-scalar-added",
        summary: "A scalar of the specification is used for the first time.",
        describe: |compared| {
            let Element::BuiltIn(Pairing::Added(name)) = compared.element else { return None };
            Some(format!("scalar `{name}` is used for the first time"))
        },
        ..SAFE
    },
    Rule {
        id: "type-description-added",
        summary: "The description of a type was added.",
        inspector: &["TYPE_DESCRIPTION_ADDED"],
        ..DESCRIPTION_ADDED
    },
    Rule {
        id: "type-description-removed",
        summary: "The description of a type was removed.",
        inspector: &["TYPE_DESCRIPTION_REMOVED"],
        ..DESCRIPTION_REMOVED
    },
    Rule {
        id: "type-description-changed",
        summary: "The description of a type was changed.",
        inspector: &["TYPE_DESCRIPTION_CHANGED"],
        ..DESCRIPTION_CHANGED
    },
    Rule {
        id: "scalar-specification-changed",
        summary: "The address of a scalar's specification (`@specifiedBy`) was added, removed or changed.",
        reason: "A value that was right may be wrong now, or be written in another way.",
        inspector: &[
            "DIRECTIVE_USAGE_SCALAR_ADDED",
            "DIRECTIVE_USAGE_SCALAR_REMOVED",
            "DIRECTIVE_USAGE_ARGUMENT_ADDED",
            "DIRECTIVE_USAGE_ARGUMENT_REMOVED",
        ],
        note: Some("graphql-js does not look at it; graphql-inspector sees the use of a directive."),
        describe: |compared| {
            let kinds = compared.ty()?.map(|ty| &ty.kind).kept()?;
            let (Kind::Scalar { specified_by: old }, Kind::Scalar { specified_by: new }) = kinds else { return None };
            (old != new).then(|| format!("the specification of scalar `{}` changed", compared.coordinate))
        },
        ..DANGEROUS
    },
    Rule {
        id: "one-of-added",
        summary: "An input became `@oneOf`: exactly one of its fields may be sent.",
        reason: "A request that sends two of its fields, or none, is refused.",
        inspector: &["DIRECTIVE_USAGE_INPUT_OBJECT_ADDED"],
        note: Some("graphql-js 16 does not look at it; graphql-inspector calls it breaking as well."),
        describe: |compared| {
            let one_of = one_of(compared)?;
            (one_of == (false, true)).then(|| format!("input `{}` became `@oneOf`", compared.coordinate))
        },
        ..BREAKING
    },
    Rule {
        id: "one-of-removed",
        summary: "An input is no longer `@oneOf`.",
        reason: "Every value that was right still is.",
        inspector: &["DIRECTIVE_USAGE_INPUT_OBJECT_REMOVED"],
        describe: |compared| {
            let one_of = one_of(compared)?;
            (one_of == (true, false)).then(|| format!("input `{}` is no longer `@oneOf`", compared.coordinate))
        },
        ..SAFE
    },
    Rule {
        id: "implemented-interface-removed",
        summary: "A type no longer implements an interface.",
        reason: "A fragment on the interface no longer applies, and a field of the interface can no longer hold the \
                 type.",
        graphql_js: Some("IMPLEMENTED_INTERFACE_REMOVED"),
        inspector: &["OBJECT_TYPE_INTERFACE_REMOVED"],
        describe: |compared| {
            let Element::Implements(Pairing::Removed(name)) = compared.element else { return None };
            Some(format!("`{}` no longer implements `{name}`", compared.coordinate))
        },
        ..BREAKING
    },
    Rule {
        id: "implemented-interface-added",
        summary: "A type implements one more interface.",
        reason: "A field of the interface can hold a type that a client does not know there.",
        graphql_js: Some("IMPLEMENTED_INTERFACE_ADDED"),
        inspector: &["OBJECT_TYPE_INTERFACE_ADDED"],
        describe: |compared| {
            let Element::Implements(Pairing::Added(name)) = compared.element else { return None };
            Some(format!("`{}` implements `{name}` from now on", compared.coordinate))
        },
        ..DANGEROUS
    },
    Rule {
        id: "union-member-removed",
        summary: "A union lost a member.",
        reason: "A fragment on the member is refused.",
        graphql_js: Some("TYPE_REMOVED_FROM_UNION"),
        inspector: &["UNION_MEMBER_REMOVED"],
        describe: |compared| {
            let Element::Member(Pairing::Removed(name)) = compared.element else { return None };
            Some(format!("`{name}` was removed from union `{}`", compared.coordinate))
        },
        ..BREAKING
    },
    Rule {
        id: "union-member-added",
        summary: "A union has one more member.",
        reason: "An answer can hold a type that a client does not know there.",
        graphql_js: Some("TYPE_ADDED_TO_UNION"),
        inspector: &["UNION_MEMBER_ADDED"],
        describe: |compared| {
            let Element::Member(Pairing::Added(name)) = compared.element else { return None };
            Some(format!("`{name}` was added to union `{}`", compared.coordinate))
        },
        ..DANGEROUS
    },
];

/// Returns whether an input is `@oneOf`, in the old schema and in the new one.
fn one_of(compared: &Compared<'_>) -> Option<(bool, bool)> {
    match compared.ty()?.map(|ty| &ty.kind).kept()? {
        (Kind::Input { one_of: old, .. }, Kind::Input { one_of: new, .. }) => Some((*old, *new)),
        _ => None,
    }
}

fn with_article(ty: &Type) -> &'static str {
    match ty.kind {
        Kind::Scalar { .. } => "a scalar",
        Kind::Object { .. } => "an object type",
        Kind::Interface { .. } => "an interface",
        Kind::Union { .. } => "a union",
        Kind::Enum { .. } => "an enum",
        Kind::Input { .. } => "an input",
    }
}
