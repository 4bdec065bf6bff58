//! The Rust shape of the types of a schema. Used by the emitter, and by the engine when it reads a schema.
//!
//! An object that implements `Node` is an entity, and an object that is not a root is a value. Fields of a root are
//! resolved, except one that returns the query root, which has nothing to load. A field of an entity is resolved if it has arguments or its type contains an entity; every other field is
//! loaded with its parent.

use crate::model::{Field, Kind, Schema, Type};

/// The Rust shape of an object type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The query or mutation root: a trait that the request context implements.
    Root,
    /// It implements `Node`: a trait that a type of the model implements.
    Entity,
    /// Any other object: a struct.
    Value,
}

/// Returns the role of `ty`; `None` if it is no object.
pub fn role(schema: &Schema, ty: &Type) -> Option<Role> {
    match &ty.kind {
        Kind::Object { .. } if schema.is_root(&ty.name) => Some(Role::Root),
        Kind::Object { implements, .. } if implements.iter().any(|i| i == "Node") => Some(Role::Entity),
        Kind::Object { .. } => Some(Role::Value),
        _ => None,
    }
}

/// Returns whether a field is resolved (async and fallible) or loaded with its parent.
pub fn is_async(schema: &Schema, ty: &Type, field: &Field) -> bool {
    match role(schema, ty) {
        _ if schema.is_root(&field.ty.name) => false,
        Some(Role::Root) => true,
        Some(Role::Entity) => !field.args.is_empty() || leads_to_entity(schema, &field.ty.name),
        _ => false,
    }
}

/// Returns whether a value of the type `name` can be an entity.
fn leads_to_entity(schema: &Schema, name: &str) -> bool {
    let is_entity = |name: &str| schema.get(name).and_then(|ty| role(schema, ty)) == Some(Role::Entity);
    schema.get(name).is_some_and(|ty| schema.possible_types(ty).into_iter().any(is_entity))
}
