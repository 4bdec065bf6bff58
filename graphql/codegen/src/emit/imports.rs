//! The `use` items of a generated file: exactly the names that the file uses.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::TokenStream;
use quote::quote;

use super::names::{ENGINE, PATCH, RustPaths};
use super::source::{ident, tokens};

/// Removes the paths from a type: `crate::base::Parsed<chrono::NaiveDate>` becomes `Parsed<NaiveDate>`.
pub(super) fn last_segments(ty: &str) -> String {
    let mut text = ty.to_owned();
    for path in paths(ty) {
        text = text.replace(&path, path.rsplit("::").next().unwrap_or_default());
    }
    text
}

/// Makes the paths of a type absolute, so that no name of a generated file hides them: `::chrono::NaiveDate` for
/// `chrono::NaiveDate`.
pub(super) fn absolute(ty: &str) -> TokenStream {
    let is_path = |c: char| c.is_alphanumeric() || matches!(c, '_' | ':');
    let mut text = String::new();
    let mut rest = ty;
    while !rest.is_empty() {
        let end = rest.find(|c| !is_path(c)).unwrap_or(rest.len()).max(1);
        let (part, behind) = rest.split_at(end);
        if part.contains("::") && !part.starts_with("crate::") && !part.starts_with("::") {
            text.push_str("::");
        }
        text.push_str(part);
        rest = behind;
    }
    tokens(&text)
}

/// Returns the paths in a type, longest first so that none is replaced inside another.
fn paths(ty: &str) -> Vec<String> {
    let parts = ty.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':'));
    let mut paths: Vec<String> = parts.filter(|part| part.contains("::")).map(str::to_owned).collect();
    paths.sort_by_key(|path| std::cmp::Reverse(path.len()));
    paths
}

/// Returns the `use` items for the used names of [`importable`], sorted by path.
pub(super) fn imports(names: &RustPaths, used: &BTreeSet<String>) -> Vec<TokenStream> {
    let mut groups: BTreeMap<String, BTreeSet<(String, String)>> = BTreeMap::new();
    for (path, name) in candidates(names) {
        let Some((module, last)) = path.rsplit_once("::") else { continue };
        if used.contains(&name) {
            groups.entry(module.to_owned()).or_default().insert((last.to_owned(), name));
        }
    }
    let mut groups: Vec<_> = groups.into_iter().collect();
    // The standard library first, then other crates, then this one.
    groups.sort_by_key(|(module, _)| (module.starts_with("crate"), !module.starts_with("std"), module.clone()));
    groups
        .into_iter()
        .map(|(module, names)| {
            let (module, names) =
                (tokens(&module), names.iter().map(|(last, name)| import_as(last, name)).collect::<Vec<_>>());
            match &names[..] {
                [name] => quote!(use #module::#name;),
                names => quote!(use #module::{#(#names),*};),
            }
        })
        .collect()
}

/// Returns the import of a path under a name.
pub(super) fn import_as(path: &str, name: &str) -> TokenStream {
    let (path, last, name) = (tokens(path), path.rsplit("::").next() == Some(name), ident(name));
    if last { path } else { quote!(#path as #name) }
}

/// Returns every name that the vocabulary can use and does not define.
pub(super) fn importable(names: &RustPaths) -> BTreeSet<String> {
    candidates(names).into_iter().map(|(_, name)| name).collect()
}

/// Returns every path that the vocabulary can use and does not define, with its name in generated code.
fn candidates(names: &RustPaths) -> Vec<(String, String)> {
    let last = |path: String| (path.clone(), path.rsplit("::").next().unwrap_or_default().to_owned());
    let scalars = names.scalars.values().flat_map(|scalar| [paths(&scalar.input), paths(&scalar.output)]).flatten();
    let fixed = ["std::borrow::Cow".to_owned(), "std::sync::Arc".to_owned(), format!("{ENGINE}::FieldError")];
    let named = [(PATCH, "Patch"), (&*names.context, "Context"), (&*names.model, "model")];
    let named = named.map(|(path, name)| (path.to_owned(), name.to_owned()));
    scalars.chain(fixed).map(last).chain(named).collect()
}
