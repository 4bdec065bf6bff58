//! The kinds of change, each with its level. The levels equal graphql-js (`conformance/schema_change_reference`);
//! where ours is stricter, `note` says why.

use Level::{Breaking, Dangerous, Safe};
use serde::Serialize;

/// How bad a kind of change is for a client that does not follow it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// No client notices.
    Safe,
    /// A client may notice that was not written with such a change in mind.
    Dangerous,
    /// A valid request is refused, or an answer has a shape that it could not have before.
    Breaking,
}

impl Level {
    /// Returns the name in reports, in lower case.
    pub fn as_str(self) -> &'static str {
        match self {
            Safe => "safe",
            Dangerous => "dangerous",
            Breaking => "breaking",
        }
    }
}

/// A kind of change.
#[derive(Debug)]
pub struct Rule {
    /// The rule's name, which never changes.
    pub id: &'static str,
    /// The effect on clients.
    pub level: Level,
    /// Why the rule has its level.
    pub reason: &'static str,
    /// The kind of graphql-js, if it has one.
    pub graphql_js: Option<&'static str>,
    /// Why the rule has another level than in graphql-js, or one that graphql-js does not have.
    pub note: Option<&'static str>,
    /// How to make the change so that it is not found again.
    pub help: Option<&'static str>,
}

const fn rule(id: &'static str, level: Level, graphql_js: &'static str, reason: &'static str) -> Rule {
    let graphql_js = if graphql_js.is_empty() { None } else { Some(graphql_js) };
    Rule { id, level, reason, graphql_js, note: None, help: None }
}

const fn safe(id: &'static str, reason: &'static str) -> Rule {
    rule(id, Safe, "", reason)
}

impl Rule {
    const fn note(self, note: &'static str) -> Self {
        Self { note: Some(note), ..self }
    }

    const fn help(self, help: &'static str) -> Self {
        Self { help: Some(help), ..self }
    }
}

/// Returns the rule with this id.
pub(super) fn find(id: &str) -> &'static Rule {
    RULES.iter().find(|rule| rule.id == id).unwrap_or_else(|| panic!("there is no rule `{id}`"))
}

// Reasons, notes and helps of several rules.
const NOTHING: &str = "No request and no answer changes.";
const WORDS: &str = "Only what people read changes.";
const REQUIRED: &str = "A request that was right lacks it and is refused.";
const OPTIONAL: &str = "What a request without it means may have changed.";
const TYPE: &str = "A request that sends such a value, or a variable of the old type, is refused.";
const WIDER: &str = "Every value that was right still is.";
const DEFAULT: &str = "A request that leaves it out means something else.";
const LEFT_OUT: &str = "A request that leaves it out is refused.";
const GIVEN: &str = "A request that gives it is refused.";
const NO_ROOTS: &str = "graphql-js does not look at roots.";
const NO_DEFAULTS: &str =
    "graphql-js 16 does not look at these defaults, and version 17 calls a default that was added safe.";
const MUST_BE_GIVEN: &str = "graphql-js sees a changed default or nothing; but who leaves the value out is refused.";
const KEEP: &str = "let it be null or give it a default that keeps the meaning of older requests";
const KEEP_DEFAULT: &str = "keep the default, or let it be null";
const OTHER: &str = "add another one with the new type, deprecate this one with a reason that names it, and remove this one after the \
                     notice";

