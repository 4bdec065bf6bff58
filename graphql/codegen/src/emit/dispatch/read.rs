//! Reads a field from its object and writes its value.
//!
//! ```text
//! info.write(&Human::name(self, info.context()), out) // loaded with its entity
//! info.write(&self.address, out)                      // a struct in a struct
//! info.sync_value(|| async { Human::height(self, info.context(), info.arg("unit")?).await }, out)
//! info.async_value(|| v2026_07::Query::hero(self.0), out) // declared by an older version
//! info.write_async(&self.members, out)                // a struct that holds entities
//! ```

use proc_macro2::TokenStream;
use quote::quote;

use super::super::item::{Read, ReadValue, Source};
use super::super::source::ident;

/// Returns whether writing the field is async.
pub(super) fn is_async(read: &Read) -> bool {
    read.is_async || read.value == ReadValue::Async
}

/// Writes a loaded field.
pub(super) fn write_preloaded(read: &Read) -> TokenStream {
    let value = value(read);
    quote!(info.write(&#value, out))
}

/// Returns the future that writes an async field, or a field with an async value.
pub(super) fn write_async(read: &Read) -> TokenStream {
    let value = value(read);
    // A closure makes the future (`Info`). Reading an argument can fail, so it happens inside the future.
    let make = if read.args.is_empty() { quote!(|| #value) } else { quote!(|| async { #value.await }) };
    match (read.is_async, read.value) {
        (true, ReadValue::Preloaded) => quote!(info.sync_value(#make, out)),
        (true, ReadValue::Async) => quote!(info.async_value(#make, out)),
        (false, _) => quote!(info.write_async(&#value, out)),
    }
}

/// Returns the expression that reads a field, by the path of its trait: no inherent method can hide it.
fn value(read: &Read) -> TokenStream {
    match &read.source {
        Source::Member(member) => {
            let member = ident(member);
            quote!(self.#member)
        }
        Source::QueryRoot { nullable: true } => quote!(Some(engine::QueryRoot(info.context()))),
        Source::QueryRoot { nullable: false } => quote!(engine::QueryRoot(info.context())),
        Source::Method { module, trait_name, method, context } => {
            let (trait_name, method) = (ident(trait_name), ident(method));
            let module = module.as_ref().map(|module| {
                let module = ident(module);
                quote!(#module::)
            });
            let args = read.args.iter().map(|name| quote!(, info.arg(#name)?));
            if *context {
                quote!(#module #trait_name::#method(self, info.context() #(#args)*))
            } else {
                quote!(#module #trait_name::#method(self.0 #(#args)*))
            }
        }
    }
}
