//! Changes of an argument, of an input field and of a directive argument.

use super::definition::{
    BREAKING, DANGEROUS, DEPRECATED, DESCRIPTION, DESCRIPTION_ADDED, DESCRIPTION_CHANGED, DESCRIPTION_REMOVED,
    REASON_CHANGED, REMOVED, Rule, SAFE, UNDEPRECATED,
};
use crate::diff::element::{Aspect, Compared};
use crate::diff::{compatible, default};
use crate::model::Input;

pub(super) const ARGUMENT: &[Rule] = &[
    Rule {
        id: "argument-removed",
        summary: "An argument was removed.",
        reason: "A request that gives it is refused.",
        graphql_js: Some("ARG_REMOVED"),
        inspector: &["FIELD_ARGUMENT_REMOVED"],
        ..REMOVED
    },
    Rule {
        id: "required-argument-added",
        summary: "An argument that must be given was added.",
        graphql_js: Some("REQUIRED_ARG_ADDED"),
        inspector: &["FIELD_ARGUMENT_ADDED"],
        ..REQUIRED_ADDED
    },
    Rule {
        id: "optional-argument-added",
        summary: "An argument that may be left out was added.",
        graphql_js: Some("OPTIONAL_ARG_ADDED"),
        inspector: &["FIELD_ARGUMENT_ADDED"],
        ..OPTIONAL_ADDED
    },
    Rule {
        id: "argument-type-changed",
        summary: "The type of an argument changed, so that a value that was right is refused.",
        graphql_js: Some("ARG_CHANGED_KIND"),
        inspector: &["FIELD_ARGUMENT_TYPE_CHANGED"],
        ..TYPE_CHANGED
    },
    Rule {
        id: "argument-type-widened",
        summary: "An argument also takes null, or a list that holds null.",
        inspector: &["FIELD_ARGUMENT_TYPE_CHANGED"],
        ..TYPE_WIDENED
    },
    Rule {
        id: "argument-made-required",
        summary: "An argument lost its default, and so must be given.",
        graphql_js: Some("ARG_DEFAULT_VALUE_CHANGE"),
        inspector: &["FIELD_ARGUMENT_DEFAULT_CHANGED"],
        note: Some(
            "graphql-js and graphql-inspector see a changed default, which is dangerous; but the value has to be \
             given now, and who leaves it out is refused.",
        ),
        ..MADE_REQUIRED
    },
    Rule {
        id: "argument-default-added",
        summary: "The default of an argument was added.",
        inspector: &["FIELD_ARGUMENT_DEFAULT_CHANGED"],
        ..DEFAULT_ADDED
    },
    Rule {
        id: "argument-default-removed",
        summary: "The default of an argument was removed.",
        graphql_js: Some("ARG_DEFAULT_VALUE_CHANGE"),
        inspector: &["FIELD_ARGUMENT_DEFAULT_CHANGED"],
        ..DEFAULT_REMOVED
    },
    Rule {
        id: "argument-default-changed",
        summary: "The default of an argument was changed.",
        graphql_js: Some("ARG_DEFAULT_VALUE_CHANGE"),
        inspector: &["FIELD_ARGUMENT_DEFAULT_CHANGED"],
        ..DEFAULT_CHANGED
    },
    Rule {
        id: "argument-description-changed",
        summary: "The description of an argument was added, removed or changed.",
        inspector: &["FIELD_ARGUMENT_DESCRIPTION_CHANGED"],
        ..DESCRIPTION
    },
    Rule {
        id: "argument-deprecated",
        summary: "An argument was deprecated.",
        inspector: &["DIRECTIVE_USAGE_ARGUMENT_DEFINITION_ADDED"],
        ..DEPRECATED
    },
    Rule {
        id: "argument-undeprecated",
        summary: "An argument is no longer deprecated.",
        inspector: &["DIRECTIVE_USAGE_ARGUMENT_DEFINITION_REMOVED"],
        ..UNDEPRECATED
    },
    Rule {
        id: "argument-deprecation-reason-changed",
        summary: "The reason for the deprecation of an argument changed.",
        inspector: &["DIRECTIVE_USAGE_ARGUMENT_ADDED", "DIRECTIVE_USAGE_ARGUMENT_REMOVED"],
        ..REASON_CHANGED
    },
];

