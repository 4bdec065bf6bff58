//! All rules of lint, and how their findings count. Called by the checks and by the registry of rules.

use std::collections::BTreeSet;

use super::definition::LintHit;
use super::{deprecation, description, mutation, name, relay, structure};
use crate::finding::{Finding, Severity};
use dated_graphql_schema::coordinate;
use dated_graphql_schema::diff::{self, Pair};
use dated_graphql_schema::sdl::Sdl;

/// A rule of lint.
pub struct Rule {
    /// The rule's name, which never changes.
    pub id: &'static str,
    /// What the rule requires, in a sentence.
    pub about: &'static str,
    /// The level in a project that sets none; `None` is off.
    pub level: Option<Severity>,
    check: fn(&Sdl, &mut Vec<LintHit>),
}

/// A rule of style, for projects that set its level.
const fn rule(id: &'static str, check: fn(&Sdl, &mut Vec<LintHit>), about: &'static str) -> Rule {
    Rule { id, about, level: None, check }
}

/// A rule for any schema.
const fn general(id: &'static str, check: fn(&Sdl, &mut Vec<LintHit>), about: &'static str) -> Rule {
    Rule { id, about, level: Some(Severity::Warning), check }
}

/// Every rule, in the order of the page of rules.
pub static RULES: &[Rule] = &[
    rule("description-missing", description::missing, "Everything has a description, the schema itself too."),
    rule(
        "description-sentence",
        description::sentence,
        "A description begins with a capital or with code, and ends with a full stop or with a block of code.",
    ),
    rule(
        "limit-stated",
        description::limit_stated,
        "The description of a text, a number or a list that is sent states its limit: it has a number.",
    ),
    general(
        "name-spelling",
        name::spelling,
        "Types are written `LikeThis`, enum values `LIKE_THIS`, all others `likeThis`.",
    ),
    rule("input-name", name::input_name, "The name of an input ends in `Input`, and no other does."),
    rule(
        "list-item-null",
        structure::list_item_null,
        "The items of a list cannot be null: `[String!]`, not `[String]`.",
    ),
    rule(
        "node-id",
        relay::node_id,
        "An object with `id: ID!` implements `Node`, and `Query` has `node(id: ID!): Node`.",
    ),
    rule(
        "connection-shape",
        relay::connection_shape,
        "A type `…Connection` has `edges`, `nodes` and `pageInfo`, a type `…Edge` has `cursor` and `node`, and `PageInfo` its \
         four fields, with the types that Relay gives them.",
    ),
    rule(
        "connection-arguments",
        relay::connection_arguments,
        "A field that leads to a connection takes `first: Int`, `after: String`, `last: Int`, `before: String`, and is not null.",
    ),
    rule(
        "mutation-payload",
        mutation::mutation_payload,
        "The mutation `bookCreate` is of type `BookCreatePayload`, which has `userErrors: […UserError!]!` and whose other \
         fields can all be null.",
    ),
    rule(
        "user-error-shape",
        mutation::user_error_shape,
        "A type called `…UserError` implements `DisplayableError` and has `code: …UserErrorCode`, an enum.",
    ),
    general(
        "deprecation-reason",
        deprecation::reason,
        "A deprecation says why, in a sentence, and names its replacement in back ticks, or says `without replacement`.",
    ),
    Rule {
        id: "deprecation-interface",
        about: "What a type deprecates is deprecated in its interface too: graphql-js 17 refuses the schema.",
        level: Some(Severity::Error),
        check: deprecation::interface,
    },
    general("type-unreachable", structure::type_unreachable, "Every type is reached from a root or by a directive."),
];

/// Returns the findings of all rules in a schema, errors except in elements that are as they were in `since`. A project's
/// levels make them milder.
pub fn lint(sdl: &Sdl, since: Option<&Sdl>) -> Vec<Finding> {
    let changes = since.map(|old| diff::find(Pair { old, new: sdl })).unwrap_or_default();
    let changed: BTreeSet<&str> = changes.iter().map(|change| &*change.coordinate).collect();
    let is_old = |at: &str| {
        // All of an added element is new; of a changed one, only the element itself.
        let is_new = |old: &Sdl, around: &str| around == at || old.spans.get(around).is_none();
        let mut places = std::iter::successors(Some(at), |at| coordinate::parent(at));
        since.is_some_and(|old| !places.any(|around| changed.contains(around) && is_new(old, around)))
    };
    let mut findings = vec![];
    for rule in RULES {
        let mut hits = vec![];
        (rule.check)(sdl, &mut hits);
        for hit in hits {
            let severity = if is_old(&hit.coordinate) { Severity::Warning } else { Severity::Error };
            let name = sdl.spans.get(&hit.coordinate).map(|spans| spans.name);
            let span = hit.span.or(name).unwrap_or_else(|| sdl.top());
            let finding = Finding::new(rule.id, severity, hit.message).coordinate(&hit.coordinate);
            findings.push(Finding { help: hit.help, ..finding.at(&sdl.path, span, hit.label) });
        }
    }
    findings
}
