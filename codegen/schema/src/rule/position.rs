//! A type stands only where its kind may: outputs in fields, inputs in arguments, objects in unions and as roots,
//! interfaces after `implements` (specification, sections 3.4.1, 3.6, 3.8, 3.3.1).

use cynic_parser::type_system::{Definition, TypeDefinition};

use super::document::TypeKind::{self, Enum, Input, Interface, Object, Scalar, Union};
use super::document::{Document, fields};
use crate::diagnostic::{Diagnostic, Span};

/// The kinds a field can return.
const OUTPUT: &[TypeKind] = &[Scalar, Object, Interface, Union, Enum];
/// The kinds a caller can send.
const INPUT: &[TypeKind] = &[Scalar, Enum, Input];

pub(super) fn check(document: &Document<'_>, found: &mut Vec<Diagnostic>) {
    for definition in document.definitions() {
        match definition {
            Definition::Schema(schema) => {
                for root in schema.root_operations() {
                    let span = root.named_type_span().into();
                    place(document, root.named_type(), span, &[Object], "a root", found);
                }
            }
            Definition::Type(ty) => {
                for (name, span) in document.implements(ty) {
                    place(document, name, span, &[Interface], "implemented", found);
                }
                for field in fields(ty) {
                    place(
                        document,
                        field.ty().name(),
                        field.ty().name_span().into(),
                        OUTPUT,
                        "the type of a field",
                        found,
                    );
                }
                if let TypeDefinition::Union(union) = ty {
                    for member in union.members() {
                        place(document, member.name(), member.span().into(), &[Object], "a member of a union", found);
                    }
                }
            }
            _ => {}
        }
    }
    for input in document.inputs() {
        let (ty, what) = (input.input.ty(), if input.argument { "an argument" } else { "a field of an input" });
        place(document, ty.name(), ty.name_span().into(), INPUT, &format!("the type of {what}"), found);
    }
}

/// Reports the type called `name` where its kind is none of `allowed`; an unknown type is another rule's.
fn place(
    document: &Document<'_>,
    name: &str,
    span: Span,
    allowed: &[TypeKind],
    what: &str,
    found: &mut Vec<Diagnostic>,
) {
    let Some(kind) = document.kind(name).filter(|kind| !allowed.contains(kind)) else { return };
    // The usual slip: `Deceased` where `DeceasedInput` was meant, or the other way round.
    let twin = if kind == Input { name.trim_end_matches("Input").to_owned() } else { format!("{name}Input") };
    let twin = document.kind(&twin).filter(|kind| allowed.contains(kind)).map(|_| &*twin);
    found.push(
        Diagnostic::new(span, format!("`{name}` cannot be {what}"), format!("this is {}", kind.noun()))
            .did_you_mean(twin),
    );
}
