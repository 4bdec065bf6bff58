//! Checks that a literal is a value of a type (GraphQL specification, section 5.6.1); used for defaults and directives.

use cynic_parser::ConstValue;
use cynic_parser::type_system::{EnumDefinition, InputObjectDefinition, TypeDefinition};

use super::document::{Document, duplicates};
use crate::ast::type_reference;
use crate::diagnostic::Diagnostic;
use crate::model::Ty;
use crate::nearest::nearest;

/// Reports everything in `value` that is not of the type `ty`. `what` names the value in messages: "this default".
pub(super) fn check(document: &Document<'_>, ty: &Ty, value: ConstValue<'_>, what: &str, found: &mut Vec<Diagnostic>) {
    literal(document, value, found);
    of_type(document, ty, value, what, found);
}

/// Reports what is wrong in a value of any type: a field that is given twice (GraphQL specification, section 5.6.3), and a number
/// that is none of 64 bits.
fn literal(document: &Document<'_>, value: ConstValue<'_>, found: &mut Vec<Diagnostic>) {
    match value {
        ConstValue::Object(object) => {
            let names = object.fields().map(|field| (field.name(), field.name_span().into()));
            duplicates(names, |name| format!("field `{name}` is given twice"), found);
            object.fields().for_each(|field| literal(document, field.value(), found));
        }
        ConstValue::List(list) => list.items().for_each(|item| literal(document, item, found)),
        ConstValue::Float(float) if !float.value().is_finite() => {
            let text = &document.source[value.span().start..value.span().end];
            found.push(Diagnostic::new(value.span(), format!("`{text}` is not within 64 bits"), "too large"));
        }
        _ => {}
    }
}

fn of_type(document: &Document<'_>, ty: &Ty, value: ConstValue<'_>, what: &str, found: &mut Vec<Diagnostic>) {
    let mut wrong = |why: &str| found.push(not_of_type(value, ty, what, why));
    if value.is_null() {
        if ty.is_non_null() {
            wrong("cannot be null");
        }
        return;
    }
    if let Some(item) = ty.item() {
        // One value is coerced to a list of one (GraphQL specification, section 3.11).
        match value.as_items() {
            Some(items) => items.for_each(|value| of_type(document, &item, value, what, found)),
            None => of_type(document, &item, value, what, found),
        }
        return;
    }
    let text = &document.source[value.span().start..value.span().end];
    match &*ty.name {
        "Int" if !value.is_int() => wrong("expected a whole number"),
        "Int" if text.parse::<i32>().is_err() => wrong("not within 32 bits"),
        "Float" if !value.is_int() && !value.is_float() => wrong("expected a number"),
        "String" if !value.is_string() => wrong("expected a string"),
        "Boolean" if !value.is_boolean() => wrong("expected `true` or `false`"),
        "ID" if !value.is_string() && !value.is_int() => wrong("expected a string"),
        name => match document.get(name) {
            Some(TypeDefinition::Enum(definition)) => enum_value(document, definition, ty, value, what, found),
            Some(TypeDefinition::InputObject(input)) => input_object(document, input, ty, value, what, found),
            Some(TypeDefinition::Scalar(_)) if value.is_enum() => wrong("expected a string"),
            _ => {}
        },
    }
}

fn not_of_type(value: ConstValue<'_>, ty: &Ty, what: &str, why: &str) -> Diagnostic {
    Diagnostic::new(value.span(), format!("{what} is not of type `{ty}`: {why}"), why)
}

fn enum_value(
    document: &Document<'_>,
    definition: EnumDefinition<'_>,
    ty: &Ty,
    value: ConstValue<'_>,
    what: &str,
    found: &mut Vec<Diagnostic>,
) {
    let names: Vec<&str> = definition.values().map(|value| value.value()).collect();
    let Some(name) = value.as_enum_value() else {
        // A common mistake: the name as a string.
        let text = document.source[value.span().start..value.span().end].trim_matches('"');
        let meant = Some(text).filter(|text| value.is_string() && names.contains(text));
        let diagnostic = not_of_type(value, ty, what, "expected a value of the enum");
        found.push(diagnostic.did_you_mean(meant));
        return;
    };
    if !names.contains(&name) {
        let message = format!("`{name}` is not a value of `{}`", definition.name());
        let diagnostic =
            Diagnostic::new(value.span(), message, "no such value").did_you_mean(nearest(name, names.iter().copied()));
        found.push(diagnostic.related(definition.name_span(), format!("has the values {}", names.join(", "))));
    }
}

fn input_object<'a>(
    document: &Document<'a>,
    input: InputObjectDefinition<'a>,
    ty: &Ty,
    value: ConstValue<'_>,
    what: &str,
    found: &mut Vec<Diagnostic>,
) {
    let Some(object) = value.as_object() else {
        found.push(not_of_type(value, ty, what, "expected an object, `{ … }`"));
        return;
    };
    for given in object.fields() {
        match input.fields().find(|field| field.name() == given.name()) {
            Some(field) => of_type(document, &type_reference(field.ty()), given.value(), what, found),
            None => {
                let near = nearest(given.name(), input.fields().map(|field| field.name()));
                let message = format!("`{}` has no field `{}`", input.name(), given.name());
                found.push(Diagnostic::new(given.name_span(), message, "no such field").did_you_mean(near));
            }
        }
    }
    let mut given = object.fields();
    if input.is_one_of() && !matches!((given.next(), given.next()), (Some(one), None) if !one.value().is_null()) {
        let message = format!("{what} is not of type `{}`: expected one field, which is not null", input.name());
        let diagnostic = Diagnostic::new(value.span(), message, "expected one field, which is not null");
        found.push(diagnostic.related(input.name_span(), "takes one of its fields"));
    }
    for field in input.fields() {
        let required = field.ty().is_non_null() && field.default_value().is_none();
        if required && !object.fields().any(|given| given.name() == field.name()) {
            let message = format!("{what} lacks the field `{}` of `{}`", field.name(), input.name());
            let diagnostic = Diagnostic::new(value.span(), message, format!("add `{}`", field.name()));
            found.push(diagnostic.related(field.name_span(), "required here"));
        }
    }
}
