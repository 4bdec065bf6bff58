//! Conversions of enums and inputs between the names of the SDL and Rust values.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::super::item::ReadInput;
use super::super::rust_type::RustType;
use super::super::source::ident;

/// Implements an enum in both directions.
///
/// ```text
/// impl engine::Enum for Episode {
///     const VALUES: &'static [(&'static str, Self)] = &[("NEW_HOPE", Episode::NewHope), ("JEDI", Episode::Jedi)];
///     fn name(self) -> &'static str { match self { Episode::NewHope => "NEW_HOPE", Episode::Jedi => "JEDI" } }
/// }
/// impl engine::Leaf for Episode {
///     fn write(&self, out: &mut engine::JsonWriter) -> Result<(), engine::FieldError> {
///         let json: &[u8] = match self { Episode::NewHope => b"\"NEW_HOPE\"", Episode::Jedi => b"\"JEDI\"" };
///         out.raw(json);
///         Ok(())
///     }
/// }
/// ```
pub(super) fn leaf(name: &str, values: &[(String, String)]) -> Vec<TokenStream> {
    let name = ident(name);
    let texts = values.iter().map(|(text, _)| text);
    let json = values.iter().map(|(text, _)| Literal::byte_string(format!("\"{text}\"").as_bytes()));
    let variants: Vec<_> = values.iter().map(|(_, value)| ident(value)).collect();
    let (pairs, arms) = (texts.clone(), texts);
    vec![
        quote! {
            impl engine::Enum for #name {
                const VALUES: &'static [(&'static str, Self)] = &[#((#pairs, #name::#variants)),*];

                fn name(self) -> &'static str {
                    match self { #(#name::#variants => #arms,)* }
                }
            }
        },
        quote! {
            impl engine::Leaf for #name {
                fn write(&self, out: &mut engine::JsonWriter) -> Result<(), engine::FieldError> {
                    let json: &[u8] = match self { #(#name::#variants => #json,)* };
                    out.raw(json);
                    Ok(())
                }
            }
        },
    ]
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
pub(super) fn parse(name: &str, fields: &[ReadInput]) -> TokenStream {
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
