//! The Rust shape of the types of a schema.
//!
//! A field is *resolved* (a method, async and fallible, with its arguments) or *stored* (loaded with its parent). An object
//! with a resolved field is an entity: a trait that a type of the model implements. Every other object is a value: a struct
//! that the field which returns it fills in.
//!
//! Resolved are the fields of a root, every field with arguments, every field that the project names, every field on a cycle
//! of values (a value cannot hold data that leads back to it), and the fields of an entity whose type contains an entity. An
//! object that implements `Node` is an entity too. A field that returns the query root is never resolved: it has nothing to load.

use std::collections::BTreeSet;

use dated_graphql_schema::graph::Graph;
use dated_graphql_schema::model::{Field, Kind, Schema, Type};

/// The Rust shape of an object type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// The query or mutation root: a trait that the request context implements.
    Root,
    /// A trait that a type of the model implements.
    Entity,
    /// A struct.
    Value,
}

/// The shapes of all types of a schema.
#[derive(Clone, Debug)]
pub(super) struct Shape<'a> {
    schema: &'a Schema,
    /// The role of each type, by its index; `None` if it is no object.
    roles: Vec<Option<Role>>,
    /// The fields that the project names, each with its type.
    named: BTreeSet<(&'a str, &'a str)>,
    /// The objects, with an edge for each field of a value to every object that it can return.
    values: Graph,
}

impl<'a> Shape<'a> {
    /// Decides the shapes of a schema. `resolved` are coordinates of fields that are resolved in any case.
    pub(super) fn read(schema: &'a Schema, resolved: impl IntoIterator<Item = &'a str>) -> Self {
        let named: BTreeSet<_> = resolved.into_iter().filter_map(|coordinate| coordinate.split_once('.')).collect();
        let role = |ty: &Type| match &ty.kind {
            Kind::Object { .. } if schema.is_root(&ty.name) => Some(Role::Root),
            Kind::Object { implements, fields } => {
                let has_identity = implements.iter().any(|interface| interface == "Node");
                let is_resolved = |field: &Field| !field.args.is_empty() || named.contains(&(&*ty.name, &*field.name));
                let is_entity = has_identity || fields.iter().any(is_resolved);
                Some(if is_entity { Role::Entity } else { Role::Value })
            }
            _ => None,
        };
        let roles = schema.types.iter().map(role).collect();
        let mut shape = Self { schema, roles, named, values: Graph::new(vec![]) };
        let returned = |ty: &Type| match shape.role(&ty.name) {
            Some(Role::Value) => ty.fields().iter().flat_map(|field| shape.possible(field)).collect(),
            _ => vec![],
        };
        shape.values = Graph::new(schema.types.iter().map(returned).collect());
        for (at, ty) in schema.types.iter().enumerate() {
            if shape.roles[at] == Some(Role::Value) && ty.fields().iter().any(|field| shape.is_on_cycle(at, field)) {
                shape.roles[at] = Some(Role::Entity);
            }
        }
        shape
    }

    /// Returns the role of the type `name`; `None` if it is no object.
    pub(super) fn role(&self, name: &str) -> Option<Role> {
        self.roles[self.schema.index_of(name)?]
    }

    /// Returns whether a field is resolved.
    pub(super) fn is_resolved(&self, ty: &Type, field: &Field) -> bool {
        match self.role(&ty.name) {
            _ if self.schema.is_root(&field.ty.name) => false,
            Some(Role::Root) => true,
            Some(Role::Entity) => {
                let is_entity = |at: usize| self.roles[at] == Some(Role::Entity);
                let is_named = self.named.contains(&(&*ty.name, &*field.name));
                is_named || !field.args.is_empty() || self.possible(field).into_iter().any(is_entity)
            }
            _ => false,
        }
    }

    /// Returns whether a value of the type at `at` can contain itself through a field.
    fn is_on_cycle(&self, at: usize, field: &Field) -> bool {
        self.possible(field).into_iter().any(|to| self.values.in_cycle(at, to))
    }

    /// Returns the indices of the objects that a field can return.
    fn possible(&self, field: &Field) -> Vec<usize> {
        let schema = self.schema;
        let names = schema.get(&field.ty.name).map(|ty| schema.possible_types(ty)).unwrap_or_default();
        names.into_iter().filter_map(|name| schema.index_of(name)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the entities of a schema, and their resolved fields. The project names `A.named`.
    fn resolved(types: &str) -> (Vec<String>, Vec<String>) {
        let schema = Schema::parse("a", &format!("type Query {{ first: A query: Query }} {types}")).expect(types);
        let shape = Shape::read(&schema, ["A.named"]);
        let entities = schema.types.iter().filter(|ty| shape.role(&ty.name) == Some(Role::Entity));
        let fields = entities.clone().flat_map(|ty| {
            let resolved = ty.fields().iter().filter(|field| shape.is_resolved(ty, field));
            resolved.map(|field| format!("{}.{}", ty.name, field.name))
        });
        (entities.map(|ty| ty.name.clone()).collect(), fields.collect())
    }

    #[test]
    fn field_is_resolved_for_its_arguments_its_name_or_a_cycle() {
        for (types, entities, fields) in [
            ("type A { b: B } type B { c: Int query: Query }", vec![], vec![]),
            ("type A { b: B } type B { c(x: Int): Int d: Int }", vec!["B"], vec!["B.c"]),
            ("type A { b: B named: Int } type B { c: Int }", vec!["A"], vec!["A.named"]),
            ("type A { n: Int friends: [A!] }", vec!["A"], vec!["A.friends"]),
            (
                "type A { u: U n: Int } union U = B | C type B { a: [A!]! n: Int } type C { n: Int }",
                vec!["A", "B"],
                vec!["A.u", "B.a"],
            ),
            // The argument makes B an entity, which A need not be to end the cycle.
            ("type A { b: B } type B { a: A c(x: Int): Int }", vec!["B"], vec!["B.c"]),
            (
                "interface Node { id: ID! } type A implements Node { id: ID! b: B a: A } type B { a: [A!]! b: Int }",
                vec!["A"],
                vec!["A.a"],
            ),
        ] {
            assert_eq!(resolved(types), (strings(&entities), strings(&fields)), "{types}");
        }
    }

    fn strings(texts: &[&str]) -> Vec<String> {
        texts.iter().map(|text| (*text).to_owned()).collect()
    }
}
