//! Whether the version before said that something would go.
//!
//! A field, an argument, an input field or an enum value says so by its own deprecation. A type cannot be deprecated in
//! GraphQL: it is announced when everything that led to it was, or went with a type that was.

use std::collections::BTreeSet;

use crate::diff::{Change, Pair};
use crate::model::{Input, Kind, Type};

/// `None` when it was not announced; otherwise the reason that the version before gave, where it gave one.
pub(super) fn announced(pair: Pair<'_>, change: &Change) -> Option<Option<String>> {
    match change.rule.id {
        "field-removed" | "argument-removed" | "input-field-removed" | "enum-value-removed" => {
            change.deprecated.clone().map(Some)
        }
        "type-removed" | "built-in-scalar-removed" => {
            everything_led_away(pair, &change.coordinate, &mut BTreeSet::new()).then_some(None)
        }
        _ => None,
    }
}

/// Whether everything of the old schema that led to the type called `name` was deprecated, or goes with its own type.
fn everything_led_away<'a>(pair: Pair<'a>, name: &'a str, seen: &mut BTreeSet<&'a str>) -> bool {
    if !seen.insert(name) {
        return true;
    }
    let (old, new) = (&pair.old.schema, &pair.new.schema);
    if old.is_root(name) || old.directives.iter().flat_map(|directive| &directive.args).any(|arg| arg.ty.name == name) {
        return false;
    }
    old.types.iter().filter(|ty| leads(ty, name)).all(|ty| {
        leads_by_deprecated_alone(ty, name)
            || (new.get(&ty.name).is_none() && everything_led_away(pair, &ty.name, seen))
    })
}

/// Whether anything of a type leads to the type called `name`.
fn leads(ty: &Type, name: &str) -> bool {
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

/// Whether whatever of a type leads to the type called `name` was deprecated.
fn leads_by_deprecated_alone(ty: &Type, name: &str) -> bool {
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
