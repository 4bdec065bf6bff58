//! One field: reading it from its object, and writing what was read.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::super::item::{Family, From, Read, ReadValue};
use super::super::source::ident;
use super::path;

/// Whether writing the field waits for something.
pub(super) fn waits(read: &Read) -> bool {
    read.resolved || read.value == ReadValue::Nested
}

/// Writes a field that is there already.
pub(super) fn loaded(read: &Read, marker: &Ident) -> TokenStream {
    let value = value(read);
    match read.value {
        ReadValue::Leaf => quote!(out.put(&#value)),
        ReadValue::Plain | ReadValue::Nested => write(&quote!(&#value), &read.family, marker),
    }
}

/// Writes a value that is there.
pub(super) fn write(value: &TokenStream, family: &Family, marker: &Ident) -> TokenStream {
    match family {
        Family::Own => quote!(write_value(#value, field, cx, out)),
        other => {
            let other = path(other, marker);
            quote!(engine::Plain::<#other>::write(#value, field, cx, out))
        }
    }
}

/// The future that writes a value with fields that wait.
pub(super) fn nest(value: &TokenStream, family: &Family, marker: &Ident) -> TokenStream {
    match family {
        Family::Own => quote!(nested_value(#value, field, cx, path, out)),
        other => {
            let other = path(other, marker);
            quote!(engine::Nested::<#other>::nested(#value, field, cx, path, out))
        }
    }
}

/// The future that writes a field that waits, or whose value does.
pub(super) fn waiting(read: &Read, marker: &Ident) -> TokenStream {
    let value = value(read);
    // Arguments can be refused, and only inside the future has that a place to go.
    let future = if read.args.is_empty() { value.clone() } else { quote!(async { #value.await }) };
    let family = path(&read.family, marker);
    let future = match (read.resolved, read.value) {
        (true, ReadValue::Leaf) => quote!(cx.leaf(#future, field, path, out)),
        (true, ReadValue::Plain) => quote!(cx.plain(#family, #future, field, path, out)),
        (true, ReadValue::Nested) => quote!(cx.nested(#family, #future, field, path, out)),
        (false, _) => nest(&quote!(&#value), &read.family, marker),
    };
    // A future that can hold itself must be boxed.
    if read.leads_back { quote!(Box::pin(#future)) } else { future }
}

/// The expression that reads a field: always by the path of its trait, which no method of the type can hide.
fn value(read: &Read) -> TokenStream {
    match &read.from {
        From::Member(member) => {
            let member = ident(member);
            quote!(self.#member)
        }
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
