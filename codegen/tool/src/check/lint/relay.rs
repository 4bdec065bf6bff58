//! Rules of Relay: "GraphQL Global Object Identification" for `Node`, "GraphQL Cursor Connections Specification" for the
//! other rules.

use super::definition::{LintHit, Rule, require_field};
use schema::coordinate;
use schema::model::Kind;
use schema::sdl::Sdl;

pub(super) static NODE_ID: Rule = Rule {
    id: "node-id",
    summary: "An object with a field `id: ID!` implements `Node`, and `Query` has `node(id: ID!): Node`.",
    reason: "A partner that holds an id can always fetch the object.",
    check: node_id,
};

fn node_id(sdl: &Sdl, found: &mut Vec<LintHit>) {
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

pub(super) static CONNECTION_SHAPE: Rule = Rule {
    id: "connection-shape",
    summary: "A type called `…Connection` is an object with `edges: […Edge!]!`, `nodes: […!]!` and `pageInfo: PageInfo!`.",
    reason: "Relay and other clients page through anything of that shape; `nodes` spares those who need no cursor.",
    check: connection_shape,
};

fn connection_shape(sdl: &Sdl, found: &mut Vec<LintHit>) {
    for ty in &sdl.schema.types {
        let Some(item) = ty.name.strip_suffix("Connection").filter(|item| !item.is_empty()) else { continue };
        if !matches!(ty.kind, Kind::Object { .. }) {
            found.push(LintHit::new(&ty.name, format!("`{}` is no object", ty.name), "a connection is an object"));
            continue;
        }
        let node = sdl.schema.get(&format!("{item}Edge")).and_then(|edge| edge.field("node"));
        let node = node.map_or(item, |node| &*node.ty.name);
        for (name, expected) in [
            ("edges", format!("[{item}Edge!]!")),
            ("nodes", format!("[{node}!]!")),
            ("pageInfo", "PageInfo!".to_owned()),
        ] {
            require_field(sdl, ty, name, &expected, found);
        }
    }
}

pub(super) static CONNECTION_ARGUMENTS: Rule = Rule {
    id: "connection-arguments",
    summary: "A field that leads to a connection takes `first: Int`, `after: String`, `last: Int`, `before: String`, and \
              is not null.",
    reason: "Relay asks for them; and an empty page says more than null.",
    check: connection_arguments,
};

const ARGUMENTS: [(&str, &str); 4] = [("first", "Int"), ("after", "String"), ("last", "Int"), ("before", "String")];

fn connection_arguments(sdl: &Sdl, found: &mut Vec<LintHit>) {
    for ty in &sdl.schema.types {
        for field in ty.fields().iter().filter(|field| field.ty.name.ends_with("Connection")) {
            let at = coordinate::member(&ty.name, &field.name);
            for (name, expected) in ARGUMENTS {
                let argument = field.args.iter().find(|argument| argument.name == name);
                if argument.is_none_or(|argument| argument.ty.to_string() != expected || argument.default.is_some()) {
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

pub(super) static EDGE_SHAPE: Rule = Rule {
    id: "edge-shape",
    summary: "A type called `…Edge` is an object with `cursor: String!` and a `node` that is neither a list nor null.",
    reason: "Relay and other clients take the cursor of any edge; an edge without its item is no edge.",
    check: edge_shape,
};

fn edge_shape(sdl: &Sdl, found: &mut Vec<LintHit>) {
    let edges = sdl.schema.types.iter().filter(|ty| ty.name.len() > "Edge".len() && ty.name.ends_with("Edge"));
    for ty in edges {
        if !matches!(ty.kind, Kind::Object { .. }) {
            found.push(LintHit::new(&ty.name, format!("`{}` is no object", ty.name), "an edge is an object"));
            continue;
        }
        require_field(sdl, ty, "cursor", "String!", found);
        let item = ty.name.trim_end_matches("Edge");
        match ty.field("node") {
            Some(node) if node.ty.to_string() == format!("{}!", node.ty.name) => {}
            Some(node) => {
                let at = coordinate::member(&ty.name, "node");
                let message = format!("`{at}` is `{}`, so it can be null or is a list", node.ty);
                found.push(LintHit::new(at, message, format!("write `{}!`", node.ty.name)).at_type(sdl));
            }
            None => {
                let message = format!("`{}` has no field `node`", ty.name);
                found.push(LintHit::new(&ty.name, message, format!("add `node: {item}!`")));
            }
        }
    }
}

pub(super) static PAGE_INFO_SHAPE: Rule = Rule {
    id: "page-info-shape",
    summary: "`PageInfo` has `hasNextPage: Boolean!`, `hasPreviousPage: Boolean!`, `startCursor: String` and \
              `endCursor: String`.",
    reason: "Relay asks for them; the cursors are null on an empty page.",
    check: page_info_shape,
};

fn page_info_shape(sdl: &Sdl, found: &mut Vec<LintHit>) {
    let Some(ty) = sdl.schema.get("PageInfo") else { return };
    for (name, expected) in [
        ("hasNextPage", "Boolean!"),
        ("hasPreviousPage", "Boolean!"),
        ("startCursor", "String"),
        ("endCursor", "String"),
    ] {
        require_field(sdl, ty, name, expected, found);
    }
}
