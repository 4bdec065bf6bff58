//! What the schema lists: types in the order of the reference implementation, and default values as it prints them.

use serde_json::Value as Json;

use crate::definition::{Kind, Type};
use crate::json_string::write_string;
use crate::model::Model;
use crate::value::Value;

/// The types of the schema: in the order of the document, a built-in scalar after the first type that names it, the
/// types of introspection last.
pub(super) fn types(model: &'static Model) -> Vec<&'static Type> {
    let mut listing = Listing { model, types: vec![] };
    for ty in model.own_types {
        listing.add(ty);
        listing.built_in(ty);
    }
    for directive in &model.directives.items {
        directive.arguments.iter().for_each(|argument| listing.scalar(argument.ty.name));
    }
    listing.introspection("__Schema");
    listing.types
}

/// The types that were listed so far.
struct Listing {
    model: &'static Model,
    types: Vec<&'static Type>,
}

impl Listing {
    /// Whether the type was new.
    fn add(&mut self, ty: &'static Type) -> bool {
        let new = !self.types.iter().any(|listed| listed.name == ty.name);
        if new {
            self.types.push(ty);
        }
        new
    }

    fn scalar(&mut self, name: &str) {
        if let Some(ty) = self.model.built_in(name).filter(|ty| matches!(ty.kind, Kind::Scalar { .. })) {
            self.add(ty);
        }
    }

    /// The built-in scalars that a type names.
    fn built_in(&mut self, ty: &Type) {
        for field in ty.fields() {
            self.scalar(field.ty.name);
            field.arguments.iter().for_each(|argument| self.scalar(argument.ty.name));
        }
        if let Kind::Input(input) = &ty.kind {
            input.fields.iter().for_each(|field| self.scalar(field.ty.name));
        }
    }

    /// A type of introspection and those it leads to, depth first.
    fn introspection(&mut self, name: &str) {
        let Some(ty) = self.model.built_in(name) else { return };
        if !self.add(ty) {
            return;
        }
        for field in ty.fields() {
            self.introspection(field.ty.name);
            field.arguments.iter().for_each(|argument| self.introspection(argument.ty.name));
        }
    }
}

/// A default value as the reference implementation prints it; `name` is its named type.
pub(super) fn print_default(model: &Model, value: &Value, name: &str) -> String {
    let mut out = Vec::new();
    print(&mut out, model, value, name);
    String::from_utf8(out).expect("texts and numbers are UTF-8")
}

fn print(out: &mut Vec<u8>, model: &Model, value: &Value, name: &str) {
    match value {
        Value::Null => out.extend_from_slice(b"null"),
        Value::Boolean(value) => out.extend_from_slice(value.to_string().as_bytes()),
        Value::Int(n) => out.extend_from_slice(n.to_string().as_bytes()),
        Value::Float(n) => out.extend_from_slice(n.to_string().as_bytes()),
        Value::String(text) if name == "ID" && is_integer(text) => out.extend_from_slice(text.as_bytes()),
        Value::String(text) => write_string(out, text),
        Value::Custom(json) => print_json(out, json),
        Value::Enum(name) => out.extend_from_slice(name.as_bytes()),
        Value::List(items) => {
            out.push(b'[');
            for (i, item) in items.iter().enumerate() {
                separate(out, i);
                print(out, model, item, name);
            }
            out.push(b']');
        }
        Value::Object(fields) => {
            let input = model.input(name).expect("objects are values of input types");
            out.push(b'{');
            for (i, (key, value)) in fields.iter().enumerate() {
                separate(out, i);
                out.extend_from_slice(key.as_bytes());
                out.extend_from_slice(b": ");
                let field = input.field(key);
                print(out, model, value, field.map_or("", |f| f.ty.name));
            }
            out.push(b'}');
        }
    }
}

/// Prints JSON as a literal: the names of an object are not quoted.
fn print_json(out: &mut Vec<u8>, json: &Json) {
    match json {
        Json::Array(items) => {
            out.push(b'[');
            for (i, item) in items.iter().enumerate() {
                separate(out, i);
                print_json(out, item);
            }
            out.push(b']');
        }
        Json::Object(entries) => {
            out.push(b'{');
            for (i, (name, value)) in entries.iter().enumerate() {
                separate(out, i);
                out.extend_from_slice(name.as_bytes());
                out.extend_from_slice(b": ");
                print_json(out, value);
            }
            out.push(b'}');
        }
        leaf => out.extend_from_slice(leaf.to_string().as_bytes()),
    }
}

fn separate(out: &mut Vec<u8>, position: usize) {
    if position > 0 {
        out.extend_from_slice(b", ");
    }
}

/// Whether an id reads as an integer, as which it is then printed.
fn is_integer(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()) && (digits == "0" || !digits.starts_with('0'))
}
