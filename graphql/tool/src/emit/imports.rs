//! The `use` items of a generated file: exactly the names that the file uses.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::TokenStream;
use quote::quote;

use super::names::Names;
use super::source::{ident, tokens};

/// Removes the paths from a type: `crate::base::Parsed<chrono::NaiveDate>` becomes `Parsed<NaiveDate>`.
pub(super) fn last_segments(ty: &str) -> String {
    let mut text = ty.to_owned();
    for path in paths(ty) {
        text = text.replace(&path, path.rsplit("::").next().unwrap_or_default());
    }
    text
}

/// Returns the paths in a type, longest first so that none is replaced inside another.
fn paths(ty: &str) -> Vec<String> {
    let parts = ty.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':'));
    let mut paths: Vec<String> = parts.filter(|part| part.contains("::")).map(str::to_owned).collect();
    paths.sort_by_key(|path| std::cmp::Reverse(path.len()));
    paths
}

/// Returns the `use` items for those of [`importable`] that are used, sorted by path.
pub(super) fn imports(names: &Names, used: &BTreeSet<String>) -> Vec<TokenStream> {
    let mut groups: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for path in candidates(names) {
        let Some((module, name)) = path.rsplit_once("::") else { continue };
        if used.contains(name) {
            groups.entry(module.to_owned()).or_default().insert(name.to_owned());
        }
    }
    let mut groups: Vec<_> = groups.into_iter().collect();
    // The standard library first, then other crates, then this one.
    groups.sort_by_key(|(module, _)| (module.starts_with("crate"), !module.starts_with("std"), module.clone()));
    groups
        .into_iter()
        .map(|(module, names)| {
            let (module, names) = (tokens(&module), names.iter().map(|name| ident(name)).collect::<Vec<_>>());
            match &names[..] {
                [name] => quote!(use #module::#name;),
                names => quote!(use #module::{#(#names),*};),
            }
        })
        .collect()
}

/// Returns every name that the vocabulary can use and does not define.
pub(super) fn importable(names: &Names) -> BTreeSet<String> {
    let last = |path: String| path.rsplit_once("::").map(|(_, name)| name.to_owned());
    candidates(names).into_iter().filter_map(last).collect()
}

/// Returns every path that the vocabulary can use and does not define.
fn candidates(names: &Names) -> Vec<String> {
    let scalars = names.scalars.iter().flat_map(|scalar| [paths(scalar.input), paths(scalar.output)]).flatten();
    let fixed = ["std::borrow::Cow", "std::sync::Arc", names.patch, names.context, names.model].map(str::to_owned);
    scalars.chain(fixed).chain([format!("{}::FieldError", names.engine)]).collect()
}
