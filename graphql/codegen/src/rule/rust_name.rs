//! Every name of the schema has a Rust name, distinct except for values of enums, and every scalar a Rust type.

use std::collections::BTreeMap;

use dated_graphql_schema::diagnostic::{Diagnostic, Span};
use dated_graphql_schema::rule::{BUILT_IN, Document, TypeKind};
use dated_graphql_syntax::Name;

use crate::emit::{RustPaths, field_name, hidden_names, type_name};
use crate::load::PROJECT;

/// The name of the context argument of generated methods.
const CONTEXT: &str = "cx";

pub(super) fn check(document: &Document<'_>, names: &RustPaths, found: &mut Vec<Diagnostic>) {
    types(document, names, found);
    for ty in document.types {
        let members = ty.fields.iter().map(|field| &field.name);
        distinct(members, field_name, &format!("fields of `{}`", ty.name.text), found);
        for value in &ty.values {
            has_rust_name(value.name.text, value.name.span, found);
        }
    }
    for group in document.input_groups() {
        let inputs = group.inputs.iter().map(|input| &input.name);
        for input in group.inputs.iter().filter(|input| group.argument && input.name.text == CONTEXT) {
            let message = format!("`{CONTEXT}` is what generated code calls the context");
            let help = "choose another name".to_owned();
            found.push(Diagnostic::new(input.name.span, message, "taken").help(help));
        }
        let what = if group.argument { "arguments" } else { "fields" };
        distinct(inputs, field_name, &format!("{what} of `{}`", group.owner), found);
    }
}

/// Checks types: a scalar has a Rust type; any other type does not hide a type that generated code uses.
fn types(document: &Document<'_>, names: &RustPaths, found: &mut Vec<Diagnostic>) {
    let hidden = hidden_names(names);
    let items: Vec<_> = document.types.iter().filter(|ty| ty.kind != TypeKind::Scalar).collect();
    distinct(items.iter().map(|ty| &ty.name), type_name, "types", found);
    for ty in items.into_iter().filter(|ty| hidden.contains(&type_name(ty.name.text))) {
        let message = format!("`{}` would hide a Rust type that generated code uses", ty.name.text);
        found.push(Diagnostic::new(ty.name.span, message, "taken").help("choose another name".to_owned()));
    }
    for ty in document.types.iter().filter(|ty| ty.kind == TypeKind::Scalar && !BUILT_IN.contains(&ty.name.text)) {
        if !names.scalars.contains_key(ty.name.text) {
            let message = format!("scalar `{}` has no Rust type", ty.name.text);
            let help = format!("add `[scalar.{}]` with its Rust types `input` and `output` to {PROJECT}", ty.name.text);
            found.push(Diagnostic::new(ty.name.span, message, "not known to the generator").help(help));
        }
    }
}

/// Reports a name without a Rust name, and a name whose Rust name another name has.
fn distinct<'n>(
    names: impl IntoIterator<Item = &'n Name<'n>>,
    rust_name: fn(&str) -> String,
    what: &str,
    found: &mut Vec<Diagnostic>,
) {
    let mut seen: BTreeMap<String, (&str, Span)> = BTreeMap::new();
    for &Name { text: name, span, .. } in names {
        if !has_rust_name(name, span, found) {
            continue;
        }
        let rust = rust_name(name);
        match seen.get(&rust) {
            // Another rule reports a duplicate name.
            Some((first, _)) if *first == name => {}
            Some((first, first_span)) => {
                let message = format!("the {what} `{first}` and `{name}` are both `{rust}` in Rust");
                found.push(Diagnostic::new(span, message, "the same in Rust").related(*first_span, "as this"));
            }
            None => {
                seen.insert(rust, (name, span));
            }
        }
    }
}

/// Returns whether a name has a Rust name; reports it otherwise.
fn has_rust_name(name: &str, span: Span, found: &mut Vec<Diagnostic>) -> bool {
    let begins_with_letter =
        name.contains(|c: char| c.is_ascii_alphabetic()) && !type_name(name).starts_with(|c: char| c.is_ascii_digit());
    if !begins_with_letter {
        let message = format!("`{name}` has no Rust name");
        found.push(
            Diagnostic::new(span, message, "does not begin with a letter").help("choose another name".to_owned()),
        );
    }
    begins_with_letter
}
