//! Reads a field from its object and writes its value.
//!
//! ```text
//! write_value(&Human::name(self, cx.context), field, cx, &engine::Path::Field(path, field), out) // loaded with its entity
//! write_value(&self.address, field, cx, &engine::Path::Field(path, field), out) // a struct in a struct
//! cx.sync_value(V2026_10, || async { Human::height(self, cx.context, field.arg("unit", cx)?).await }, field, path, out)
//! cx.async_value(V2026_10, || v2026_07::Query::hero(self.0), field, path, out) // declared by an older version
//! write_async_value(&self.members, field, cx, path, out)                 // a struct that holds entities
//! ```

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::super::item::{From, Read, ReadValue};
use super::super::source::ident;

/// Returns whether writing the field is async.
pub(super) fn is_async(read: &Read) -> bool {
    read.is_async || read.value == ReadValue::Async
}

/// Writes a loaded field; `path` is the path of its object.
pub(super) fn write_preloaded(read: &Read) -> TokenStream {
    let value = value(read);
    quote!(write_value(&#value, field, cx, &engine::Path::Field(path, field), out))
}

/// Returns the future that writes an async field, or a field with an async value.
pub(super) fn write_async(read: &Read, marker: &Ident) -> TokenStream {
    let value = value(read);
    // A closure makes the future (`ExecContext`). Reading an argument can fail, so it happens inside the future.
    let make = if read.args.is_empty() { quote!(|| #value) } else { quote!(|| async { #value.await }) };
    match (read.is_async, read.value) {
        (true, ReadValue::Preloaded) => quote!(cx.sync_value(#marker, #make, field, path, out)),
        (true, ReadValue::Async) => quote!(cx.async_value(#marker, #make, field, path, out)),
        (false, _) => quote!(write_async_value(&#value, field, cx, path, out)),
    }
}

/// Returns the expression that reads a field, by the path of its trait: no inherent method can hide it.
fn value(read: &Read) -> TokenStream {
    match &read.from {
        From::Member(member) => {
            let member = ident(member);
            quote!(self.#member)
        }
        From::QueryRoot { nullable: true } => quote!(Some(engine::QueryRoot(cx.context))),
        From::QueryRoot { nullable: false } => quote!(engine::QueryRoot(cx.context)),
        From::Method { module, trait_name, method, context } => {
            let (trait_name, method) = (ident(trait_name), ident(method));
            let module = module.as_ref().map(|module| {
                let module = ident(module);
                quote!(#module::)
            });
            let args = read.args.iter().map(|name| quote!(, field.arg(#name, cx)?));
            if *context {
                quote!(#module #trait_name::#method(self, cx.context #(#args)*))
            } else {
                quote!(#module #trait_name::#method(self.0 #(#args)*))
            }
        }
    }
}