/// Every rule, in the order of [`find`](super::find).
pub static RULES: &[Rule] = &[
    rule("root-changed", Breaking, "", "`__typename` of the root changes, and its fields are those of another type.")
        .note(NO_ROOTS),
    rule("root-removed", Breaking, "", "Every operation of this kind is refused.").note(NO_ROOTS),
    safe("root-added", NOTHING),
    rule("type-removed", Breaking, "TYPE_REMOVED", "An operation that names the type, or reaches it, is refused."),
    safe("type-added", NOTHING),
    rule(
        "type-kind-changed",
        Breaking,
        "TYPE_CHANGED_KIND",
        "What may be selected below it, or sent for it, is another.",
    ),
    rule(
        "scalar-specification-changed",
        Dangerous,
        "",
        "A value that was right may be wrong now, or be written in another way.",
    )
    .note("graphql-js does not look at `@specifiedBy`."),
    rule("one-of-added", Breaking, "", "A request that sends two of its fields, or none, is refused.")
        .note("graphql-js 16 does not look at `@oneOf`."),
    safe("one-of-removed", WIDER),
    rule(
        "implemented-interface-removed",
        Breaking,
        "IMPLEMENTED_INTERFACE_REMOVED",
        "A fragment on the interface no longer applies, and a field of the interface can no longer hold the type.",
    ),
    rule(
        "implemented-interface-added",
        Dangerous,
        "IMPLEMENTED_INTERFACE_ADDED",
        "A field of the interface can hold a type that a client does not know there.",
    ),
    rule("union-member-removed", Breaking, "TYPE_REMOVED_FROM_UNION", "A fragment on the member is refused."),
    rule(
        "union-member-added",
        Dangerous,
        "TYPE_ADDED_TO_UNION",
        "An answer can hold a type that a client does not know there.",
    ),
    rule(
        "enum-value-removed",
        Breaking,
        "VALUE_REMOVED_FROM_ENUM",
        "A request that sends the value is refused, and a program that names it no longer compiles.",
    ),
    rule(
        "enum-value-added",
        Dangerous,
        "VALUE_ADDED_TO_ENUM",
        "An answer can hold a value that a client does not know.",
    )
    .help("say in its description what a client that does not know it does, and waive the finding"),
    rule("field-removed", Breaking, "FIELD_REMOVED", "An operation that asks for the field is refused."),
    safe("field-added", NOTHING),
    rule(
        "field-type-changed",
        Breaking,
        "FIELD_CHANGED_KIND",
        "A client reads a value that it was promised not to see: null, a list, another type.",
    )
    .help(OTHER),
    safe("field-type-narrowed", "Every answer is one that was possible before."),
    rule("argument-removed", Breaking, "ARG_REMOVED", GIVEN),
    rule("required-argument-added", Breaking, "REQUIRED_ARG_ADDED", REQUIRED).help(KEEP),
    rule("optional-argument-added", Dangerous, "OPTIONAL_ARG_ADDED", OPTIONAL),
    rule("argument-type-changed", Breaking, "ARG_CHANGED_KIND", TYPE).help(OTHER),
    safe("argument-type-widened", WIDER),
    rule("argument-made-required", Breaking, "ARG_DEFAULT_VALUE_CHANGE", LEFT_OUT)
        .note(MUST_BE_GIVEN)
        .help(KEEP_DEFAULT),
    rule("argument-default-added", Dangerous, "", DEFAULT).note(NO_DEFAULTS),
    rule("argument-default-changed", Dangerous, "ARG_DEFAULT_VALUE_CHANGE", DEFAULT),
    rule("input-field-removed", Breaking, "FIELD_REMOVED", GIVEN),
    rule("required-input-field-added", Breaking, "REQUIRED_INPUT_FIELD_ADDED", REQUIRED).help(KEEP),
    rule("optional-input-field-added", Dangerous, "OPTIONAL_INPUT_FIELD_ADDED", OPTIONAL),
    rule("input-field-type-changed", Breaking, "FIELD_CHANGED_KIND", TYPE).help(OTHER),
    safe("input-field-type-widened", WIDER),
    rule("input-field-made-required", Breaking, "", LEFT_OUT).note(MUST_BE_GIVEN).help(KEEP_DEFAULT),
    rule("input-field-default-changed", Dangerous, "", DEFAULT).note(NO_DEFAULTS),
    rule("directive-removed", Breaking, "DIRECTIVE_REMOVED", "A document or a schema that uses it is refused."),
    safe("directive-added", NOTHING),
    rule(
        "directive-repeatable-removed",
        Breaking,
        "DIRECTIVE_REPEATABLE_REMOVED",
        "A document that repeats it is refused.",
    ),
    safe("directive-repeatable-added", NOTHING),
    rule(
        "directive-location-removed",
        Breaking,
        "DIRECTIVE_LOCATION_REMOVED",
        "A document that has it there is refused.",
    ),
    safe("directive-location-added", NOTHING),
    rule("directive-argument-removed", Breaking, "DIRECTIVE_ARG_REMOVED", "A directive that gives it is refused."),
    rule("required-directive-argument-added", Breaking, "REQUIRED_DIRECTIVE_ARG_ADDED", REQUIRED).help(KEEP),
    safe("optional-directive-argument-added", OPTIONAL),
    rule("directive-argument-type-changed", Breaking, "", TYPE)
        .note("graphql-js 16 does not look at it; version 17 calls it `ARG_CHANGED_KIND`, which is breaking.")
        .help(OTHER),
    safe("directive-argument-type-widened", WIDER),
    rule("directive-argument-made-required", Breaking, "", LEFT_OUT).note(MUST_BE_GIVEN).help(KEEP_DEFAULT),
    rule("directive-argument-default-changed", Dangerous, "", DEFAULT).note(NO_DEFAULTS),
    rule(
        "directive-use-changed",
        Dangerous,
        "",
        "A client may have relied on the directive, or treat the element differently.",
    )
    .note("graphql-js does not look at the directives on an element."),
    rule("number-changed", Dangerous, "", "A client may be written for the number, such as a limit.")
        .note("graphql-js does not look at descriptions."),
    safe("description-changed", WORDS),
    safe("deprecated", "Everything still works; people and tools see it."),
    safe("undeprecated", NOTHING),
    safe("deprecation-reason-changed", WORDS),
];
