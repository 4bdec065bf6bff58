//! Implements the traits of the engine for the types of a version.

use proc_macro2::TokenStream;
use quote::quote;

use super::super::item::{Lowered, Read, ReadValue, Target, Variant, Writer};
use super::super::source::ident;
use super::leaf::{leaf, parse};
use super::read::{is_async, write_async, write_preloaded};

/// Emits the items of a writer.
pub(super) fn impls(writer: &Writer, lowered: &Lowered) -> Vec<TokenStream> {
    match writer {
        Writer::Leaf { name, values } => leaf(name, values),
        Writer::Parse { name, fields } => vec![parse(name, fields)],
        Writer::Preloaded { target, graphql_name, fields } => vec![plain(target, graphql_name, fields, lowered)],
        Writer::Object { target, graphql_name, fields } => object(target, graphql_name, fields, lowered),
        Writer::Choice { target, variants, is_async } => vec![choice(target, variants, *is_async, lowered)],
    }
}

/// Implements an object without async fields.
///
/// ```text
/// impl engine::SyncValue<V2026_10> for Address<'_> {
///     fn write(&self, field: &engine::Field, cx: …, path: …, out: …) -> Result<(), engine::NullBubble> {
///         out.object("Address", field.of("Address"), |field, out| match field.name {
///             "street" => write_value(&self.street, field, cx, …, out),
///             "city" => write_value(&self.city, field, cx, …, out),
///             name => engine::unknown("Address", name),
///         })
///     }
/// }
/// ```
fn plain(target: &Target, graphql_name: &str, fields: &[Read], lowered: &Lowered) -> TokenStream {
    let arms = fields.iter().map(|read| {
        let (name, body) = (&read.graphql_name, write_preloaded(read));
        quote!(#name => #body,)
    });
    let body = quote! {
        out.object(#graphql_name, field.of(#graphql_name), |field, out| match field.name {
            #(#arms)*
            name => engine::unknown(#graphql_name, name),
        })
    };
    sync_impl(target, lowered, body)
}

/// Implements an object with async fields.
///
/// ```text
/// impl engine::Object<V2026_10> for model::Human {
///     const NAME: &'static str = "Human";
///     fn preloaded(&self, field: &engine::Field, …) -> Result<bool, engine::NullBubble> {
///         match field.name { "name" => write_value(&Human::name(self, cx.context), field, cx, …, out)?, _ => return Ok(false) }
///         Ok(true)
///     }
///     fn field(&self, field: &engine::Field, …) -> impl Future<Output = Result<(), engine::NullBubble>> + Send {
///         async move {
///             match field.name {
///                 "friends" => engine::boxed(cx.async_value(V2026_10, || Human::friends(self, cx.context), …)).await,
///                 name => engine::unknown("Human", name),
///             }
///         }
///     }
/// }
/// impl engine::AsyncValue<V2026_10> for model::Human { … engine::select::<V2026_10, _>(self, field.of("Human"), …) … }
/// ```
fn object(target: &Target, graphql_name: &str, fields: &[Read], lowered: &Lowered) -> Vec<TokenStream> {
    let marker = ident(&lowered.marker);
    let (awaited, preloaded): (Vec<&Read>, Vec<&Read>) = fields.iter().partition(|read| is_async(read));
    let arms = preloaded.iter().map(|read| {
        let (name, body) = (&read.graphql_name, write_preloaded(read));
        quote!(#name => #body?,)
    });
    let preloaded = (!preloaded.is_empty()).then(|| {
        quote! {
            match field.name {
                #(#arms)*
                _ => return Ok(false),
            }
            Ok(true)
        }
    });
    let arms = awaited.iter().map(|read| {
        let (name, body) = (&read.graphql_name, write_async(read, &marker));
        // The future of a root field is boxed, so that the future of a request is not as large as the largest of them. A cycle
        // of types leads through an entity, where the box ends the type of the future.
        let is_boxed = target.is_root() || matches!(target, Target::Entity(_)) && read.value == ReadValue::Async;
        let body = if is_boxed { quote!(engine::boxed(#body)) } else { body };
        quote!(#name => #body.await,)
    });
    let awaited = quote! {
        match field.name {
            #(#arms)*
            name => engine::unknown(#graphql_name, name),
        }
    };
    let mut impls = vec![object_impl(target, graphql_name, lowered, preloaded, awaited)];
    if !target.is_root() || (matches!(target, Target::Query) && lowered.query_is_value) {
        let body = quote!(engine::select::<#marker, _>(self, field.of(#graphql_name), cx, path, out));
        impls.push(async_impl(target, lowered, body));
    }
    impls
}

/// Implements a union or interface.
///
/// ```text
/// impl engine::AsyncValue<V2026_10> for Being<'_> {
///     fn write_async(&self, field: &engine::Field, …) -> impl Future<Output = Result<(), engine::NullBubble>> + Send {
///         async move {
///             match self {
///                 Self::Human(it) => write_async_value(it, field, cx, path, out).await,
///                 Self::Robot(it) => write_value(it, field, cx, path, out),
///             }
///         }
///     }
/// }
/// ```
fn choice(target: &Target, variants: &[Variant], is_async: bool, lowered: &Lowered) -> TokenStream {
    let arms = variants.iter().map(|Variant { name, is_async }| {
        let variant = ident(name);
        if *is_async {
            quote!(Self::#variant(it) => write_async_value(it, field, cx, path, out).await,)
        } else {
            quote!(Self::#variant(it) => write_value(it, field, cx, path, out),)
        }
    });
    let body = quote!(match self { #(#arms)* });
    if is_async { async_impl(target, lowered, quote!(async move { #body })) } else { sync_impl(target, lowered, body) }
}

/// Implements `SyncValue`, which writes a value without async fields.
fn sync_impl(target: &Target, lowered: &Lowered, body: TokenStream) -> TokenStream {
    let (marker, rust) = (ident(&lowered.marker), implementor(target));
    quote! {
        impl engine::SyncValue<#marker> for #rust {
            fn write(
                &self,
                field: &engine::Field,
                cx: &engine::ExecContext<'_, Context>,
                path: &engine::Path<'_>,
                out: &mut engine::JsonWriter,
            ) -> Result<(), engine::NullBubble> { #body }
        }
    }
}

/// Implements `AsyncValue`, which writes a value with async fields.
fn async_impl(target: &Target, lowered: &Lowered, body: TokenStream) -> TokenStream {
    let (marker, rust) = (ident(&lowered.marker), implementor(target));
    quote! {
        impl engine::AsyncValue<#marker> for #rust {
            fn write_async(
                &self,
                field: &engine::Field,
                cx: &engine::ExecContext<'_, Context>,
                path: &engine::Path<'_>,
                out: &mut engine::JsonWriter,
            ) -> impl Future<Output = Result<(), engine::NullBubble>> + Send { #body }
        }
    }
}

/// Implements `Object`, which writes one field: at once if it is one of the preloaded ones.
fn object_impl(
    target: &Target,
    graphql_name: &str,
    lowered: &Lowered,
    preloaded: Option<TokenStream>,
    awaited: TokenStream,
) -> TokenStream {
    let (marker, rust) = (ident(&lowered.marker), implementor(target));
    let preloaded = preloaded.map(|body| {
        quote! {
            fn preloaded(
                &self,
                field: &engine::Field,
                cx: &engine::ExecContext<'_, Context>,
                path: &engine::Path<'_>,
                out: &mut engine::JsonWriter,
            ) -> Result<bool, engine::NullBubble> {
                #body
            }
        }
    });
    quote! {
        impl engine::Object<#marker> for #rust {
            const NAME: &'static str = #graphql_name;

            #preloaded

            fn field(
                &self,
                field: &engine::Field,
                cx: &engine::ExecContext<'_, Context>,
                path: &engine::Path<'_>,
                out: &mut engine::JsonWriter,
            ) -> impl Future<Output = Result<(), engine::NullBubble>> + Send { async move { #awaited } }
        }
    }
}

fn implementor(target: &Target) -> TokenStream {
    match target {
        Target::Query => quote!(engine::QueryRoot<'_, Context>),
        Target::Mutation => quote!(engine::MutationRoot<'_, Context>),
        Target::Entity(name) => {
            let name = ident(name);
            quote!(model::#name)
        }
        Target::Item { name, borrows } => {
            let name = ident(name);
            let lifetime = borrows.then(|| quote!(<'_>));
            quote!(#name #lifetime)
        }
    }
}
