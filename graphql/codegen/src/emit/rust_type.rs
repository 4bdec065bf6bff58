//! A Rust type in generated code.

use proc_macro2::TokenStream;
use quote::quote;

use super::imports::last_segments;
use super::source::{ident, tokens};

/// A type without a lifetime, which is chosen when it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum RustType {
    /// A scalar, by path.
    Path(String),
    /// Borrowed or owned.
    Cow(Box<RustType>),
    /// An entity, which is shared: caches and the edges and nodes of connections (Relay) hold it too, and it is large to move.
    Model(String),
    /// A generated item.
    Item {
        name: String,
        borrows: bool,
    },
    /// An input that can contain the type that holds it.
    Boxed(Box<RustType>),
    Option(Box<RustType>),
    Vec(Box<RustType>),
    Patch(Box<RustType>),
}

impl RustType {
    /// Returns whether it has a lifetime.
    pub(super) fn borrows(&self) -> bool {
        match self {
            RustType::Path(_) | RustType::Model(_) => false,
            RustType::Cow(_) => true,
            RustType::Item { borrows, .. } => *borrows,
            RustType::Boxed(inner) | RustType::Option(inner) | RustType::Vec(inner) | RustType::Patch(inner) => {
                inner.borrows()
            }
        }
    }

    pub(super) fn is_boxed(&self) -> bool {
        matches!(self, RustType::Boxed(_))
    }

    /// Writes the type, with `lifetime` (`'a`, `'static`) if it has one.
    pub(super) fn tokens(&self, lifetime: &str) -> TokenStream {
        match self {
            RustType::Path(path) => tokens(&last_segments(path)),
            RustType::Cow(inner) => {
                let (lifetime, inner) = (tokens(lifetime), inner.tokens(lifetime));
                quote!(Cow<#lifetime, #inner>)
            }
            RustType::Model(name) => {
                let name = ident(name);
                quote!(Arc<model::#name>)
            }
            RustType::Item { name, borrows } => {
                let name = ident(name);
                let lifetime = borrows.then(|| tokens(lifetime)).map(|lifetime| quote!(<#lifetime>));
                quote!(#name #lifetime)
            }
            RustType::Boxed(inner) => {
                let inner = inner.tokens(lifetime);
                quote!(Box<#inner>)
            }
            RustType::Option(inner) => {
                let inner = inner.tokens(lifetime);
                quote!(Option<#inner>)
            }
            RustType::Vec(inner) => {
                let inner = inner.tokens(lifetime);
                quote!(Vec<#inner>)
            }
            RustType::Patch(inner) => {
                let inner = inner.tokens(lifetime);
                quote!(Patch<#inner>)
            }
        }
    }
}
