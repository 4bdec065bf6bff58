//! `PageInfo` says where a page lies (Relay, "GraphQL Cursor Connections Specification", section 5).

use super::connection_shape::field;
use super::{Rule, Smell};
use crate::sdl::Sdl;

pub(super) static RULE: Rule = Rule {
    id: "page-info-shape",
    summary: "`PageInfo` has `hasNextPage: Boolean!`, `hasPreviousPage: Boolean!`, `startCursor: String` and \
              `endCursor: String`.",
    reason: "Relay asks for them; the cursors are null on an empty page.",
    check,
};

fn check(sdl: &Sdl, found: &mut Vec<Smell>) {
    let Some(ty) = sdl.schema.get("PageInfo") else { return };
    for (name, expected) in [
        ("hasNextPage", "Boolean!"),
        ("hasPreviousPage", "Boolean!"),
        ("startCursor", "String"),
        ("endCursor", "String"),
    ] {
        field(sdl, ty, name, expected, found);
    }
}
