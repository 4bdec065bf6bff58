//! Changes of the definition of a directive, except its arguments.

use super::definition::{ADDED, BREAKING, DESCRIPTION, REMOVED, Rule, SAFE};
use crate::diff::element::{Element, Pairing};

pub(super) const RULES: &[Rule] = &[
    Rule {
        id: "directive-removed",
        summary: "A directive was removed.",
        reason: "A document that uses it is refused.",
        graphql_js: Some("DIRECTIVE_REMOVED"),
        inspector: &["DIRECTIVE_REMOVED"],
        ..REMOVED
    },
    Rule { id: "directive-added", summary: "A directive was added.", inspector: &["DIRECTIVE_ADDED"], ..ADDED },
    Rule {
        id: "directive-description-changed",
        summary: "The description of a directive was added, removed or changed.",
        inspector: &["DIRECTIVE_DESCRIPTION_CHANGED"],
        ..DESCRIPTION
    },
    Rule {
        id: "directive-repeatable-removed",
        summary: "A directive is no longer repeatable.",
        reason: "A document that repeats it is refused.",
        graphql_js: Some("DIRECTIVE_REPEATABLE_REMOVED"),
        inspector: &["DIRECTIVE_REPEATABLE_REMOVED"],
        note: Some("graphql-inspector calls it dangerous; ours is the level of graphql-js."),
        describe: |compared| {
            let repeatable = compared.directive()?.map(|directive| directive.repeatable).kept()?;
            (repeatable == (true, false))
                .then(|| format!("directive `{}` is no longer repeatable", compared.coordinate))
        },
        ..BREAKING
    },
    Rule {
        id: "directive-repeatable-added",
        summary: "A directive became repeatable.",
        inspector: &["DIRECTIVE_REPEATABLE_ADDED"],
        describe: |compared| {
            let repeatable = compared.directive()?.map(|directive| directive.repeatable).kept()?;
            (repeatable == (false, true))
                .then(|| format!("directive `{}` is repeatable from now on", compared.coordinate))
        },
        ..SAFE
    },
    Rule {
        id: "directive-location-removed",
        summary: "A location of a directive was removed.",
        reason: "A document that has it there is refused.",
        graphql_js: Some("DIRECTIVE_LOCATION_REMOVED"),
        inspector: &["DIRECTIVE_LOCATION_REMOVED"],
        describe: |compared| {
            let Element::Location(Pairing::Removed(name)) = compared.element else { return None };
            Some(format!("location {name} was removed from directive `{}`", compared.coordinate))
        },
        ..BREAKING
    },
    Rule {
        id: "directive-location-added",
        summary: "A location was added to a directive.",
        inspector: &["DIRECTIVE_LOCATION_ADDED"],
        describe: |compared| {
            let Element::Location(Pairing::Added(name)) = compared.element else { return None };
            Some(format!("location {name} was added to directive `{}`", compared.coordinate))
        },
        ..SAFE
    },
];
