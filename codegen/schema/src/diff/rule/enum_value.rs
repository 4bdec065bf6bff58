//! Changes of an enum value. A value that is added or removed matters by position: whether clients of the old schema send the
//! enum, receive it, or both.

use super::definition::{ADDED, DEPRECATED, DESCRIPTION, Level, REASON_CHANGED, REMOVED, Rule, UNDEPRECATED};
use crate::coordinate;
use crate::diff::element::Compared;

pub(super) const RULES: &[Rule] = &[
    Rule {
        id: "enum-value-removed",
        summary: "A value of an enum that clients send was removed.",
        reason: "A request that sends the value is refused.",
        graphql_js: Some("VALUE_REMOVED_FROM_ENUM"),
        inspector: &["ENUM_VALUE_REMOVED"],
        describe: |compared| (REMOVED.describe)(compared).filter(|_| is_sent(compared)),
        ..REMOVED
    },
    Rule {
        id: "output-enum-value-removed",
        level: Level::Dangerous,
        summary: "A value of an enum that clients only receive was removed.",
        reason: "No request can send it; but a client that waits for the value does not see it again.",
        graphql_js: Some("VALUE_REMOVED_FROM_ENUM"),
        inspector: &["ENUM_VALUE_REMOVED"],
        note: Some(
            "Milder: graphql-js and graphql-inspector call it breaking, without a look at where the enum is used. No \
             request is refused, and no answer holds what was impossible before.",
        ),
        describe: |compared| (REMOVED.describe)(compared).filter(|_| !is_sent(compared)),
        ..REMOVED
    },
    Rule {
        id: "enum-value-added",
        level: Level::Dangerous,
        summary: "A value was added to an enum that clients receive.",
        reason: "An answer can hold a value that a client does not know.",
        help: Some("say in its description what a client that does not know it does, and waive the finding"),
        graphql_js: Some("VALUE_ADDED_TO_ENUM"),
        inspector: &["ENUM_VALUE_ADDED"],
        describe: |compared| (ADDED.describe)(compared).filter(|_| is_received(compared)),
        ..ADDED
    },
    Rule {
        id: "input-enum-value-added",
        summary: "A value was added to an enum that clients only send.",
        reason: "No answer holds the value, and every request that was right still is.",
        graphql_js: Some("VALUE_ADDED_TO_ENUM"),
        inspector: &["ENUM_VALUE_ADDED"],
        note: Some(
            "Milder: graphql-js and graphql-inspector call it dangerous, without a look at where the enum is used. No \
             field of the old schema returns the enum.",
        ),
        describe: |compared| (ADDED.describe)(compared).filter(|_| !is_received(compared)),
        ..ADDED
    },
    Rule {
        id: "enum-value-description-changed",
        summary: "The description of an enum value was added, removed or changed.",
        inspector: &["ENUM_VALUE_DESCRIPTION_CHANGED"],
        ..DESCRIPTION
    },
    Rule {
        id: "enum-value-deprecated",
        summary: "A value of an enum was deprecated.",
        inspector: &["ENUM_VALUE_DEPRECATION_REASON_ADDED"],
        ..DEPRECATED
    },
    Rule {
        id: "enum-value-undeprecated",
        summary: "A value of an enum is no longer deprecated.",
        inspector: &["ENUM_VALUE_DEPRECATION_REASON_REMOVED"],
        ..UNDEPRECATED
    },
    Rule {
        id: "enum-value-deprecation-reason-changed",
        summary: "The reason for the deprecation of a value of an enum changed.",
        inspector: &[
            "ENUM_VALUE_DEPRECATION_REASON_CHANGED",
            "ENUM_VALUE_DEPRECATION_REASON_ADDED",
            "ENUM_VALUE_DEPRECATION_REASON_REMOVED",
        ],
        ..REASON_CHANGED
    },
];

/// Returns whether a field of the old schema returns the enum of a value.
fn is_received(compared: &Compared<'_>) -> bool {
    coordinate::parent(&compared.coordinate).is_some_and(|name| compared.positions.received.contains(name))
}

/// Returns whether an argument or an input field of the old schema takes the enum of a value.
fn is_sent(compared: &Compared<'_>) -> bool {
    coordinate::parent(&compared.coordinate).is_some_and(|name| compared.positions.sent.contains(name))
}

#[cfg(test)]
mod tests {
    use crate::diff::{Pair, find};
    use crate::sdl::Sdl;

    /// Returns the rule that a change of the enum `E` breaks, where the rest of the schema is `rest`.
    fn rule(rest: &str, old: &str, new: &str) -> &'static str {
        let sdl = |values: &str| {
            let source = format!("type Query {{ a: Int }} {rest} enum E {{ {values} }}");
            Sdl::parse("a", "a.graphql", &source).expect("a schema")
        };
        let changes = find(Pair { old: &sdl(old), new: &sdl(new) });
        assert_eq!(changes.len(), 1, "{rest}");
        changes[0].rule.id
    }

    #[test]
    fn value_is_judged_by_the_positions_of_its_enum() {
        let (sent, received) =
            (["input-enum-value-added", "enum-value-removed"], ["enum-value-added", "output-enum-value-removed"]);
        let both = ["enum-value-added", "enum-value-removed"];
        let neither = ["input-enum-value-added", "output-enum-value-removed"];
        for (rest, expected) in [
            ("type T { f(a: [E!]): Int }", sent),
            ("input I { f: E }", sent),
            ("directive @d(a: E) on OBJECT", sent),
            ("type T { f: [E!]! }", received),
            ("interface N { f: E }", received),
            ("type T { f(a: E): E }", both),
            ("interface N { f: E } input I { f: [[E]] }", both),
            ("type T { f: F } enum F { E }", neither),
        ] {
            assert_eq!([rule(rest, "A", "A B"), rule(rest, "A B", "A")], expected, "{rest}");
        }
    }
}
