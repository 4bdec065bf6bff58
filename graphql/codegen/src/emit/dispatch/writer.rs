//! Implements the traits of the engine for the types of a version.

use proc_macro2::TokenStream;
use quote::quote;

use super::super::item::{Lowered, Read, ReadValue, Responses, Target, Variant, Writer};
use super::super::source::{ident, tokens};
use super::leaf::{implement_enum, implement_input};
use super::read::{is_async, write_async, write_preloaded};

/// Emits the items of a writer.
pub(super) fn impls(writer: &Writer, lowered: &Lowered) -> Vec<TokenStream> {
    match writer {
        Writer::Leaf { name, values } => vec![implement_enum(name, values)],
        Writer::Parse { name, fields } => vec![implement_input(name, fields)],
        Writer::Preloaded { target, graphql_name, fields, responses } => {
            vec![plain(&Head::new(target, responses, lowered), graphql_name, fields)]
        }
        Writer::Object { target, graphql_name, fields, older, responses } => {
            let head = Head::new(target, responses, lowered);
            let object = object(&head, target, graphql_name, fields, older.as_deref());
            let value = match target {
                Target::Query | Target::Mutation => None,
                Target::Entity(_) => Some(select(target, lowered, &lowered.marker)),
                Target::Item { .. } => {
                    let version = &head.version;
                    Some(head.async_impl(quote!(engine::select::<#version, _, _>(self, info, out))))
                }
            };
            std::iter::once(object).chain(value).collect()
        }
        Writer::Choice { target, variants, is_async, responses } => {
            vec![choice(&Head::new(target, responses, lowered), variants, *is_async)]
        }
        Writer::Reused { target, is_async: true, older } => vec![select(target, lowered, older)],
        Writer::Reused { target, is_async: false, older } => {
            let (marker, older) = (ident(&lowered.marker), tokens(older));
            let body = quote!(engine::SyncValue::<#older, #marker>::write(self, info, out));
            vec![Head::new(target, &Responses::OfThis, lowered).sync_impl(body)]
        }
    }
}

/// The head of an `impl`: `impl #generics engine::SyncValue #arguments for #target #bounds`.
struct Head {
    generics: Option<TokenStream>,
    /// The version that declares an entity or a root, and the version of the response.
    arguments: TokenStream,
    target: TokenStream,
    bounds: Option<TokenStream>,
    /// The version of the response.
    version: TokenStream,
    /// See [`Target::Item`].
    is_boxed: bool,
}

impl Head {
    fn new(target: &Target, responses: &Responses, lowered: &Lowered) -> Self {
        let marker = ident(&lowered.marker);
        let (generics, version, bounds) = match responses {
            Responses::OfThis => (None, quote!(#marker), None),
            Responses::OfAll(entities) => {
                let bounds = entities.iter().map(|(name, is_async)| {
                    let (name, value) = (ident(name), ident(if *is_async { "AsyncValue" } else { "SyncValue" }));
                    quote!(model::#name: engine::#value<V_>)
                });
                // No type of a schema has a name that ends with `_`, except for keywords.
                let generics = quote!(<V_: engine::Version<Context = Context>>);
                (Some(generics), quote!(V_), (!entities.is_empty()).then(|| quote!(where #(#bounds),*)))
            }
        };
        let arguments = match (target, responses) {
            (Target::Item { .. }, _) | (_, Responses::OfThis) => quote!(<#version>),
            _ => quote!(<#marker, #version>),
        };
        let is_boxed = matches!(target, Target::Item { is_boxed: true, .. });
        Self { generics, arguments, target: implementor(target), bounds, version, is_boxed }
    }

    /// Implements `SyncValue`, which writes a value without async fields.
    fn sync_impl(&self, body: TokenStream) -> TokenStream {
        let Self { generics, arguments, target, bounds, version, .. } = self;
        quote! {
            impl #generics engine::SyncValue #arguments for #target #bounds {
                fn write(&self, info: engine::Info<'_, #version>, out: &mut engine::JsonWriter) -> engine::Written { #body }
            }
        }
    }

    /// Implements `AsyncValue`, which writes a value with async fields.
    fn async_impl(&self, body: TokenStream) -> TokenStream {
        let Self { generics, arguments, target, bounds, version, is_boxed } = self;
        let body = if *is_boxed { quote!(async move { engine::boxed(#body).await }) } else { body };
        quote! {
            impl #generics engine::AsyncValue #arguments for #target #bounds {
                fn write_async(
                    &self,
                    info: engine::Info<'_, #version>,
                    out: &mut engine::JsonWriter,
                ) -> impl Future<Output = engine::Written> + Send { #body }
            }
        }
    }
}

/// Implements an object without async fields.
///
/// ```text
/// impl<V_: engine::Version<Context = Context>> engine::SyncValue<V_> for Address<'_> {
///     fn write(&self, info: engine::Info<'_, V_>, out: &mut engine::JsonWriter) -> engine::Written {
///         info.object("Address", out, |info, out| match info.field.name {
///             "street" => info.write(&self.street, out),
///             "city" => info.write(&self.city, out),
///             name => engine::unknown("Address", name),
///         })
///     }
/// }
/// ```
fn plain(head: &Head, graphql_name: &str, fields: &[Read]) -> TokenStream {
    let arms = fields.iter().map(|read| {
        let (name, body) = (&read.graphql_name, write_preloaded(read));
        quote!(#name => #body,)
    });
    head.sync_impl(quote! {
        info.object(#graphql_name, out, |info, out| match info.field.name {
            #(#arms)*
            name => engine::unknown(#graphql_name, name),
        })
    })
}

/// Implements an object with async fields, which writes one field: at once if it is one of the preloaded ones. The last arm of each
/// method calls the version `older`, if the trait extends its trait.
///
/// ```text
/// impl<V_: engine::Version<Context = Context>> engine::Object<V2026_10, V_> for model::Human where model::Human: engine::AsyncValue<V_> {
///     const NAME: &'static str = "Human";
///     fn preloaded(&self, info: engine::Info<'_, V_>, …) -> Result<bool, engine::NullBubble> {
///         match info.field.name {
///             "name" => info.write(&Human::name(self, info.context()), out)?,
///             _ => return Ok(false),
///         }
///         Ok(true)
///     }
///     fn field(&self, info: engine::Info<'_, V_>, …) -> impl Future<Output = engine::Written> + Send {
///         async move {
///             match info.field.name {
///                 "friends" => engine::boxed(info.async_value(|| Human::friends(self, …), out)).await,
///                 name => engine::unknown("Human", name),
///             }
///         }
///     }
/// }
/// ```
fn object(head: &Head, target: &Target, graphql_name: &str, fields: &[Read], older: Option<&str>) -> TokenStream {
    let Head { generics, arguments, target: implementor, bounds, version, .. } = head;
    let older = older.map(|older| {
        let older = tokens(older);
        quote!(engine::Object::<#older, #version>)
    });
    let (awaited, preloaded): (Vec<&Read>, Vec<&Read>) = fields.iter().partition(|read| is_async(read));
    let arms = preloaded.iter().map(|read| {
        let (name, body) = (&read.graphql_name, write_preloaded(read));
        quote!(#name => #body?,)
    });
    let rest = older.as_ref().map_or(quote!(Ok(false)), |older| quote!(#older::preloaded(self, info, out)));
    let preloaded = match (preloaded.is_empty(), &older) {
        (true, None) => None,
        (true, Some(_)) => Some(rest),
        (false, _) => Some(quote! {
            match info.field.name {
                #(#arms)*
                _ => return #rest,
            }
            Ok(true)
        }),
    };
    let preloaded = preloaded.map(|body| {
        quote! {
            fn preloaded(
                &self,
                info: engine::Info<'_, #version>,
                out: &mut engine::JsonWriter,
            ) -> Result<bool, engine::NullBubble> {
                #body
            }
        }
    });
    let arms = awaited.iter().map(|read| {
        let (name, body) = (&read.graphql_name, write_async(read));
        // The future of a root field is boxed, so that the future of a request is not as large as the largest of them. A cycle
        // of types leads through an entity, where the box ends the type of the future.
        let is_boxed = target.is_root() || matches!(target, Target::Entity(_)) && read.value == ReadValue::Async;
        let body = if is_boxed { quote!(engine::boxed(#body)) } else { body };
        quote!(#name => #body.await,)
    });
    let awaited = match older {
        Some(older) if awaited.is_empty() => quote!(#older::field(self, info, out)),
        older => {
            let rest = match older {
                Some(older) => quote!(_ => #older::field(self, info, out).await,),
                None => quote!(name => engine::unknown(#graphql_name, name),),
            };
            quote!(async move { match info.field.name { #(#arms)* #rest } })
        }
    };
    quote! {
        impl #generics engine::Object #arguments for #implementor #bounds {
            const NAME: &'static str = #graphql_name;

            #preloaded

            fn field(
                &self,
                info: engine::Info<'_, #version>,
                out: &mut engine::JsonWriter,
            ) -> impl Future<Output = engine::Written> + Send { #awaited }
        }
    }
}

/// Implements `AsyncValue` for an entity whose fields the version `declares` writes.
///
/// ```text
/// impl engine::AsyncValue<V2027_01> for model::Human { … engine::select::<v2026_10::V2026_10, _, _>(self, info, out) … }
/// ```
fn select(target: &Target, lowered: &Lowered, declares: &str) -> TokenStream {
    let declares = tokens(declares);
    let body = quote!(engine::select::<#declares, _, _>(self, info, out));
    Head::new(target, &Responses::OfThis, lowered).async_impl(body)
}

/// Implements a union or interface.
///
/// ```text
/// impl<V_: engine::Version<Context = Context>> engine::AsyncValue<V_> for Being<'_> where model::Human: engine::AsyncValue<V_> {
///     fn write_async(&self, info: engine::Info<'_, V_>, …) -> impl Future<Output = engine::Written> + Send {
///         async move {
///             match self {
///                 Self::Human(it) => info.write_async(it, out).await,
///                 Self::Robot(it) => info.write(it, out),
///             }
///         }
///     }
/// }
/// ```
fn choice(head: &Head, variants: &[Variant], is_async: bool) -> TokenStream {
    let arms = variants.iter().map(|Variant { name, is_async }| {
        let variant = ident(name);
        if *is_async {
            quote!(Self::#variant(it) => info.write_async(it, out).await,)
        } else {
            quote!(Self::#variant(it) => info.write(it, out),)
        }
    });
    let body = quote!(match self { #(#arms)* });
    if is_async { head.async_impl(quote!(async move { #body })) } else { head.sync_impl(body) }
}

fn implementor(target: &Target) -> TokenStream {
    match target {
        Target::Query => quote!(engine::QueryRoot<'_, Context>),
        Target::Mutation => quote!(engine::MutationRoot<'_, Context>),
        Target::Entity(name) => {
            let name = ident(name);
            quote!(model::#name)
        }
        Target::Item { name, borrows, .. } => {
            let name = ident(name);
            let lifetime = borrows.then(|| quote!(<'_>));
            quote!(#name #lifetime)
        }
    }
}
