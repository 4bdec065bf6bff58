//! Lets versions share a struct or an input that only gains fields.
//!
//! A request of an older version can neither select nor send a field that a newer version adds, so one Rust struct serves both. The
//! older schema is emitted as if it had the fields: the newer version then re-exports its struct, and resolvers that take or
//! return it, or what contains it, stay as they are. Where code fills in the struct, the compiler asks for the new field; a new
//! field of an input is absent in requests of older versions.
//!
//! For example, `Mass { kg }` gains `stones`. The `Mass` of the first version has both, `Rocket { mass: Mass }` is equal in both
//! versions, and the resolver of `Query.rocket` is written once.
//!
//! A type does not grow if it leads to one that differs in another way.

use std::collections::BTreeSet;

use dated_graphql_schema::model::{Field, Input, Kind, Schema, Type};
use dated_graphql_schema::walk;

use super::names::RustPaths;
use super::shape::{Role, Shape};
use super::spelling::Spelling;
use super::version::Version;

/// Adds to each schema the fields that structs gain in newer ones. `schemas` are oldest first.
pub(super) fn grow(schemas: &[Schema], names: &RustPaths, spelling: &Spelling) -> Vec<Schema> {
    let mut grown: Vec<Schema> = vec![];
    for schema in schemas.iter().rev() {
        let extended = grown.last().and_then(|newer| extend(schema, newer, names, spelling));
        grown.push(extended.unwrap_or_else(|| schema.clone()));
    }
    grown.reverse();
    grown
}

/// Returns the older schema with the fields of the newer, if any type grows.
fn extend(older: &Schema, newer: &Schema, names: &RustPaths, spelling: &Spelling) -> Option<Schema> {
    let shape = |schema| Shape::read(schema, names.resolved.keys().map(|field| &**field));
    let (old_shape, new_shape) = (shape(older), shape(newer));
    let is_value =
        |name: &str| [&old_shape, &new_shape].iter().all(|shape| matches!(shape.role(name), Some(Role::Value) | None));
    let gains = |ty: &&Type| newer.get(&ty.name).is_some_and(|new| is_value(&ty.name) && gains(ty, new));
    let mut growing: BTreeSet<&str> = older.types.iter().filter(gains).map(|ty| &*ty.name).collect();
    while !growing.is_empty() {
        let extended = with_fields(older, newer, &growing, &new_shape);
        let first = Version::new(&extended, None, names, spelling);
        let second = Version::new(newer, Some(&first), names, spelling);
        let count = growing.len();
        growing.retain(|name| second.item_unchanged(name));
        if growing.len() == count {
            return Some(extended);
        }
    }
    None
}

/// Returns whether a type has more fields in the newer version, and no other difference.
fn gains(old: &Type, new: &Type) -> bool {
    match (&old.kind, &new.kind) {
        (Kind::Object { fields: old, .. }, Kind::Object { fields: new, .. }) => {
            let kept = |field: &Field| new.iter().any(|other| other.name == field.name && other.ty == field.ty);
            new.len() > old.len() && old.iter().all(kept)
        }
        (Kind::Input { fields: old, one_of: a }, Kind::Input { fields: new, one_of: b }) => {
            let same = |x: &Input, y: &Input| x.name == y.name && x.ty == y.ty && x.default == y.default;
            let kept = |field: &Input| new.iter().any(|other| same(field, other));
            let optional = |field: &Input| !field.ty.is_non_null() && field.default.is_none();
            let is_old = |field: &Input| old.iter().any(|other| same(field, other));
            a == b && new.len() > old.len() && old.iter().all(kept) && new.iter().all(|f| is_old(f) || optional(f))
        }
        _ => false,
    }
}

