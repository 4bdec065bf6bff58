//! Formats tokens as source text.

use std::collections::BTreeSet;

use proc_macro2::{Ident, Span, TokenStream, TokenTree};

/// Makes an identifier; raw if it starts with `r#`.
pub(super) fn ident(name: &str) -> Ident {
    match name.strip_prefix("r#") {
        Some(raw) => Ident::new_raw(raw, Span::call_site()),
        None => Ident::new(name, Span::call_site()),
    }
}

/// Parses Rust that the emitter wrote.
pub(super) fn tokens(rust: &str) -> TokenStream {
    rust.parse().unwrap_or_else(|error| panic!("`{rust}` is no Rust: {error}"))
}

/// Joins formatted items to a file, with blank lines between them.
pub(super) fn file_text(banner: &str, items: impl IntoIterator<Item = String>) -> String {
    let items: Vec<String> = items.into_iter().filter(|item| !item.is_empty()).collect();
    format!("{banner}{}", items.join("\n"))
}

/// The text of items, and the wanted names in it.
pub(super) struct Items {
    pub text: String,
    pub used: BTreeSet<String>,
}

/// Formats the items that `tokens` makes of each of `sources`.
pub(super) fn items<T>(sources: &[T], wanted: &BTreeSet<String>, tokens: impl Fn(&T) -> Vec<TokenStream>) -> Items {
    let mut used = BTreeSet::new();
    let text = |item: TokenStream| {
        identifiers(item.clone(), wanted, &mut used);
        format_item(item)
    };
    let texts: Vec<String> = sources.iter().flat_map(tokens).map(text).collect();
    Items { text: texts.join("\n"), used }
}

/// Adds the `wanted` names that are identifiers in `tokens`.
pub(super) fn identifiers(tokens: TokenStream, wanted: &BTreeSet<String>, found: &mut BTreeSet<String>) {
    let mut all = BTreeSet::new();
    all_identifiers(tokens, &mut all);
    found.extend(wanted.intersection(&all).cloned());
}

/// Adds the identifiers in `tokens`.
pub(crate) fn all_identifiers(tokens: TokenStream, found: &mut BTreeSet<String>) {
    for token in tokens {
        match token {
            TokenTree::Ident(ident) => drop(found.insert(ident.to_string())),
            TokenTree::Group(group) => all_identifiers(group.stream(), found),
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
}

/// Formats one item, with blank lines between documented members.
pub(super) fn format_item(item: TokenStream) -> String {
    let file: syn::File = syn::parse2(item).unwrap_or_else(|error| panic!("what is generated is no Rust: {error}"));
    let mut text = String::new();
    let mut previous = "";
    let formatted = prettyplease::unparse(&file);
    for line in formatted.lines() {
        let follows_method = previous.ends_with(';') && !previous.trim_start().starts_with("//");
        if line.trim_start().starts_with("///") && follows_method {
            text.push('\n');
        }
        text.push_str(line);
        text.push('\n');
        previous = line;
    }
    text
}