pub(super) const INPUT_FIELD: &[Rule] = &[
    Rule {
        id: "input-field-removed",
        summary: "A field of an input was removed.",
        reason: "A request that gives it is refused.",
        graphql_js: Some("FIELD_REMOVED"),
        inspector: &["INPUT_FIELD_REMOVED"],
        note: Some("graphql-js has one name for the fields of inputs and of objects."),
        ..REMOVED
    },
    Rule {
        id: "required-input-field-added",
        summary: "A field of an input that must be given was added.",
        graphql_js: Some("REQUIRED_INPUT_FIELD_ADDED"),
        inspector: &["INPUT_FIELD_ADDED"],
        ..REQUIRED_ADDED
    },
    Rule {
        id: "optional-input-field-added",
        summary: "A field of an input that may be left out was added.",
        graphql_js: Some("OPTIONAL_INPUT_FIELD_ADDED"),
        inspector: &["INPUT_FIELD_ADDED"],
        note: Some("graphql-inspector calls it safe where there is no default; ours is the level of graphql-js."),
        ..OPTIONAL_ADDED
    },
    Rule {
        id: "input-field-type-changed",
        summary: "The type of an input field changed, so that a value that was right is refused.",
        graphql_js: Some("FIELD_CHANGED_KIND"),
        inspector: &["INPUT_FIELD_TYPE_CHANGED"],
        note: Some("graphql-js has one name for the fields of inputs and of objects."),
        ..TYPE_CHANGED
    },
    Rule {
        id: "input-field-type-widened",
        summary: "A field of an input also takes null, or a list that holds null.",
        inspector: &["INPUT_FIELD_TYPE_CHANGED"],
        ..TYPE_WIDENED
    },
    Rule {
        id: "input-field-made-required",
        summary: "A field of an input lost its default, and so must be given.",
        inspector: &["INPUT_FIELD_DEFAULT_VALUE_CHANGED"],
        note: Some(
            "graphql-js 16 does not look at the defaults of input fields; but the value has to be given now, and who \
             leaves it out is refused.",
        ),
        ..MADE_REQUIRED
    },
    Rule {
        id: "input-field-default-added",
        summary: "The default of an input field was added.",
        inspector: &["INPUT_FIELD_DEFAULT_VALUE_CHANGED"],
        ..DEFAULT_ADDED
    },
    Rule {
        id: "input-field-default-removed",
        summary: "The default of an input field was removed.",
        inspector: &["INPUT_FIELD_DEFAULT_VALUE_CHANGED"],
        note: Some("graphql-js 16 does not look at the defaults of input fields; version 17 calls it dangerous too."),
        ..DEFAULT_REMOVED
    },
    Rule {
        id: "input-field-default-changed",
        summary: "The default of an input field was changed.",
        inspector: &["INPUT_FIELD_DEFAULT_VALUE_CHANGED"],
        note: Some("graphql-js 16 does not look at the defaults of input fields; version 17 calls it dangerous too."),
        ..DEFAULT_CHANGED
    },
    Rule {
        id: "input-field-description-added",
        summary: "The description of an input field was added.",
        inspector: &["INPUT_FIELD_DESCRIPTION_ADDED"],
        ..DESCRIPTION_ADDED
    },
    Rule {
        id: "input-field-description-removed",
        summary: "The description of an input field was removed.",
        inspector: &["INPUT_FIELD_DESCRIPTION_REMOVED"],
        ..DESCRIPTION_REMOVED
    },
    Rule {
        id: "input-field-description-changed",
        summary: "The description of an input field was changed.",
        inspector: &["INPUT_FIELD_DESCRIPTION_CHANGED"],
        ..DESCRIPTION_CHANGED
    },
    Rule {
        id: "input-field-deprecated",
        summary: "A field of an input was deprecated.",
        inspector: &["DIRECTIVE_USAGE_INPUT_FIELD_DEFINITION_ADDED"],
        ..DEPRECATED
    },
    Rule {
        id: "input-field-undeprecated",
        summary: "A field of an input is no longer deprecated.",
        inspector: &["DIRECTIVE_USAGE_INPUT_FIELD_DEFINITION_REMOVED"],
        ..UNDEPRECATED
    },
    Rule {
        id: "input-field-deprecation-reason-changed",
        summary: "The reason for the deprecation of a field of an input changed.",
        inspector: &["DIRECTIVE_USAGE_ARGUMENT_ADDED", "DIRECTIVE_USAGE_ARGUMENT_REMOVED"],
        ..REASON_CHANGED
    },
];

