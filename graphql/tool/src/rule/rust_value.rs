//! The query root is the type of a field only where generated code can write it, the mutation root is no value, and the
//! fields of a struct have no arguments.

use cynic_parser::common::OperationType;
use cynic_parser::type_system::{Definition, TypeDefinition};
use schema::diagnostic::{Diagnostic, Span};
use schema::rule::{Document, TypeKind, fields, kind};

pub(super) fn check(document: &Document<'_>, found: &mut Vec<Diagnostic>) {
    let roots = Roots::read(document);
    let returned: Vec<&str> = document.types().flat_map(fields).map(|field| field.ty().name()).collect();
    for ty in document.types() {
        // An object is a struct unless it is a root or a `Node`; its fields are values without a resolver.
        let is_struct = document.get(roots.query).is_some()
            && kind(ty) == TypeKind::Object
            && !roots.contains(ty.name())
            && document.implements(ty).iter().all(|(interface, _)| *interface != "Node");
        for field in fields(ty) {
            if let (true, Some(argument)) = (is_struct, field.arguments().next()) {
                let message = format!(
                    "`{}.{}` takes an argument, but `{0}` is a struct in Rust, whose fields have no resolver to read it",
                    ty.name(),
                    field.name()
                );
                let help =
                    format!("let `{}` implement `Node`, or move the argument to the field that returns it", ty.name());
                found.push(Diagnostic::new(argument.name_span(), message, "would have no effect").help(help));
            }
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
            let is_returned = |name: &str| returned.contains(&name) && document.kind(name) == Some(TypeKind::Interface);
            let interfaces = document.implements(ty).into_iter().filter(|(interface, _)| is_returned(interface));
            found.extend(interfaces.map(|(interface, span)| {
                let message = format!("`{}` is a root, so no field can return it as `{interface}`", ty.name());
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
