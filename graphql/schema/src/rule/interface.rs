//! Rules for interfaces and the types that implement them.

use std::collections::BTreeMap;

use dated_graphql_syntax::{FieldDefinition, Name, TypeDefinition, TypeKind};

use super::document::Document;
use crate::diagnostic::Diagnostic;
use crate::graph::Graph;
use crate::model::{Ty, Wrap};
use crate::nearest::nearest;

/// A type has every field of the interfaces it implements, with a type and arguments that fit, and names the interfaces
/// of its interfaces too (GraphQL specification, section 3.6, `IsValidImplementation`). That it deprecates what its interface does
/// not is a finding of lint: schemas that are published do.
pub(super) fn interface_field(document: &Document<'_>, found: &mut Vec<Diagnostic>) {
    for ty in document.types {
        for Name { text: name, span, .. } in &ty.implements {
            let Some(interface) = document.get(name).filter(|ty| ty.kind == TypeKind::Interface) else { continue };
            for Name { text: above, .. } in &interface.implements {
                if *above != ty.name.text && !implements(ty, above) {
                    let message = format!("`{}` implements `{name}`, so it must implement `{above}` too", ty.name.text);
                    let help = format!("write `implements {name} & {above}`");
                    found.push(Diagnostic::new(*span, message, format!("this implements `{above}`")).help(help));
                }
            }
            for required in &interface.fields {
                implementation(document, ty, name, required, found);
            }
        }
    }
}

/// Compares a field of an interface with that of a type that implements it.
fn implementation<'a>(
    document: &Document<'a>,
    ty: &TypeDefinition<'a>,
    interface: &str,
    required: &FieldDefinition<'a>,
    found: &mut Vec<Diagnostic>,
) {
    let (parent, name) = (ty.name.text, required.name.text);
    let Some(field) = ty.fields.iter().find(|field| field.name.text == name) else {
        let message = format!("`{parent}` implements `{interface}` but has no field `{name}`");
        let label = format!("add `{name}: {}`", required.ty);
        let near = nearest(name, ty.fields.iter().map(|field| field.name.text))
            .map(|near| format!("is `{near}` meant to be it?"));
        let diagnostic = Diagnostic::new(ty.name.span, message, label).help(near);
        found.push(diagnostic.related(required.name.span, "required here"));
        return;
    };
    let (have, want) = (Ty::from(&field.ty), Ty::from(&required.ty));
    if known(document, &have, &want) && !fits(document, &have, &want) {
        let message = format!("`{parent}.{name}` must be `{want}`, as in `{interface}`");
        let diagnostic = Diagnostic::new(field.ty.span, message, format!("this is `{have}`"));
        found.push(diagnostic.related(required.ty.span, "required here"));
    }
    arguments(parent, interface, field, required, found);
}

/// Compares the arguments: none may be missing or of another type, and an added one may not be required.
fn arguments<'a>(
    parent: &str,
    interface: &str,
    field: &FieldDefinition<'a>,
    required: &FieldDefinition<'a>,
    found: &mut Vec<Diagnostic>,
) {
    let path = format!("{parent}.{}", field.name.text);
    for wanted in &required.arguments {
        let Some(argument) = field.arguments.iter().find(|argument| argument.name.text == wanted.name.text) else {
            let message = format!("`{path}` has no argument `{}`, as in `{interface}`", wanted.name.text);
            let diagnostic =
                Diagnostic::new(field.name.span, message, format!("add `{}: {}`", wanted.name.text, wanted.ty));
            found.push(diagnostic.related(wanted.name.span, "required here"));
            continue;
        };
        if Ty::from(&argument.ty) != Ty::from(&wanted.ty) {
            let message = format!("`{path}({}:)` must be `{}`, as in `{interface}`", wanted.name.text, wanted.ty);
            let diagnostic = Diagnostic::new(argument.ty.span, message, format!("this is `{}`", argument.ty));
            found.push(diagnostic.related(wanted.ty.span, "required here"));
        }
    }
    for argument in &field.arguments {
        let added = !required.arguments.iter().any(|wanted| wanted.name.text == argument.name.text);
        if added && argument.is_required() {
            let message = format!("`{path}({}:)` is required, but `{interface}` does not have it", argument.name.text);
            let diagnostic = Diagnostic::new(argument.name.span, message, "required");
            let diagnostic = diagnostic.help("make it nullable, or give it a default".to_owned());
            found.push(diagnostic.related(required.name.span, "the field of the interface"));
        }
    }
}

fn known(document: &Document<'_>, have: &Ty, want: &Ty) -> bool {
    document.kind(&have.name).is_some() && document.kind(&want.name).is_some()
}

/// Returns whether every value of `have` is one of `want`.
fn fits(document: &Document<'_>, have: &Ty, want: &Ty) -> bool {
    let inner = |ty: &Ty| Ty { wrap: ty.wrap[1..].to_vec(), name: ty.name.clone() };
    match (have.wrap.first(), want.wrap.first()) {
        (None, None) => is_a(document, &have.name, &want.name),
        (Some(a), Some(b)) if a == b => fits(document, &inner(have), &inner(want)),
        (Some(Wrap::NonNull), _) => fits(document, &inner(have), want),
        _ => false,
    }
}

fn is_a(document: &Document<'_>, have: &str, want: &str) -> bool {
    let has_member = |ty: &TypeDefinition<'_>| ty.members.iter().any(|member| member.text == have);
    have == want
        || document.get(have).is_some_and(|ty| implements(ty, want))
        || document.get(want).is_some_and(has_member)
}

fn implements(ty: &TypeDefinition<'_>, interface: &str) -> bool {
    ty.implements.iter().any(|name| name.text == interface)
}

/// No interface implements itself, directly or through others (GraphQL specification, section 3.7).
pub(super) fn interface_cycle(document: &Document<'_>, found: &mut Vec<Diagnostic>) {
    let interfaces: Vec<_> = document.types.iter().filter(|ty| ty.kind == TypeKind::Interface).collect();
    let indices: BTreeMap<&str, usize> = interfaces.iter().enumerate().map(|(at, ty)| (ty.name.text, at)).collect();
    let above: Vec<Vec<_>> = interfaces
        .iter()
        .map(|ty| ty.implements.iter().filter_map(|name| Some((*indices.get(name.text)?, name.span))))
        .map(Iterator::collect)
        .collect();
    let graph = Graph::new(above.iter().map(|above| above.iter().map(|(to, _)| *to).collect()).collect());
    for (at, ty) in interfaces.iter().enumerate() {
        for (to, span) in above[at].iter().filter(|(to, _)| graph.in_cycle(at, *to)) {
            let message = format!("interface `{}` implements itself", ty.name.text);
            let name = interfaces[*to].name.text;
            let label = if name == ty.name.text { "itself".to_owned() } else { format!("`{name}` leads back here") };
            found.push(Diagnostic::new(*span, message, label).help("remove one of them".to_owned()));
        }
    }
}
