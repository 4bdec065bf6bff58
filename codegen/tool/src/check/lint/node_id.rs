//! What has an identity implements `Node` (Relay, "GraphQL Global Object Identification").

use super::{Rule, Smell};
use crate::coordinate;
use crate::model::Kind;
use crate::sdl::Sdl;

pub(super) static RULE: Rule = Rule {
    id: "node-id",
    summary: "An object with a field `id: ID!` implements `Node`, and `Query` has `node(id: ID!): Node`.",
    reason: "A partner that holds an id can always fetch what it stands for.",
    check,
};

fn check(sdl: &Sdl, found: &mut Vec<Smell>) {
    let schema = &sdl.schema;
    for ty in schema.types.iter().filter(|ty| matches!(ty.kind, Kind::Object { .. }) && !schema.is_root(&ty.name)) {
        let has_id = ty.field("id").is_some_and(|field| field.ty.to_string() == "ID!");
        if has_id && !ty.implements().iter().any(|interface| interface == "Node") {
            let message = format!("`{}` has an `id` but does not implement `Node`", ty.name);
            found.push(Smell::new(&ty.name, message, "add `implements Node`"));
        }
    }
    let node = schema.get("Node").filter(|ty| matches!(ty.kind, Kind::Interface { .. }));
    let lookup = schema.get(&schema.query).and_then(|query| query.field("node"));
    let right = lookup.is_some_and(|field| {
        let argument = field.args.iter().any(|argument| argument.name == "id" && argument.ty.to_string() == "ID!");
        argument && field.ty.to_string() == "Node"
    });
    if node.is_some() && !right {
        let (at, message) = match lookup {
            Some(_) => (coordinate::member(&schema.query, "node"), "`node` is not `node(id: ID!): Node`"),
            None => ("Node".to_owned(), "there is no `node(id: ID!): Node` to fetch a `Node` with"),
        };
        found.push(Smell::new(at, message, "as Relay has it"));
    }
}