pub(super) const DIRECTIVE_ARGUMENT: &[Rule] = &[
    Rule {
        id: "directive-argument-removed",
        summary: "An argument of a directive was removed.",
        reason: "A directive that gives it is refused.",
        graphql_js: Some("DIRECTIVE_ARG_REMOVED"),
        inspector: &["DIRECTIVE_ARGUMENT_REMOVED"],
        ..REMOVED
    },
    Rule {
        id: "required-directive-argument-added",
        summary: "An argument of a directive that must be given was added.",
        graphql_js: Some("REQUIRED_DIRECTIVE_ARG_ADDED"),
        inspector: &["DIRECTIVE_ARGUMENT_ADDED"],
        ..REQUIRED_ADDED
    },
    Rule {
        id: "optional-directive-argument-added",
        summary: "An argument of a directive that may be left out was added.",
        inspector: &["DIRECTIVE_ARGUMENT_ADDED"],
        describe: OPTIONAL_ADDED.describe,
        ..SAFE
    },
    Rule {
        id: "directive-argument-type-changed",
        summary: "The type of a directive argument changed, so that a value that was right is refused.",
        inspector: &["DIRECTIVE_ARGUMENT_TYPE_CHANGED"],
        note: Some("graphql-js 16 does not look at it; version 17 calls it `ARG_CHANGED_KIND`, which is breaking."),
        ..TYPE_CHANGED
    },
    Rule {
        id: "directive-argument-type-widened",
        summary: "An argument of a directive also takes null, or a list that holds null.",
        inspector: &["DIRECTIVE_ARGUMENT_TYPE_CHANGED"],
        ..TYPE_WIDENED
    },
    Rule {
        id: "directive-argument-made-required",
        summary: "An argument of a directive lost its default, and so must be given.",
        inspector: &["DIRECTIVE_ARGUMENT_DEFAULT_VALUE_CHANGED"],
        note: Some("graphql-js 16 does not look at the defaults of directives; but the value has to be given now."),
        ..MADE_REQUIRED
    },
    Rule {
        id: "directive-argument-default-added",
        summary: "The default of a directive argument was added.",
        inspector: &["DIRECTIVE_ARGUMENT_DEFAULT_VALUE_CHANGED"],
        ..DEFAULT_ADDED
    },
    Rule {
        id: "directive-argument-default-removed",
        summary: "The default of a directive argument was removed.",
        inspector: &["DIRECTIVE_ARGUMENT_DEFAULT_VALUE_CHANGED"],
        note: Some("graphql-js 16 does not look at the defaults of directives; version 17 calls it dangerous too."),
        ..DEFAULT_REMOVED
    },
    Rule {
        id: "directive-argument-default-changed",
        summary: "The default of a directive argument was changed.",
        inspector: &["DIRECTIVE_ARGUMENT_DEFAULT_VALUE_CHANGED"],
        note: Some("graphql-js 16 does not look at the defaults of directives; version 17 calls it dangerous too."),
        ..DEFAULT_CHANGED
    },
    Rule {
        id: "directive-argument-description-changed",
        summary: "The description of a directive argument was added, removed or changed.",
        inspector: &["DIRECTIVE_ARGUMENT_DESCRIPTION_CHANGED"],
        ..DESCRIPTION
    },
];

