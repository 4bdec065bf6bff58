//! Rules for the use of directives: each is known, allowed at its location, used once, and its arguments are right
//! (GraphQL specification, section 3.13).

use std::collections::BTreeMap;

use dated_graphql_syntax::{Directive, InputValueDefinition};

use super::document::{Document, duplicate_spans, duplicates, used_directives};
use super::value;
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
        for directive in directives {
            match defined.get(directive.name.text) {
                Some(definition) => used(document, directive, definition, location, found),
                None => {
                    let near = nearest(directive.name.text, defined.keys().copied()).map(|near| format!("@{near}"));
                    let message = format!("there is no directive `@{}`", directive.name.text);
                    let diagnostic = Diagnostic::new(directive.name_span(), message, "not in this file");
                    found.push(diagnostic.did_you_mean(near.as_deref()));
                }
            }
        }
        let once =
            directives.iter().filter(|directive| defined.get(directive.name.text).is_some_and(|d| !d.repeatable));
        let names = once.map(|directive| (directive.name.text, directive.name_span()));
        duplicate_spans(names, |name| format!("`@{name}` is not repeatable"), found);
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
    for directive in document.directives {
        let arguments = directive.arguments.iter();
        let arguments = arguments.map(|argument| (argument.name.text, Ty::from(&argument.ty), argument.is_required()));
        let (locations, repeatable) = (directive.locations.clone(), directive.repeatable);
        defined.insert(directive.name.text, Defined { locations, repeatable, arguments: arguments.collect() });
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
    let name = directive.name.text;
    if !definition.locations.contains(&location) {
        let message = format!("`@{name}` is not allowed on {location}");
        let help = format!("it is allowed on {}", definition.locations.join(", "));
        found.push(Diagnostic::new(directive.name_span(), message, "not here").help(help));
    }
    let given = directive.arguments.iter().map(|argument| &argument.name);
    duplicates(given, |argument| format!("argument `{argument}` of `@{name}` is given twice"), found);
    for argument in &directive.arguments {
        match definition.arguments.iter().find(|(known, ..)| *known == argument.name.text) {
            Some((_, ty, _)) => value::check(document, ty, &argument.value, "this argument", found),
            None => {
                let message = format!("`@{name}` has no argument `{}`", argument.name.text);
                let known = || definition.arguments.iter().map(|(known, ..)| *known);
                let near = nearest(argument.name.text, known()).or(known().next().filter(|_| known().count() == 1));
                found.push(Diagnostic::new(argument.name.span, message, "no such argument").did_you_mean(near));
            }
        }
    }
    for (required, ..) in definition.arguments.iter().filter(|(_, _, required)| *required) {
        if !directive.arguments.iter().any(|argument| argument.name.text == *required) {
            let message = format!("`@{name}` lacks its argument `{required}`");
            found.push(Diagnostic::new(directive.name_span(), message, format!("add `({required}: …)`")));
        }
    }
}

/// No directive refers to itself: by a directive on its arguments, or by one on a type of them or on what that leads to (GraphQL
/// specification, section 3.13).
pub(super) fn directive_cycle(document: &Document<'_>, found: &mut Vec<Diagnostic>) {
    let (directives, types) = (document.directives, document.types);
    let names = directives.iter().map(|directive| (true, directive.name.text));
    let names = names.chain(types.iter().map(|ty| (false, ty.name.text)));
    let indices: BTreeMap<(bool, &str), usize> = names.enumerate().map(|(at, name)| (name, at)).collect();
    let find = |is_directive: bool, name: &str, span: Span| Some((*indices.get(&(is_directive, name))?, span));
    let used = |below: &mut Vec<(usize, Span)>, directives: &[Directive<'_>]| {
        below.extend(directives.iter().filter_map(|used| find(true, used.name.text, used.name_span())));
    };
    let inputs = |inputs: &[InputValueDefinition<'_>]| {
        let mut below = vec![];
        for input in inputs {
            used(&mut below, &input.directives);
            below.extend(find(false, input.ty.name.text, input.ty.span));
        }
        below
    };
    let mut below: Vec<Vec<(usize, Span)>> = directives.iter().map(|directive| inputs(&directive.arguments)).collect();
    below.extend(types.iter().map(|ty| {
        let mut below = inputs(&ty.inputs);
        used(&mut below, &ty.directives);
        ty.values.iter().for_each(|value| used(&mut below, &value.directives));
        below
    }));
    let graph = Graph::new(below.iter().map(|below| below.iter().map(|(to, _)| *to).collect()).collect());
    for (at, directive) in directives.iter().enumerate() {
        for (to, span) in below[at].iter().filter(|(to, _)| graph.in_cycle(at, *to)) {
            let name = directive.name.text;
            let label = if *to == at { "itself" } else { "leads back to it" };
            found.push(Diagnostic::new(*span, format!("directive `@{name}` refers to itself"), label));
        }
    }
}
