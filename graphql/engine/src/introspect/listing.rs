//! What the schema lists: types in the order of the reference implementation, directives, and default values as it
//! prints them.

use schema::model::{self as sdl, Kind};
use serde_json::Value as Json;

use crate::json_string::write_string;
use crate::model::{InputDefinition, META, Model, input_definitions};
use crate::value::Value;

/// A directive, as `__Directive` shows it.
pub(super) struct Directive {
    pub name: &'static str,
    pub description: Option<&'static str>,
    pub locations: &'static [&'static str],
    pub arguments: Box<[InputDefinition]>,
    pub repeatable: bool,
}

/// The types of the schema: in the order of the document, a built-in scalar after the first type that names it, the
/// types of introspection last.
pub(super) fn types(model: &'static Model) -> Vec<&'static sdl::Type> {
    let mut listing = Listing::default();
    for ty in &model.schema.types {
        listing.add(ty);
        listing.built_in(ty);
    }
    for directive in directives(model) {
        directive.arguments.iter().for_each(|argument| listing.scalar(&argument.ty.name));
    }
    listing.introspection("__Schema");
    listing.0
}

/// The types that were listed so far.
#[derive(Default)]
struct Listing(Vec<&'static sdl::Type>);

impl Listing {
    /// Whether the type was new.
    fn add(&mut self, ty: &'static sdl::Type) -> bool {
        let new = !self.0.iter().any(|listed| listed.name == ty.name);
        if new {
            self.0.push(ty);
        }
        new
    }

    fn scalar(&mut self, name: &str) {
        if let Some(ty) = META.get(name).filter(|ty| matches!(ty.kind, Kind::Scalar { .. })) {
            self.add(ty);
        }
    }

    /// The built-in scalars that a type names.
    fn built_in(&mut self, ty: &sdl::Type) {
        for field in ty.fields() {
            self.scalar(&field.ty.name);
            field.args.iter().for_each(|argument| self.scalar(&argument.ty.name));
        }
        if let Kind::Input { fields, .. } = &ty.kind {
            fields.iter().for_each(|field| self.scalar(&field.ty.name));
        }
    }

    /// A type of introspection and those it leads to, depth first.
    fn introspection(&mut self, name: &str) {
        let Some(ty) = META.get(name) else { return };
        if !self.add(ty) {
            return;
        }
        for field in ty.fields() {
            self.introspection(&field.ty.name);
            field.args.iter().for_each(|argument| self.introspection(&argument.ty.name));
        }
    }
}

/// The directives of the schema: its own, then those that every schema has (GraphQL specification, section 3.13).
pub(super) fn directives(model: &'static Model) -> Vec<Directive> {
    let own = &model.schema.directives;
    let specified = META.directives.iter().filter(|d| !own.iter().any(|o| o.name == d.name));
    let directive = |directive: &'static sdl::Directive| Directive {
        name: &directive.name,
        description: directive.description.as_deref(),
        locations: &directive.locations,
        arguments: input_definitions(&directive.args, |_| None),
        repeatable: directive.repeatable,
    };
    own.iter().chain(specified).map(directive).collect()
}

/// A default value as the reference implementation prints it; `name` is its named type.
pub(super) fn printed(model: &Model, value: &Value, name: &str) -> String {
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
                let field = input.fields.iter().find(|f| f.name == *key);
                print(out, model, value, field.map_or("", |f| &f.ty.name));
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
