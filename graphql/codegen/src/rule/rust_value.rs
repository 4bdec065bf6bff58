//! The query root is the type of a field only where generated code can write it, and the mutation root is no value.

use cynic_parser::common::OperationType;
use cynic_parser::type_system::{Definition, TypeDefinition};
use schema::diagnostic::{Diagnostic, Span};
use schema::rule::{Document, TypeKind, fields, kind};

pub(super) fn check(document: &Document<'_>, found: &mut Vec<Diagnostic>) {
    let roots = Roots::read(document);
    let returned: Vec<&str> = document.types().flat_map(fields).map(|field| field.ty().name()).collect();
    for ty in document.types() {
        for field in fields(ty) {
            let (of, span) = (field.ty().name(), field.ty().name_span());
            if roots.mutation == Some(of) {
                found.push(not_a_value(span, format!("`{of}` is the mutation root, so no field can return it")));
            } else if of == roots.query && (field.ty().is_list() || field.arguments().next().is_some()) {
                let message = format!("a field returns the query root as `{of}` or `{of}!`, without arguments");
                found.push(not_a_value(span, message));
            }
        }
        if let TypeDefinition::Union(union) = ty {
            let members = union.members().filter(|member| roots.contains(member.name()));
            found.extend(members.map(|member| {
                not_a_value(member.span(), format!("`{}` is a root, so no union contains it", member.name()))
            }));
        }
        if roots.contains(ty.name()) {
            // A root is not among the values of an interface, which needs others.
            let has_values = |name: &str| {
                let mut others =
                    document.types().filter(|ty| kind(*ty) == TypeKind::Object && !roots.contains(ty.name()));
                others.any(|ty| document.implements(ty).iter().any(|(interface, _)| *interface == name))
            };
            let returned = |name: &str| returned.contains(&name) && document.kind(name) == Some(TypeKind::Interface);
            let interfaces = document.implements(ty).into_iter();
            let interfaces = interfaces.filter(|(interface, _)| returned(interface) && !has_values(interface));
            found.extend(interfaces.map(|(interface, span)| {
                let message =
                    format!("only the root `{}` implements `{interface}`, and no field can return a root", ty.name());
                not_a_value(span, message)
            }));
        }
    }
}

fn not_a_value(span: impl Into<Span>, message: String) -> Diagnostic {
    Diagnostic::new(span, message, "not a value in Rust")
}

/// The names of the roots.
struct Roots<'a> {
    query: &'a str,
    mutation: Option<&'a str>,
}

impl<'a> Roots<'a> {
    fn read(document: &Document<'a>) -> Self {
        let mut roots = Self { query: "Query", mutation: Some("Mutation") };
        for definition in document.definitions() {
            let Definition::Schema(schema) = definition else { continue };
            roots.mutation = None;
            for root in schema.root_operations() {
                match root.operation_type() {
                    OperationType::Query => roots.query = root.named_type(),
                    OperationType::Mutation => roots.mutation = Some(root.named_type()),
                    OperationType::Subscription => {}
                }
            }
        }
        roots
    }

    fn contains(&self, name: &str) -> bool {
        self.query == name || self.mutation == Some(name)
    }
}
