//! Rules for interfaces and the types that implement them.

use std::collections::BTreeMap;

use cynic_parser::type_system::{FieldDefinition, TypeDefinition};

use super::document::{Document, TypeKind, fields, kind, name_span};
use crate::ast::type_reference;
use crate::diagnostic::Diagnostic;
use crate::graph::Graph;
use crate::model::{Ty, Wrap};
use crate::nearest::nearest;

/// A type has every field of the interfaces it implements, with a type and arguments that fit, and names the interfaces
/// of its interfaces too (GraphQL specification, section 3.6, `IsValidImplementation`). That it deprecates what its interface does
/// not is a finding of lint: schemas that are published do.
pub(super) fn interface_field(document: &Document<'_>, found: &mut Vec<Diagnostic>) {
    for ty in document.types() {
        let implements = document.implements(ty);
        for (name, span) in &implements {
            let Some(interface) = document.get(name).filter(|ty| kind(*ty) == TypeKind::Interface) else { continue };
            for (above, _) in document.implements(interface) {
                if above != ty.name() && !implements.iter().any(|(name, _)| *name == above) {
                    let message = format!("`{}` implements `{name}`, so it must implement `{above}` too", ty.name());
                    let help = format!("write `implements {name} & {above}`");
                    found.push(Diagnostic::new(*span, message, format!("this implements `{above}`")).help(help));
                }
            }
            for required in fields(interface) {
                implementation(document, ty, name, required, found);
            }
        }
    }
}

/// Compares a field of an interface with that of a type that implements it.
fn implementation<'a>(
    document: &Document<'a>,
    ty: TypeDefinition<'a>,
    interface: &str,
    required: FieldDefinition<'a>,
    found: &mut Vec<Diagnostic>,
) {
    let (parent, name) = (ty.name(), required.name());
    let own = fields(ty);
    let Some(field) = own.iter().find(|field| field.name() == name) else {
        let message = format!("`{parent}` implements `{interface}` but has no field `{name}`");
        let label = format!("add `{name}: {}`", required.ty());
        let near =
            nearest(name, own.iter().map(|field| field.name())).map(|near| format!("is `{near}` meant to be it?"));
        let diagnostic = Diagnostic::new(name_span(ty), message, label).help(near);
        found.push(diagnostic.related(required.name_span(), "required here"));
        return;
    };
    let (have, want) = (type_reference(field.ty()), type_reference(required.ty()));
    if known(document, &have, &want) && !fits(document, &have, &want) {
        let message = format!("`{parent}.{name}` must be `{want}`, as in `{interface}`");
        let diagnostic = Diagnostic::new(field.ty().span(), message, format!("this is `{have}`"));
        found.push(diagnostic.related(required.ty().span(), "required here"));
    }
    arguments(parent, interface, *field, required, found);
}

/// Compares the arguments: none may be missing or of another type, and an added one may not be required.
fn arguments<'a>(
    parent: &str,
    interface: &str,
    field: FieldDefinition<'a>,
    required: FieldDefinition<'a>,
    found: &mut Vec<Diagnostic>,
) {
    let path = format!("{parent}.{}", field.name());
    for wanted in required.arguments() {
        let Some(argument) = field.arguments().find(|argument| argument.name() == wanted.name()) else {
            let message = format!("`{path}` has no argument `{}`, as in `{interface}`", wanted.name());
            let diagnostic =
                Diagnostic::new(field.name_span(), message, format!("add `{}: {}`", wanted.name(), wanted.ty()));
            found.push(diagnostic.related(wanted.name_span(), "required here"));
            continue;
        };
        if argument.ty() != wanted.ty() {
            let message = format!("`{path}({}:)` must be `{}`, as in `{interface}`", wanted.name(), wanted.ty());
            let diagnostic = Diagnostic::new(argument.ty().span(), message, format!("this is `{}`", argument.ty()));
            found.push(diagnostic.related(wanted.ty().span(), "required here"));
        }
    }
    for argument in field.arguments() {
        let added = !required.arguments().any(|wanted| wanted.name() == argument.name());
        if added && argument.ty().is_non_null() && argument.default_value().is_none() {
            let message = format!("`{path}({}:)` is required, but `{interface}` does not have it", argument.name());
            let diagnostic = Diagnostic::new(argument.name_span(), message, "required");
            let diagnostic = diagnostic.help("make it nullable, or give it a default".to_owned());
            found.push(diagnostic.related(required.name_span(), "the field of the interface"));
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
    let implements = |ty| document.implements(ty).iter().any(|(name, _)| *name == want);
    let member = |ty| match ty {
        TypeDefinition::Union(union) => union.members().any(|member| member.name() == have),
        _ => false,
    };
    have == want || document.get(have).is_some_and(implements) || document.get(want).is_some_and(member)
}

/// No interface implements itself, directly or through others (GraphQL specification, section 3.7).
pub(super) fn interface_cycle(document: &Document<'_>, found: &mut Vec<Diagnostic>) {
    let interfaces: Vec<_> = document.types().filter(|ty| kind(*ty) == TypeKind::Interface).collect();
    let indices: BTreeMap<&str, usize> = interfaces.iter().enumerate().map(|(at, ty)| (ty.name(), at)).collect();
    let above: Vec<Vec<_>> = interfaces
        .iter()
        .map(|ty| document.implements(*ty).into_iter().filter_map(|(name, span)| Some((*indices.get(name)?, span))))
        .map(Iterator::collect)
        .collect();
    let graph = Graph::new(above.iter().map(|above| above.iter().map(|(to, _)| *to).collect()).collect());
    for (at, ty) in interfaces.iter().enumerate() {
        for (to, span) in above[at].iter().filter(|(to, _)| graph.in_cycle(at, *to)) {
            let message = format!("interface `{}` implements itself", ty.name());
            let name = interfaces[*to].name();
            let label = if name == ty.name() { "itself".to_owned() } else { format!("`{name}` leads back here") };
            found.push(Diagnostic::new(*span, message, label).help("remove one of them".to_owned()));
        }
    }
}
