//! An edge has a cursor and a node (Relay, "GraphQL Cursor Connections Specification", section 3).

use super::connection_shape::field;
use super::{Rule, Smell};
use crate::coordinate;
use crate::model::Kind;
use crate::sdl::Sdl;

pub(super) static RULE: Rule = Rule {
    id: "edge-shape",
    summary: "A type called `…Edge` is an object with `cursor: String!` and a `node` that is neither a list nor null.",
    reason: "Relay and other clients take the cursor of any edge; an edge without its item is no edge.",
    check,
};

fn check(sdl: &Sdl, found: &mut Vec<Smell>) {
    let edges = sdl.schema.types.iter().filter(|ty| ty.name.len() > "Edge".len() && ty.name.ends_with("Edge"));
    for ty in edges {
        if !matches!(ty.kind, Kind::Object { .. }) {
            found.push(Smell::new(&ty.name, format!("`{}` is no object", ty.name), "an edge is an object"));
            continue;
        }
        field(sdl, ty, "cursor", "String!", found);
        let item = ty.name.trim_end_matches("Edge");
        match ty.field("node") {
            Some(node) if node.ty.to_string() == format!("{}!", node.ty.name) => {}
            Some(node) => {
                let at = coordinate::member(&ty.name, "node");
                let span = sdl.places.get(&at).and_then(|place| place.ty);
                let message = format!("`{at}` is `{}`, so it can be null or is a list", node.ty);
                found.push(Smell::new(at, message, format!("write `{}!`", node.ty.name)).span(span));
            }
            None => {
                let message = format!("`{}` has no field `node`", ty.name);
                found.push(Smell::new(&ty.name, message, format!("add `node: {item}!`")));
            }
        }
    }
}