/// Gives the types that grow the fields of the newer version, and adds the new types that these lead to.
fn with_fields(older: &Schema, newer: &Schema, growing: &BTreeSet<&str>, shape: &Shape<'_>) -> Schema {
    let grown = |ty: &Type| newer.get(&ty.name).filter(|_| growing.contains(&*ty.name)).unwrap_or(ty).clone();
    let mut types: Vec<Type> = older.types.iter().map(grown).collect();
    let reached = walk::reached(newer, growing.iter().copied());
    let new = newer.types.iter().filter(|ty| reached.contains(&*ty.name) && older.get(&ty.name).is_none());
    types.extend(new.filter_map(|ty| {
        let kind = match &ty.kind {
            Kind::Object { fields, .. } if shape.role(&ty.name) == Some(Role::Value) => {
                Kind::Object { implements: vec![], fields: fields.clone() }
            }
            Kind::Object { .. } | Kind::Interface { .. } => return None,
            kind => kind.clone(),
        };
        Some(Type { kind, ..ty.clone() })
    }));
    older.with_types(types)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the coordinates that the first version gains.
    fn gained(older: &str, newer: &str) -> Vec<String> {
        let schema = |version: &str, types: &str| {
            let query = "type Query { a: A n: N by(i: I): Int } interface Node { id: ID! } type N implements Node { id: ID! a: A }";
            Schema::parse(version, &format!("{query} {types}")).expect(types)
        };
        let schemas = [schema("1", older), schema("2", newer)];
        let names = RustPaths::default();
        let grown = grow(&schemas, &names, &Spelling::new(&schemas, &names)).remove(0);
        let coordinates = |schema: &Schema| -> BTreeSet<String> {
            walk::descriptions(schema).into_iter().map(|(coordinate, _)| coordinate).collect()
        };
        coordinates(&grown).difference(&coordinates(&schemas[0])).cloned().collect()
    }

    #[test]
    fn struct_grows_unless_it_differs_in_another_way() {
        let input = "input I { i: Int }";
        for (older, newer, expected) in [
            ("type A { b: Int }", "type A { b: Int c: String }", vec!["A.c"]),
            ("type A { b: B } type B { c: Int }", "type A { b: B } type B { d: Int! c: Int }", vec!["B.d"]),
            // With a new type, also where that is a struct of structs.
            (
                "type A { b: Int }",
                "type A { b: Int c: [C!] } type C { e: E } enum E { F }",
                vec!["A.c", "C", "C.e", "E", "E.F"],
            ),
            // The type of `b` changed, `b` is gone, the enum gained a value, which no answer of the first version may have.
            ("type A { b: Int }", "type A { b: Int! c: Int }", vec![]),
            ("type A { b: Int }", "type A { c: Int d: Int }", vec![]),
            ("type A { e: E } enum E { F }", "type A { e: E c: Int } enum E { F G }", vec![]),
            // One struct grows beside another that does not.
            (
                "type A { b: B c: C } type B { n: Int } type C { e: E } enum E { F }",
                "type A { b: B c: C } type B { n: Int m: Int } type C { e: E n: Int } enum E { F G }",
                vec!["B.m"],
            ),
            // An object with arguments is a trait, which the newer version extends.
            ("type A { b: Int }", "type A { b: Int c(x: Int): Int }", vec![]),
            // In the first version `A` and `B` would contain each other.
            ("type A { b: B } type B { c: Int }", "type A { c: Int } type B { c: Int a: A }", vec![]),
        ] {
            assert_eq!(gained(&format!("{older} {input}"), &format!("{newer} {input}")), expected, "{newer}");
        }
        for (newer, expected) in [
            ("input I { i: Int j: String k: J } input J { l: Int }", vec!["I.j", "I.k", "J", "J.l"]),
            // The first version would have no value for it.
            ("input I { i: Int j: Int! = 1 }", vec![]),
            ("input I { i: Int = 2 j: Int }", vec![]),
        ] {
            let a = "type A { b: Int }";
            assert_eq!(gained(&format!("{a} {input}"), &format!("{a} {newer}")), expected, "{newer}");
        }
    }
}
