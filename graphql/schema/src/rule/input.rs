//! Rules for arguments and the fields of inputs.

use std::collections::BTreeMap;

use dated_graphql_syntax::{InputValueDefinition, TypeDefinition, TypeKind};

use super::document::Document;
use super::value;
use crate::diagnostic::Diagnostic;
use crate::graph::Graph;
use crate::model::{Ty, Wrap};

/// A default is a value of its type (GraphQL specification, sections 3.6.1 and 3.10).
pub(super) fn default_value(document: &Document<'_>, found: &mut Vec<Diagnostic>) {
    for located in document.inputs() {
        if let Some(default) = &located.input.default {
            value::check(document, &Ty::from(&located.input.ty), default, "this default", found);
        }
    }
}

/// A required argument or input field cannot be deprecated (GraphQL specification, section 3.13.3).
pub(super) fn deprecation(document: &Document<'_>, found: &mut Vec<Diagnostic>) {
    for located in document.inputs() {
        let required = located.input.is_required();
        let mut directives = located.input.directives.iter();
        if let Some(deprecated) = directives.find(|directive| directive.name.text == "deprecated" && required) {
            let message = format!("`{}` is required, so it cannot be deprecated", located.path);
            let diagnostic = Diagnostic::new(deprecated.name_span(), message, "deprecated here");
            let help = "make it nullable, or give it a default, in an earlier version".to_owned();
            found.push(diagnostic.related(located.input.ty.span, "required here").help(help));
        }
    }
}

/// An input has a finite value: it does not require itself (GraphQL specification, section 3.10).
///
/// A field that is nullable or a list is a way out. Of a `@oneOf` input, one field has to be given, so all of its fields but lists
/// have to be without a value for it to have none.
pub(super) fn input_cycle(document: &Document<'_>, found: &mut Vec<Diagnostic>) {
    let inputs: Vec<_> = document.types.iter().filter(|ty| ty.kind == TypeKind::Input).collect();
    let indices: BTreeMap<&str, usize> = inputs.iter().enumerate().rev().map(|(at, ty)| (ty.name.text, at)).collect();
    let needed: Vec<Vec<_>> = inputs.iter().map(|input| needed(input, &indices)).collect();
    let below = |at: usize| needed[at].iter().map(|(_, to)| *to);
    let graph = Graph::new((0..inputs.len()).map(|at| below(at).collect()).collect());
    let above = graph.reversed();
    let mut has_value = vec![false; inputs.len()];
    let mut open: Vec<usize> = (0..inputs.len()).collect();
    while let Some(at) = open.pop() {
        let value = match inputs[at].is_one_of() {
            true => needed[at].len() < inputs[at].inputs.len() || below(at).any(|to| has_value[to]),
            false => below(at).all(|to| has_value[to]),
        };
        if value && !std::mem::replace(&mut has_value[at], true) {
            open.extend(&above[at]);
        }
    }
    for (at, input) in inputs.iter().enumerate() {
        for (field, _) in needed[at].iter().filter(|(_, to)| !has_value[*to] && graph.in_cycle(at, *to)) {
            let message = format!("`{}` requires itself, so it has no value", input.name.text);
            let diagnostic = Diagnostic::new(field.ty.span, message, "leads back to it without a way out");
            let help = match input.is_one_of() {
                true => "add a field that does not lead back to it".to_owned(),
                false => format!("make `{}` nullable, or a list", field.name.text),
            };
            found.push(diagnostic.help(help));
        }
    }
}

/// Returns the fields of an input that need a value of an input, with the index of that input: the required ones, or all of a
/// `@oneOf` input, but no lists.
fn needed<'a>(
    input: &'a TypeDefinition<'a>,
    indices: &BTreeMap<&str, usize>,
) -> Vec<(&'a InputValueDefinition<'a>, usize)> {
    let is_needed = |field: &&InputValueDefinition<'_>| {
        !field.ty.wrap.contains(&Wrap::List) && (input.is_one_of() || field.ty.is_non_null())
    };
    let fields = input.inputs.iter().filter(is_needed);
    fields.filter_map(|field| Some((field, *indices.get(field.ty.name.text)?))).collect()
}

/// Every field of a `@oneOf` input is optional and has no default (GraphQL specification, section 3.10.1).
pub(super) fn one_of(document: &Document<'_>, found: &mut Vec<Diagnostic>) {
    for input in document.types.iter().filter(|ty| ty.is_one_of()) {
        for field in &input.inputs {
            let path = format!("{}.{}", input.name.text, field.name.text);
            if field.ty.is_non_null() {
                let message =
                    format!("`{path}` must be nullable, because `{}` takes one of its fields", input.name.text);
                let help = format!("write `{}`", field.ty.to_string().trim_end_matches('!'));
                found.push(Diagnostic::new(field.ty.span, message, "not nullable").help(help));
            }
            if let Some(default) = &field.default {
                let message =
                    format!("`{path}` cannot have a default, because `{}` takes one of its fields", input.name.text);
                found.push(Diagnostic::new(default.span, message, "a default"));
            }
        }
    }
}
