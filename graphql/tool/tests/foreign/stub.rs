//! A server with stub resolvers for generated code: the value of a field says which field was asked for, with which
//! arguments. `answers.mjs` has the same resolvers for graphql-js.

use std::fmt::Write as _;

use syn::{Fields, FnArg, Item, ItemEnum, ItemStruct, ItemTrait, Pat, TraitItem, Visibility};

/// The hand-written half of the server: the samples and the loop.
pub(crate) const MAIN: &str = include_str!("stub/main.rs");

/// A server of what `cargo schema skeleton` prints.
pub(crate) const SKELETON: &str = "\
#![allow(unused_imports, unused_variables, unreachable_code, clippy::all)]
#[path = \"../../../generated/mod.rs\"]
mod generated;
#[allow(dead_code)]
mod model;
mod skeleton;
pub struct Context;
impl dated_graphql::RequestContext for Context {}
fn main() {
    generated::engines(dated_graphql::Limits::DEFAULT);
}
";

/// Returns `stub.rs` of the server, from the generated module `module`.
pub(crate) fn stubs(module: &str, generated: &str) -> String {
    let file = syn::parse_file(generated).expect("generated code parses");
    let mut out = format!("use crate::{{echo::Echo, generated::{module} as api, sample::Sample}};\nuse api::*;\n");
    let mut models = String::new();
    for item in &file.items {
        match item {
            Item::Struct(item) => of_struct(item, &mut out),
            Item::Enum(item) => of_enum(item, &mut out),
            Item::Trait(item) => of_trait(item, &mut out, &mut models),
            Item::Use(item) => out.push_str(&quote::quote!(#item).to_string()),
            _ => {}
        }
    }
    format!("{out}\npub mod models {{ use crate::sample::Sample; {models} }}\n")
}

/// An input is echoed, a value is filled in.
fn of_struct(item: &ItemStruct, out: &mut String) {
    let Fields::Named(fields) = &item.fields else { return };
    let name = &item.ident;
    let fields: Vec<_> = fields.named.iter().collect();
    let is_input = fields.iter().any(|field| !matches!(field.vis, Visibility::Public(_)));
    let lifetime = if item.generics.params.is_empty() { "" } else { "<'_>" };
    let names = fields.iter().map(|field| field.ident.as_ref().expect("it is named").to_string());
    let parts: String = match is_input {
        true => names.map(|field| format!("(\"{}\", self.{field}.echo()),", plain(&field))).collect(),
        false => {
            let of = plain(&name.to_string());
            names.map(|field| format!("{field}: Sample::sample(\"{of}.{}\"),", plain(&field))).collect()
        }
    };
    let written = match is_input {
        true => writeln!(
            out,
            "impl Echo for api::{name} {{ fn echo(&self) -> Option<String> {{ Some(crate::echo::object(&[{parts}])) }} }}"
        ),
        false => writeln!(
            out,
            "impl Sample for api::{name}{lifetime} {{ fn sample(_: &str) -> Self {{ Self {{ {parts} }} }} }}"
        ),
    };
    written.expect("a string is writable");
}

/// An enum is its first value, a union or interface its first type.
fn of_enum(item: &ItemEnum, out: &mut String) {
    let (name, first) = (&item.ident, &item.variants[0]);
    let variant = &first.ident;
    let lifetime = if item.generics.params.is_empty() { "" } else { "<'_>" };
    let value = if first.fields.is_empty() { "" } else { "(Sample::sample(at))" };
    let _ = writeln!(
        out,
        "impl Sample for api::{name}{lifetime} {{ fn sample(at: &str) -> Self {{ let _ = at; Self::{variant}{value} }} }}"
    );
    if first.fields.is_empty() {
        let _ = writeln!(
            out,
            "impl Echo for api::{name} {{ fn echo(&self) -> Option<String> {{ Some(crate::echo::name(*self)) }} }}"
        );
    }
}

/// A trait is implemented for its type of the model, which has no data, or for the context.
fn of_trait(item: &ItemTrait, out: &mut String, models: &mut String) {
    let name = &item.ident;
    let (mut methods, is_model) = (String::new(), takes_context(item));
    for method in &item.items {
        let TraitItem::Fn(method) = method else { continue };
        let (signature, mut echoes) = (&method.sig, String::new());
        for input in &signature.inputs {
            let FnArg::Typed(argument) = input else { continue };
            let Pat::Ident(pattern) = &*argument.pat else { continue };
            if !matches!(&*argument.ty, syn::Type::Reference(_)) {
                let field = pattern.ident.to_string();
                let _ = write!(echoes, "(\"{}\", {field}.echo()),", plain(&field));
            }
        }
        let at = format!("{}.{}", plain(&name.to_string()), plain(&signature.ident.to_string()));
        let body = match echoes.is_empty() {
            true => format!("Sample::sample(\"{at}\")"),
            false => format!("Sample::sample(&crate::echo::call(\"{at}\", &[{echoes}]))"),
        };
        let signature = quote::quote!(#signature).to_string();
        let _ = writeln!(methods, "{signature} {{ {body} }}");
    }
    let target = if is_model { format!("crate::model::{name}") } else { "crate::Context".to_owned() };
    if is_model {
        let _ = writeln!(
            models,
            "#[derive(Clone, Debug)] pub struct {name}; impl Sample for {name} {{ fn sample(_: &str) -> Self {{ Self }} }}"
        );
    }
    let _ = writeln!(out, "impl api::{name} for {target} {{ {methods} }}");
}

/// Returns a name without case and separators, which are others in GraphQL and in Rust.
fn plain(name: &str) -> String {
    let name = name.strip_prefix("r#").unwrap_or(name);
    name.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_lowercase()
}

/// Returns the module `model` of a server: a type for each entity and each enum of the generated module.
pub(crate) fn model(generated: &str) -> String {
    let file = syn::parse_file(generated).expect("generated code parses");
    let mut out = String::new();
    for item in file.items {
        match item {
            Item::Trait(item) if takes_context(&item) => {
                let _ = writeln!(out, "#[derive(Clone, Debug)] pub struct {};", item.ident);
            }
            Item::Enum(item) if item.variants.iter().all(|variant| variant.fields.is_empty()) => {
                let variants: Vec<_> = item.variants.iter().map(|variant| variant.ident.to_string()).collect();
                let _ = writeln!(out, "#[derive(Clone, Copy)] pub enum {} {{ {} }}", item.ident, variants.join(", "));
            }
            _ => {}
        }
    }
    out
}

/// Returns whether a trait is of an entity: its methods take the context.
fn takes_context(item: &ItemTrait) -> bool {
    let methods =
        item.items.iter().filter_map(|item| if let TraitItem::Fn(method) = item { Some(method) } else { None });
    let mut inputs = methods.flat_map(|method| &method.sig.inputs);
    inputs.any(|input| matches!(input, FnArg::Typed(argument) if matches!(&*argument.ty, syn::Type::Reference(_))))
}
