//! Formats tokens as source text.

use proc_macro2::{Ident, Span, TokenStream};

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

/// Formats items as a file, with blank lines between them, which the formatter does not keep.
pub(super) fn text(banner: &str, items: impl IntoIterator<Item = TokenStream>) -> String {
    let items: Vec<String> = items.into_iter().map(item_text).collect();
    format!("{banner}{}", items.join("\n"))
}

/// Formats one item, with blank lines between documented members.
fn item_text(item: TokenStream) -> String {
    let file: syn::File = syn::parse2(item.clone()).unwrap_or_else(|error| panic!("{error} in {item}"));
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
