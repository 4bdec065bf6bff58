//! Which elements of the old schema a change affects: those whose use breaks.
//!
//! It is not always the changed element. A new required argument has no use yet, and every use of its field breaks; an enum
//! value that is only received is counted at the fields that return it.

use super::{Change, Pair};
use crate::coordinate;
use crate::model::{Field, Schema, Type};

/// Returns the coordinates of the old schema whose use a change affects, in document order.
pub fn affected(pair: Pair<'_>, change: &Change) -> Vec<String> {
    let old = &pair.old.schema;
    let at = &change.coordinate;
    let parent = || coordinate::parent(at).unwrap_or(at).to_owned();
    match change.rule.id {
        "enum-value-added" => fields_of(old, &parent()),
        "union-member-added" => fields_of(old, at),
        "enum-value-removed" => [vec![at.clone()], fields_of(old, &parent())].concat(),
        "type-removed" | "type-kind-changed" | "union-member-removed" | "implemented-interface-removed" => {
            [vec![at.clone()], fields_of(old, at)].concat()
        }
        // Who leaves the value out breaks too.
        id if !id.ends_with("-removed") && (id.contains("argument-") || id.contains("input-field-")) => vec![parent()],
        _ => vec![at.clone()],
    }
}

/// Returns the fields that return this type.
fn fields_of(schema: &Schema, type_name: &str) -> Vec<String> {
    let of_type = |ty: &Type| -> Vec<String> {
        let returning = |field: &&Field| field.ty.name == type_name;
        ty.fields().iter().filter(returning).map(|field| coordinate::member(&ty.name, &field.name)).collect()
    };
    schema.types.iter().flat_map(of_type).collect()
}
