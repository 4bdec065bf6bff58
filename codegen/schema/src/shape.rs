//! How the types of a schema look in Rust, decided by the schema alone; used by the emitter, and by the engine at start.
//!
//! An object that implements `Node` is an entity, a root is a root, any other object is a value (design, section 2).
//! A field of a root is resolved; a field of an entity is resolved when it has arguments or leads to an entity; every
//! other field is loaded with its parent.

use crate::model::{Field, Kind, Schema, Type};

/// What an object type is in Rust.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The query or mutation root: a trait over the context of the request.
    Root,
    /// It has an identity (implements `Node`): a trait over a type of the model.
    Entity,
    /// It has none: a struct.
    Value,
}

/// The role of `ty`; `None` when it is no object.
pub fn role(schema: &Schema, ty: &Type) -> Option<Role> {
    match &ty.kind {
        Kind::Object { .. } if schema.is_root(&ty.name) => Some(Role::Root),
        Kind::Object { implements, .. } if implements.iter().any(|i| i == "Node") => Some(Role::Entity),
        Kind::Object { .. } => Some(Role::Value),
        _ => None,
    }
}

/// Whether a field is resolved (it waits and can fail) or loaded with its parent.
pub fn resolved(schema: &Schema, ty: &Type, field: &Field) -> bool {
    match role(schema, ty) {
        Some(Role::Root) => true,
        Some(Role::Entity) => !field.args.is_empty() || leads_to_entity(schema, &field.ty.name),
        _ => false,
    }
}

/// Whether a value of the type called `name` can be an entity.
fn leads_to_entity(schema: &Schema, name: &str) -> bool {
    let is_entity = |name: &str| schema.get(name).and_then(|ty| role(schema, ty)) == Some(Role::Entity);
    schema.get(name).is_some_and(|ty| schema.possible_types(ty).into_iter().any(is_entity))
}
