//! Rules for the use of directives: each is known, allowed at its location, used once, and its arguments are right
//! (GraphQL specification, section 3.13).

use std::collections::BTreeMap;

use cynic_parser::type_system::{Directive, InputValueDefinition, TypeDefinition};

use super::document::{Document, duplicates, used_directives};
use super::value;
use crate::ast::type_reference;
use crate::diagnostic::{Diagnostic, Span};
use crate::graph::Graph;
use crate::model::{Ty, Wrap};
use crate::nearest::nearest;

/// The definition of a directive.
struct Defined<'a> {
    locations: Vec<&'static str>,
    repeatable: bool,
    /// Name, type, and whether it is required.
    arguments: Vec<(&'a str, Ty, bool)>,
}

pub(super) fn check(document: &Document<'_>, found: &mut Vec<Diagnostic>) {
    let defined = defined(document);
    for (directives, location) in used_directives(document) {
        for directive in &directives {
            match defined.get(directive.name()) {
                Some(definition) => used(document, directive, definition, location, found),
                None => {
                    let near = nearest(directive.name(), defined.keys().copied()).map(|near| format!("@{near}"));
                    let message = format!("there is no directive `@{}`", directive.name());
                    let diagnostic = Diagnostic::new(name_span(directive), message, "not in this file");
                    found.push(diagnostic.did_you_mean(near.as_deref()));
                }
            }
        }
        let once = directives.iter().filter(|directive| defined.get(directive.name()).is_some_and(|d| !d.repeatable));
        let names = once.map(|directive| (directive.name(), name_span(directive)));
        duplicates(names, |name| format!("`@{name}` is not repeatable"), found);
    }
}

/// Returns the directives of the specification and those of the document.
fn defined<'a>(document: &Document<'a>) -> BTreeMap<&'a str, Defined<'a>> {
    let string = || Ty { wrap: vec![Wrap::NonNull], name: "String".to_owned() };
    let built_in =
        |locations: &[&'static str], arguments| Defined { locations: locations.to_vec(), repeatable: false, arguments };
    let deprecated = ["FIELD_DEFINITION", "ARGUMENT_DEFINITION", "INPUT_FIELD_DEFINITION", "ENUM_VALUE"];
    let mut defined = BTreeMap::from([
        ("deprecated", built_in(&deprecated, vec![("reason", string(), false)])),
        ("specifiedBy", built_in(&["SCALAR"], vec![("url", string(), true)])),
        ("oneOf", built_in(&["INPUT_OBJECT"], vec![])),
    ]);
    for directive in document.directives() {
        let arguments = directive.arguments().map(|argument| {
            let required = argument.ty().is_non_null() && argument.default_value().is_none();
            (argument.name(), type_reference(argument.ty()), required)
        });
        let locations = directive.locations().map(|location| location.as_str()).collect();
        let repeatable = directive.is_repeatable();
        defined.insert(directive.name(), Defined { locations, repeatable, arguments: arguments.collect() });
    }
    defined
}

fn used(
    document: &Document<'_>,
    directive: &Directive<'_>,
    definition: &Defined<'_>,
    location: &'static str,
    found: &mut Vec<Diagnostic>,
) {
    let name = directive.name();
    if !definition.locations.contains(&location) {
        let message = format!("`@{name}` is not allowed on {location}");
        let help = format!("it is allowed on {}", definition.locations.join(", "));
        found.push(Diagnostic::new(name_span(directive), message, "not here").help(help));
    }
    let given = directive.arguments().map(|argument| (argument.name(), argument.name_span().into()));
    duplicates(given, |argument| format!("argument `{argument}` of `@{name}` is given twice"), found);
    for argument in directive.arguments() {
        match definition.arguments.iter().find(|(known, ..)| *known == argument.name()) {
            Some((_, ty, _)) => value::check(document, ty, argument.value(), "this argument", found),
            None => {
                let message = format!("`@{name}` has no argument `{}`", argument.name());
                let known = || definition.arguments.iter().map(|(known, ..)| *known);
                let near = nearest(argument.name(), known()).or(known().next().filter(|_| known().count() == 1));
                found.push(Diagnostic::new(argument.name_span(), message, "no such argument").did_you_mean(near));
            }
        }
    }
    for (required, ..) in definition.arguments.iter().filter(|(_, _, required)| *required) {
        if !directive.arguments().any(|argument| argument.name() == *required) {
            let message = format!("`@{name}` lacks its argument `{required}`");
            found.push(Diagnostic::new(name_span(directive), message, format!("add `({required}: …)`")));
        }
    }
}

/// No directive refers to itself: by a directive on its arguments, or by one on a type of them or on what that leads to (GraphQL
/// specification, section 3.13).
pub(super) fn directive_cycle(document: &Document<'_>, found: &mut Vec<Diagnostic>) {
    let directives: Vec<_> = document.directives().collect();
    let types: Vec<_> = document.types().collect();
    let names = directives.iter().map(|directive| (true, directive.name()));
    let names = names.chain(types.iter().map(|ty| (false, ty.name())));
    let indices: BTreeMap<(bool, &str), usize> = names.enumerate().map(|(at, name)| (name, at)).collect();
    let find = |is_directive: bool, name: &str, span: Span| Some((*indices.get(&(is_directive, name))?, span));
    let used = |used: &mut Vec<(usize, Span)>, directives: &mut dyn Iterator<Item = Directive<'_>>| {
        used.extend(directives.filter_map(|directive| find(true, directive.name(), name_span(&directive))));
    };
    let inputs = |inputs: &mut dyn Iterator<Item = InputValueDefinition<'_>>| {
        let mut below = vec![];
        for input in inputs {
            used(&mut below, &mut input.directives());
            below.extend(find(false, input.ty().name(), input.ty().span().into()));
        }
        below
    };
    let mut below: Vec<Vec<(usize, Span)>> =
        directives.iter().map(|directive| inputs(&mut directive.arguments())).collect();
    below.extend(types.iter().map(|ty| {
        let mut below = match ty {
            TypeDefinition::InputObject(input) => inputs(&mut input.fields()),
            _ => vec![],
        };
        used(&mut below, &mut ty.directives());
        if let TypeDefinition::Enum(definition) = ty {
            definition.values().for_each(|value| used(&mut below, &mut value.directives()));
        }
        below
    }));
    let graph = Graph::new(below.iter().map(|below| below.iter().map(|(to, _)| *to).collect()).collect());
    for (at, directive) in directives.iter().enumerate() {
        for (to, span) in below[at].iter().filter(|(to, _)| graph.in_cycle(at, *to)) {
            let name = directive.name();
            let label = if *to == at { "itself" } else { "leads back to it" };
            found.push(Diagnostic::new(*span, format!("directive `@{name}` refers to itself"), label));
        }
    }
}

fn name_span(directive: &Directive<'_>) -> Span {
    directive.name_span().into()
}
