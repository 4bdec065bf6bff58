//! Conversions of enums and inputs between the names of the SDL and Rust values.

use proc_macro2::TokenStream;
use quote::quote;

use super::super::item::ReadInput;
use super::super::rust_type::RustType;
use super::super::source::ident;

/// Implements an enum.
///
/// ```text
/// impl engine::Enum for Episode {
///     const VALUES: &'static [(&'static str, Self)] = &[("NEW_HOPE", Episode::NewHope), ("JEDI", Episode::Jedi)];
///     fn json(self) -> &'static str { match self { Episode::NewHope => "\"NEW_HOPE\"", Episode::Jedi => "\"JEDI\"" } }
/// }
/// ```
pub(super) fn implement_enum(name: &str, values: &[(String, String)]) -> TokenStream {
    let name = ident(name);
    let texts = values.iter().map(|(text, _)| text);
    let json = values.iter().map(|(text, _)| format!("\"{text}\""));
    let variants: Vec<_> = values.iter().map(|(_, value)| ident(value)).collect();
    quote! {
        impl engine::Enum for #name {
            const VALUES: &'static [(&'static str, Self)] = &[#((#texts, #name::#variants)),*];

            fn json(self) -> &'static str {
                match self { #(#name::#variants => #json,)* }
            }
        }
    }
}

/// Implements parsing of an input; coercion has filled in the defaults.
///
/// ```text
/// impl engine::Input for ReviewInput {
///     fn parse(value: engine::Value) -> Result<Self, engine::InputError> {
///         let mut fields = engine::InputFields::new(value)?;
///         Ok(Self {
///             stars: fields.take("stars")?,
///             not: fields.take::<Patch<_>>("not")?.map(Box::new), // contains itself
///         })
///     }
/// }
/// ```
pub(super) fn implement_input(name: &str, fields: &[ReadInput]) -> TokenStream {
    let name = ident(name);
    let fields = fields.iter().map(|ReadInput { name, graphql_name, ty }| {
        let name = ident(name);
        match ty {
            ty if ty.is_boxed() => quote!(#name: Box::new(fields.take(#graphql_name)?),),
            RustType::Option(inner) if inner.is_boxed() => {
                quote!(#name: fields.take::<Option<_>>(#graphql_name)?.map(Box::new),)
            }
            RustType::Patch(inner) if inner.is_boxed() => {
                quote!(#name: fields.take::<Patch<_>>(#graphql_name)?.map(Box::new),)
            }
            _ => quote!(#name: fields.take(#graphql_name)?,),
        }
    });
    quote! {
        impl engine::Input for #name {
            fn parse(value: engine::Value) -> Result<Self, engine::InputError> {
                let mut fields = engine::InputFields::new(value)?;
                Ok(Self { #(#fields)* })
            }
        }
    }
}
