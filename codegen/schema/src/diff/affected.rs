//! Which elements of the old schema a change affects: those whose use breaks.
//!
//! It is not always the changed element. A new required argument has no use yet, and every use of its field breaks; an enum
//! value that is only received is counted at the fields that return it.

use super::{Change, Pair};
use crate::coordinate;
use crate::model::{Kind, Schema, Type};

/// Returns the coordinates of the old schema whose use a change affects, in document order.
pub fn affected(pair: Pair<'_>, change: &Change) -> Vec<String> {
    let old = &pair.old.schema;
    let at = &change.coordinate;
    let parent = || coordinate::parent(at).unwrap_or(at).to_owned();
    match change.rule.id {
        // Who leaves it out breaks too.
        "required-argument-added"
        | "argument-made-required"
        | "argument-type-changed"
        | "argument-default-added"
        | "argument-default-changed"
        | "argument-default-removed"
        | "optional-argument-added"
        | "required-input-field-added"
        | "input-field-made-required"
        | "input-field-type-changed"
        | "input-field-default-added"
        | "input-field-default-changed"
        | "input-field-default-removed"
        | "optional-input-field-added" => vec![parent()],
        "enum-value-added" => fields_of(old, &parent()),
        "union-member-added" => fields_of(old, at),
        "enum-value-removed" | "output-enum-value-removed" => [vec![at.clone()], fields_of(old, &parent())].concat(),
        "type-removed" | "type-kind-changed" | "union-member-removed" | "implemented-interface-removed" => {
            [vec![at.clone()], fields_of(old, at)].concat()
        }
        _ => vec![at.clone()],
    }
}

/// Returns the fields that return this type.
fn fields_of(schema: &Schema, type_name: &str) -> Vec<String> {
    let output = |ty: &&Type| matches!(ty.kind, Kind::Object { .. } | Kind::Interface { .. });
    let fields = schema.types.iter().filter(output).flat_map(|ty| ty.fields().iter().map(move |field| (ty, field)));
    let returning = fields.filter(|(_, field)| field.ty.name == type_name);
    returning.map(|(ty, field)| coordinate::member(&ty.name, &field.name)).collect()
}
