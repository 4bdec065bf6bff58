//! Checks that a literal is a value of a type (GraphQL specification, section 5.6.1); used for defaults and directives.

use dated_graphql_syntax::{Literal, TypeDefinition, TypeKind, Value};

use super::document::{Document, duplicates};
use crate::diagnostic::Diagnostic;
use crate::model::Ty;
use crate::nearest::nearest;

/// The characters of a number that a message shows.
const SHOWN_MAX: usize = 40;

/// Reports everything in `value` that is not of the type `ty`. `what` names the value in messages: "this default".
pub(super) fn check(document: &Document<'_>, ty: &Ty, value: &Value<'_>, what: &str, found: &mut Vec<Diagnostic>) {
    literal(value, found);
    of_type(document, ty, value, what, found);
}

/// Reports what is wrong in a value of any type: a field that is given twice (GraphQL specification, section 5.6.3), and a number
/// that no float of 64 bits holds.
fn literal(value: &Value<'_>, found: &mut Vec<Diagnostic>) {
    match &value.literal {
        Literal::Object(fields) => {
            let names = fields.iter().map(|field| &field.name);
            duplicates(names, |name| format!("field `{name}` is given twice"), found);
            fields.iter().for_each(|field| literal(&field.value, found));
        }
        Literal::List(items) => items.iter().for_each(|item| literal(item, found)),
        Literal::Int(number) | Literal::Float(number) if !number.parse().is_ok_and(f64::is_finite) => {
            let digits: String = number.chars().take(SHOWN_MAX).collect();
            let shown = if digits.len() < number.len() { format!("{digits}…") } else { digits };
            found.push(Diagnostic::new(value.span, format!("`{shown}` is not within 64 bits"), "too large"));
        }
        _ => {}
    }
}

fn of_type(document: &Document<'_>, ty: &Ty, value: &Value<'_>, what: &str, found: &mut Vec<Diagnostic>) {
    let mut wrong = |why: &str| found.push(not_of_type(value, ty, what, why));
    match (&value.literal, ty.item()) {
        (Literal::Null, _) if ty.is_non_null() => wrong("cannot be null"),
        (Literal::Null, _) => {}
        (Literal::List(items), Some(item)) => {
            items.iter().for_each(|value| of_type(document, &item, value, what, found));
        }
        // One value is coerced to a list of one (GraphQL specification, section 3.11).
        (_, Some(item)) => of_type(document, &item, value, what, found),
        (literal, None) => match (&*ty.name, literal) {
            ("Int", Literal::Int(digits)) if digits.parse::<i32>().is_err() => wrong("not within 32 bits"),
            ("Int", Literal::Int(_))
            | ("Float", Literal::Int(_) | Literal::Float(_))
            | ("String", Literal::String(_))
            | ("Boolean", Literal::Boolean(_))
            | ("ID", Literal::String(_) | Literal::Int(_)) => {}
            ("Int", _) => wrong("expected a whole number"),
            ("Float", _) => wrong("expected a number"),
            ("String" | "ID", _) => wrong("expected a string"),
            ("Boolean", _) => wrong("expected `true` or `false`"),
            (name, literal) => match document.get(name) {
                Some(own) if own.kind == TypeKind::Enum => enum_value(own, ty, value, what, found),
                Some(own) if own.kind == TypeKind::Input => input_object(document, own, ty, value, what, found),
                Some(own) if own.kind == TypeKind::Scalar && matches!(literal, Literal::Enum(_)) => {
                    wrong("expected a string");
                }
                _ => {}
            },
        },
    }
}

fn not_of_type(value: &Value<'_>, ty: &Ty, what: &str, why: &str) -> Diagnostic {
    Diagnostic::new(value.span, format!("{what} is not of type `{ty}`: {why}"), why)
}

fn enum_value(own: &TypeDefinition<'_>, ty: &Ty, value: &Value<'_>, what: &str, found: &mut Vec<Diagnostic>) {
    let names: Vec<&str> = own.values.iter().map(|value| value.name.text).collect();
    let Literal::Enum(name) = &value.literal else {
        // A common mistake: the name as a string.
        let meant = match &value.literal {
            Literal::String(text) => Some(&**text).filter(|text| names.contains(text)),
            _ => None,
        };
        let diagnostic = not_of_type(value, ty, what, "expected a value of the enum");
        found.push(diagnostic.did_you_mean(meant));
        return;
    };
    if !names.contains(name) {
        let message = format!("`{name}` is not a value of `{}`", own.name.text);
        let diagnostic =
            Diagnostic::new(value.span, message, "no such value").did_you_mean(nearest(name, names.iter().copied()));
        found.push(diagnostic.related(own.name.span, format!("has the values {}", names.join(", "))));
    }
}

fn input_object(
    document: &Document<'_>,
    input: &TypeDefinition<'_>,
    ty: &Ty,
    value: &Value<'_>,
    what: &str,
    found: &mut Vec<Diagnostic>,
) {
    let Literal::Object(fields) = &value.literal else {
        found.push(not_of_type(value, ty, what, "expected an object, `{ … }`"));
        return;
    };
    for given in fields {
        match input.inputs.iter().find(|field| field.name.text == given.name.text) {
            Some(field) => of_type(document, &Ty::from(&field.ty), &given.value, what, found),
            None => {
                let near = nearest(given.name.text, input.inputs.iter().map(|field| field.name.text));
                let message = format!("`{}` has no field `{}`", input.name.text, given.name.text);
                found.push(Diagnostic::new(given.name.span, message, "no such field").did_you_mean(near));
            }
        }
    }
    if input.is_one_of() && !matches!(&**fields, [one] if !matches!(one.value.literal, Literal::Null)) {
        let message = format!("{what} is not of type `{}`: expected one field, which is not null", input.name.text);
        let diagnostic = Diagnostic::new(value.span, message, "expected one field, which is not null");
        found.push(diagnostic.related(input.name.span, "takes one of its fields"));
    }
    for field in input.inputs.iter().filter(|field| field.is_required()) {
        let name = field.name.text;
        if !fields.iter().any(|given| given.name.text == name) {
            let message = format!("{what} lacks the field `{name}` of `{}`", input.name.text);
            let diagnostic = Diagnostic::new(value.span, message, format!("add `{name}`"));
            found.push(diagnostic.related(field.name.span, "required here"));
        }
    }
}
