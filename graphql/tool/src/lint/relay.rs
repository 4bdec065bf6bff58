//! Rules of Relay: "GraphQL Global Object Identification" for `Node`, "GraphQL Cursor Connections Specification" for the
//! other rules.

use super::definition::{LintHit, require_field};
use dated_graphql_schema::coordinate;
use dated_graphql_schema::model::Kind;
use dated_graphql_schema::sdl::Sdl;

pub(super) fn node_id(sdl: &Sdl, found: &mut Vec<LintHit>) {
    let schema = &sdl.schema;
    for ty in schema.types.iter().filter(|ty| matches!(ty.kind, Kind::Object { .. }) && !schema.is_root(&ty.name)) {
        let has_id = ty.field("id").is_some_and(|field| field.ty.to_string() == "ID!");
        if has_id && !ty.implements().iter().any(|interface| interface == "Node") {
            let message = format!("`{}` has an `id` but does not implement `Node`", ty.name);
            found.push(LintHit::new(&ty.name, message, "add `implements Node`"));
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
        found.push(LintHit::new(at, message, "as Relay has it"));
    }
}

pub(super) fn connection_shape(sdl: &Sdl, found: &mut Vec<LintHit>) {
    for ty in &sdl.schema.types {
        let of = |suffix: &str| ty.name.strip_suffix(suffix).filter(|item| !item.is_empty());
        let required = if let Some(item) = of("Connection") {
            let node = sdl.schema.get(&format!("{item}Edge")).and_then(|edge| edge.field("node"));
            let node = node.map_or(item, |node| &*node.ty.name);
            vec![
                ("edges", format!("[{item}Edge!]!")),
                ("nodes", format!("[{node}!]!")),
                ("pageInfo", "PageInfo!".to_owned()),
            ]
        } else if let Some(item) = of("Edge") {
            let node = ty.field("node").map_or(item, |node| &*node.ty.name);
            vec![("cursor", "String!".to_owned()), ("node", format!("{node}!"))]
        } else if ty.name == "PageInfo" {
            let fields = [
                ("hasNextPage", "Boolean!"),
                ("hasPreviousPage", "Boolean!"),
                ("startCursor", "String"),
                ("endCursor", "String"),
            ];
            fields.map(|(name, expected)| (name, expected.to_owned())).into()
        } else {
            continue;
        };
        if !matches!(ty.kind, Kind::Object { .. }) {
            found.push(LintHit::new(&ty.name, format!("`{}` is no object", ty.name), "as Relay has it"));
            continue;
        }
        required.iter().for_each(|(name, expected)| require_field(sdl, ty, name, expected, found));
    }
}

const ARGUMENTS: [(&str, &str); 4] = [("first", "Int"), ("after", "String"), ("last", "Int"), ("before", "String")];

pub(super) fn connection_arguments(sdl: &Sdl, found: &mut Vec<LintHit>) {
    for ty in &sdl.schema.types {
        for field in ty.fields().iter().filter(|field| field.ty.name.ends_with("Connection")) {
            let at = coordinate::member(&ty.name, &field.name);
            for (name, expected) in ARGUMENTS {
                let argument = field.args.iter().find(|argument| argument.name == name);
                if argument.is_none_or(|argument| argument.ty.to_string() != expected) {
                    let message = format!("`{at}` does not take `{name}: {expected}`");
                    found.push(LintHit::new(&at, message, format!("add `{name}: {expected}`")));
                }
            }
            if field.ty.to_string() != format!("{}!", field.ty.name) {
                let message = format!("`{at}` can be null or is a list");
                found.push(LintHit::new(&at, message, format!("write `{}!`", field.ty.name)).at_type(sdl));
            }
        }
    }
}
