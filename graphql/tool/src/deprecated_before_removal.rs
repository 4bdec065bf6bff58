//! Whether the previous version deprecated what a change removes.
//!
//! A field, an argument, an input field and an enum value have a deprecation of their own. A type has none in GraphQL: it
//! counts as deprecated when every element that refers to it is deprecated, or is removed with such a type.

use std::collections::BTreeSet;

use dated_graphql_schema::diff::{Change, Pair};
use dated_graphql_schema::model::{Input, Kind, Type};

/// Returns the reason that the previous version gave, if any; `None` if it did not deprecate the element.
pub(crate) fn reason(pair: Pair<'_>, change: &Change) -> Option<Option<String>> {
    match change.rule.id {
        "field-removed" | "argument-removed" | "input-field-removed" | "enum-value-removed" => {
            change.deprecated.clone().map(Some)
        }
        "type-removed" => references_deprecated(pair, &change.coordinate, &mut BTreeSet::new()).then_some(None),
        _ => None,
    }
}

/// Returns whether every old reference to the type `name` was deprecated, or is removed together with its type.
fn references_deprecated<'a>(pair: Pair<'a>, name: &'a str, seen: &mut BTreeSet<&'a str>) -> bool {
    if !seen.insert(name) {
        return true;
    }
    let (old, new) = (&pair.old.schema, &pair.new.schema);
    if old.is_root(name) || old.directives.iter().flat_map(|directive| &directive.args).any(|arg| arg.ty.name == name) {
        return false;
    }
    old.types.iter().filter(|ty| refers(ty, name)).all(|ty| {
        refers_only_deprecated(ty, name) || (new.get(&ty.name).is_none() && references_deprecated(pair, &ty.name, seen))
    })
}

/// Returns whether any part of a type refers to the type `name`.
fn refers(ty: &Type, name: &str) -> bool {
    let input = |input: &Input| input.ty.name == name;
    match &ty.kind {
        Kind::Object { implements, fields } | Kind::Interface { implements, fields } => {
            implements.iter().any(|interface| interface == name)
                || fields.iter().any(|field| field.ty.name == name || field.args.iter().any(input))
        }
        Kind::Union { members } => members.iter().any(|member| member == name),
        Kind::Input { fields, .. } => fields.iter().any(input),
        Kind::Scalar { .. } | Kind::Enum { .. } => false,
    }
}

/// Returns whether every part of a type that refers to the type `name` is deprecated.
fn refers_only_deprecated(ty: &Type, name: &str) -> bool {
    let input = |input: &Input| input.ty.name != name || input.deprecated.is_some();
    match &ty.kind {
        Kind::Object { implements, fields } | Kind::Interface { implements, fields } => {
            let gone = fields
                .iter()
                .all(|field| field.deprecated.is_some() || (field.ty.name != name && field.args.iter().all(input)));
            gone && !implements.iter().any(|interface| interface == name)
        }
        Kind::Input { fields, .. } => fields.iter().all(input),
        _ => false,
    }
}