const REQUIRED_ADDED: Rule = Rule {
    help: Some("let it be null or give it a default that keeps the meaning of older requests"),
    reason: "A request that was right lacks it and is refused.",
    describe: |compared| {
        compared.input()?.added().filter(|input| is_required(input))?;
        Some(format!("required {} was added", compared.label()?))
    },
    ..BREAKING
};

const OPTIONAL_ADDED: Rule = Rule {
    reason: "What a request without it means may have changed.",
    describe: |compared| {
        compared.input()?.added().filter(|input| !is_required(input))?;
        Some(format!("optional {} was added", compared.label()?))
    },
    ..DANGEROUS
};

const TYPE_CHANGED: Rule = Rule {
    help: Some(
        "add another one with the new type, deprecate this one with a reason that names it, and remove this one after the \
         notice (docs/adding-a-version.md, \"Change a type\")",
    ),
    reason: "A request that sends such a value, or a variable of the old type, is refused.",
    aspect: Aspect::Type,
    describe: |compared| {
        let (old, new) = compared.input()?.map(|input| &input.ty).kept()?;
        if compatible::input(old, new) { None } else { compared.type_message(old, new) }
    },
    ..BREAKING
};

const TYPE_WIDENED: Rule = Rule {
    reason: "Every value that was right still is.",
    aspect: Aspect::Type,
    describe: |compared| {
        let (old, new) = widened(compared)?;
        if old.ty == new.ty { None } else { compared.type_message(&old.ty, &new.ty) }
    },
    ..SAFE
};

const MADE_REQUIRED: Rule = Rule {
    help: Some("keep the default, or let it be null"),
    reason: "A request that leaves it out is refused.",
    aspect: Aspect::Default,
    describe: |compared| {
        widened(compared).filter(|(old, new)| made_required(old, new))?;
        Some(format!("{} lost its default and must be given", compared.label()?))
    },
    ..BREAKING
};

const DEFAULT_ADDED: Rule = Rule {
    note: Some(
        "graphql-js 17 calls it safe; but a request that leaves the value out means something else from now on \
         (graphql-inspector agrees).",
    ),
    describe: |compared| {
        let (None, Some(new)) = defaults(compared)? else { return None };
        Some(format!("the default `{new}` was added to {}", compared.label()?))
    },
    ..DEFAULT_CHANGED
};

const DEFAULT_REMOVED: Rule = Rule {
    describe: |compared| {
        let (Some(old), None) = defaults(compared)? else { return None };
        Some(format!("the default `{old}` was removed from {}", compared.label()?))
    },
    ..DEFAULT_CHANGED
};

const DEFAULT_CHANGED: Rule = Rule {
    reason: "A request that leaves it out means something else.",
    aspect: Aspect::Default,
    describe: |compared| {
        let (Some(old), Some(new)) = defaults(compared)? else { return None };
        Some(format!("the default was `{old}` and is `{new}` of {}", compared.label()?))
    },
    ..DANGEROUS
};

/// Returns an input, old and new, whose type still takes every value that it took.
fn widened<'a>(compared: &Compared<'a>) -> Option<(&'a Input, &'a Input)> {
    compared.input()?.kept().filter(|(old, new)| compatible::input(&old.ty, &new.ty))
}

/// Returns the normalised defaults of an input whose default changed, unless it became required.
fn defaults(compared: &Compared<'_>) -> Option<(Option<String>, Option<String>)> {
    let (old, new) = widened(compared).filter(|(old, new)| !made_required(old, new))?;
    let pair = compared.pair;
    let defaults = (default::normal(&pair.old.schema, old), default::normal(&pair.new.schema, new));
    (defaults.0 != defaults.1).then_some(defaults)
}

fn made_required(old: &Input, new: &Input) -> bool {
    is_required(new) && !is_required(old)
}

fn is_required(input: &Input) -> bool {
    input.ty.is_non_null() && input.default.is_none()
}
