//! A connection has edges, nodes and a page (Relay, "GraphQL Cursor Connections Specification", sections 2 and 3).

use super::{Rule, Smell};
use crate::coordinate;
use crate::model::{Kind, Type};
use crate::sdl::Sdl;

pub(super) static RULE: Rule = Rule {
    id: "connection-shape",
    summary: "A type called `…Connection` is an object with `edges: […Edge!]!`, `nodes: […!]!` and `pageInfo: PageInfo!`.",
    reason: "Relay and other clients page through anything of that shape; `nodes` spares those who need no cursor.",
    check,
};

fn check(sdl: &Sdl, found: &mut Vec<Smell>) {
    for ty in &sdl.schema.types {
        let Some(item) = ty.name.strip_suffix("Connection").filter(|item| !item.is_empty()) else { continue };
        if !matches!(ty.kind, Kind::Object { .. }) {
            found.push(Smell::new(&ty.name, format!("`{}` is no object", ty.name), "a connection is an object"));
            continue;
        }
        let node = sdl.schema.get(&format!("{item}Edge")).and_then(|edge| edge.field("node"));
        let node = node.map_or(item, |node| &*node.ty.name);
        for (name, expected) in [
            ("edges", format!("[{item}Edge!]!")),
            ("nodes", format!("[{node}!]!")),
            ("pageInfo", "PageInfo!".to_owned()),
        ] {
            field(sdl, ty, name, &expected, found);
        }
    }
}

/// Asks for a field of a type.
pub(super) fn field(sdl: &Sdl, ty: &Type, name: &str, expected: &str, found: &mut Vec<Smell>) {
    let coordinate = coordinate::member(&ty.name, name);
    match ty.field(name) {
        None => {
            let message = format!("`{}` has no field `{name}: {expected}`", ty.name);
            found.push(Smell::new(&ty.name, message, format!("add `{name}: {expected}`")));
        }
        Some(field) if field.ty.to_string() != expected => {
            let span = sdl.places.get(&coordinate).and_then(|place| place.ty);
            let message = format!("`{coordinate}` is `{}` and not `{expected}`", field.ty);
            found.push(Smell::new(coordinate, message, format!("write `{expected}`")).span(span));
        }
        Some(_) => {}
    }
}
