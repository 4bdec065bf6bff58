//! Every type is reached from a root.

use std::collections::BTreeSet;

use super::{Rule, Smell};
use crate::model::{Kind, Schema};
use crate::sdl::Sdl;

pub(super) static RULE: Rule = Rule {
    id: "type-unreachable",
    summary: "Every type is reached from a root or by a directive.",
    reason: "A type that no operation can reach is forgotten, or was meant to be reached.",
    check,
};

fn check(sdl: &Sdl, found: &mut Vec<Smell>) {
    let reached = reached(&sdl.schema);
    for ty in sdl.schema.types.iter().filter(|ty| !reached.contains(&*ty.name)) {
        found.push(Smell::new(&ty.name, format!("nothing leads to `{}`", ty.name), "remove it, or lead to it"));
    }
}

fn reached(schema: &Schema) -> BTreeSet<&str> {
    let mut open: Vec<&str> = [Some(&*schema.query), schema.mutation.as_deref()].into_iter().flatten().collect();
    open.extend(schema.directives.iter().flat_map(|directive| directive.args.iter().map(|arg| &*arg.ty.name)));
    let mut reached = BTreeSet::new();
    while let Some(name) = open.pop() {
        let Some(ty) = schema.get(name).filter(|_| reached.insert(name)) else { continue };
        open.extend(ty.fields().iter().map(|field| &*field.ty.name));
        open.extend(ty.fields().iter().flat_map(|field| field.args.iter().map(|arg| &*arg.ty.name)));
        open.extend(ty.implements().iter().map(|interface| &**interface));
        match &ty.kind {
            Kind::Union { .. } | Kind::Interface { .. } => open.extend(schema.possible_types(ty)),
            Kind::Input { fields, .. } => open.extend(fields.iter().map(|field| &*field.ty.name)),
            _ => {}
        }
    }
    reached
}
