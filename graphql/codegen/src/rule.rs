//! The rule that generated Rust adds to those of GraphQL: the query root is the type of a field only where generated code can
//! write it, and the mutation root is no value.

use dated_graphql_schema::diagnostic::{Diagnostic, Span};
use dated_graphql_schema::rule::{Document, TypeKind};
use dated_graphql_syntax::{OperationKind, Wrap};

/// Reports every violation.
pub fn check(document: &Document<'_>, found: &mut Vec<Diagnostic>) {
    let roots = Roots::read(document);
    let returned: Vec<&str> = document.types.iter().flat_map(|ty| &ty.fields).map(|field| field.ty.name.text).collect();
    for ty in document.types {
        for field in &ty.fields {
            let (of, span) = (field.ty.name.text, field.ty.name.span);
            if roots.mutation == Some(of) {
                found.push(not_a_value(span, format!("`{of}` is the mutation root, so no field can return it")));
            } else if of == roots.query && (field.ty.wrap.contains(&Wrap::List) || !field.arguments.is_empty()) {
                let message = format!("a field returns the query root as `{of}` or `{of}!`, without arguments");
                found.push(not_a_value(span, message));
            }
        }
        let members = ty.members.iter().filter(|member| roots.contains(member.text));
        found.extend(
            members.map(|member| {
                not_a_value(member.span, format!("`{}` is a root, so no union contains it", member.text))
            }),
        );
        if roots.contains(ty.name.text) {
            // A root is not among the values of an interface, which needs others.
            let has_values = |name: &str| {
                let others =
                    document.types.iter().filter(|ty| ty.kind == TypeKind::Object && !roots.contains(ty.name.text));
                others.flat_map(|ty| &ty.implements).any(|interface| interface.text == name)
            };
            let returned = |name: &str| returned.contains(&name) && document.kind(name) == Some(TypeKind::Interface);
            let interfaces = ty.implements.iter().filter(|name| returned(name.text) && !has_values(name.text));
            found.extend(interfaces.map(|interface| {
                let (root, interface_name) = (ty.name.text, interface.text);
                let message =
                    format!("only the root `{root}` implements `{interface_name}`, and no field can return a root");
                not_a_value(interface.span, message)
            }));
        }
    }
}

fn not_a_value(span: Span, message: String) -> Diagnostic {
    Diagnostic::new(span, message, "not a value in Rust")
}

/// The names of the roots.
struct Roots<'a> {
    query: &'a str,
    mutation: Option<&'a str>,
}

impl<'a> Roots<'a> {
    fn read(document: &Document<'a>) -> Self {
        let Some(schema) = document.schemas.first() else { return Self { query: "Query", mutation: Some("Mutation") } };
        let root = |kind| schema.roots.iter().find(|root| root.kind == kind).map(|root| root.ty.text);
        Self { query: root(OperationKind::Query).unwrap_or("Query"), mutation: root(OperationKind::Mutation) }
    }

    fn contains(&self, name: &str) -> bool {
        self.query == name || self.mutation == Some(name)
    }
}
