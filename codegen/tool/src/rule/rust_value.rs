//! Every value has a size in Rust: a struct holds itself only in a list, and no field returns a root.

use cynic_parser::type_system::{Definition, TypeDefinition};
use schema::diagnostic::{Diagnostic, Span};
use schema::rule::{Document, TypeKind, fields, kind};

pub(super) fn check(document: &Document<'_>, found: &mut Vec<Diagnostic>) {
    let roots = roots(document);
    for ty in document.types() {
        for field in fields(ty).into_iter().filter(|field| roots.contains(&field.ty().name())) {
            let message = format!("`{}` is a root, so no field can return it", field.ty().name());
            found.push(Diagnostic::new(field.ty().name_span(), message, "not a value in Rust"));
        }
        for (name, below, span) in held(document, ty, &roots) {
            if leads_to(document, below, ty.name(), &roots, &mut vec![]) {
                let message = format!("`{}` holds itself, so it has no size in Rust", ty.name());
                let help = match kind(ty) {
                    TypeKind::Input => format!("make `{name}` a list"),
                    _ => format!("make `{name}` a list, or let `{}` implement Node", ty.name()),
                };
                found.push(Diagnostic::new(span, message, "leads back to it").help(help));
            }
        }
    }
}

fn roots<'a>(document: &Document<'a>) -> Vec<&'a str> {
    let schema = document.definitions().find_map(|definition| match definition {
        Definition::Schema(schema) => Some(schema.root_operations().map(|root| root.named_type()).collect()),
        _ => None,
    });
    schema.unwrap_or_else(|| vec!["Query", "Mutation"])
}

/// Returns the fields that a value of the type stores inline, which are not lists: name, type and span.
fn held<'a>(document: &Document<'a>, ty: TypeDefinition<'a>, roots: &[&str]) -> Vec<(&'a str, &'a str, Span)> {
    let implements = |name: &str| document.implements(ty).iter().any(|(interface, _)| *interface == name);
    match ty {
        // An entity or a root is not stored inline.
        TypeDefinition::Object(_) if implements("Node") || roots.contains(&ty.name()) => vec![],
        TypeDefinition::Object(_) => {
            let fields = fields(ty).into_iter().filter(|field| !field.ty().is_list());
            fields.map(|field| (field.name(), field.ty().name(), field.ty().span().into())).collect()
        }
        // Only the optional fields: `input_cycle` reports a cycle of required ones.
        TypeDefinition::InputObject(input) => {
            let fields = input.fields().filter(|field| !field.ty().is_list() && !field.ty().is_non_null());
            fields.map(|field| (field.name(), field.ty().name(), field.ty().span().into())).collect()
        }
        _ => vec![],
    }
}

/// Returns the types that a value of the type called `name` stores inline.
fn below<'a>(document: &Document<'a>, name: &'a str, roots: &[&str]) -> Vec<&'a str> {
    let Some(ty) = document.get(name) else { return vec![] };
    match ty {
        TypeDefinition::Interface(_) => {
            let implementer = |ty: &TypeDefinition<'a>| {
                kind(*ty) == TypeKind::Object
                    && document.implements(*ty).iter().any(|(interface, _)| *interface == name)
            };
            document.types().filter(implementer).map(|ty| ty.name()).collect()
        }
        TypeDefinition::Union(union) => union.members().map(|member| member.name()).collect(),
        TypeDefinition::InputObject(input) => {
            input.fields().filter(|field| !field.ty().is_list()).map(|field| field.ty().name()).collect()
        }
        _ => held(document, ty, roots).into_iter().map(|(_, below, _)| below).collect(),
    }
}

fn leads_to<'a>(document: &Document<'a>, from: &'a str, to: &str, roots: &[&str], seen: &mut Vec<&'a str>) -> bool {
    if from == to {
        return true;
    }
    if seen.contains(&from) {
        return false;
    }
    seen.push(from);
    below(document, from, roots).into_iter().any(|name| leads_to(document, name, to, roots, seen))
}
