//! Converts descriptions of the SDL to doc comments.
//!
//! Rustdoc runs a code block as a test, reads `[x]` as a link to an item and `<x>` as HTML. So code blocks are marked as
//! text, and these characters are escaped.

use proc_macro2::TokenStream;
use quote::quote;

/// Returns the doc comment of an item, field or method, with its deprecation.
pub(super) fn docs(description: Option<&str>, deprecated: Option<&str>) -> TokenStream {
    let mut lines = description.map(rustdoc).unwrap_or_default();
    if let Some(reason) = deprecated {
        if !lines.is_empty() {
            lines.push(String::new());
        }
        lines.extend(rustdoc(&format!("Deprecated: {reason}")));
    }
    let lines = lines.iter().map(|line| if line.is_empty() { String::new() } else { format!(" {line}") });
    quote!(#(#[doc = #lines])*)
}

/// Converts a description to the lines of a doc comment.
fn rustdoc(description: &str) -> Vec<String> {
    let mut lines = vec![];
    let mut fenced = false;
    for line in description.trim().lines() {
        // Rust refuses a bare carriage return in a doc comment.
        let line = line.trim_end().replace('\r', " ");
        let text = line.trim_start();
        if text.starts_with("```") || text.starts_with("~~~") {
            let fence = &text[..3];
            lines.push(if fenced { fence.to_owned() } else { format!("{fence}text") });
            fenced = !fenced;
        } else if fenced {
            lines.push(line);
        } else {
            // Four leading spaces would make the line a code block, and so a test.
            let indent = (line.len() - text.len()).min(3);
            lines.push(format!("{}{}", &line[..indent], escape(text)));
        }
    }
    if fenced {
        lines.push("```".to_owned());
    }
    lines
}

/// Escapes a line outside `` `code` ``, and marks bare addresses.
fn escape(text: &str) -> String {
    // Unpaired back ticks are text.
    let pairs = text.matches('`').count().is_multiple_of(2);
    let mut out = String::new();
    for (i, part) in text.split('`').enumerate() {
        let code = pairs && i % 2 == 1;
        if i > 0 {
            out.push_str(if pairs { "`" } else { "\\`" });
        }
        if code {
            out.push_str(part);
        } else {
            out.push_str(&prose(part));
        }
    }
    out
}

fn prose(text: &str) -> String {
    let words = text.split(' ').map(|word| {
        let end = word.trim_end_matches(['.', ',', ';', ':', ')', '!', '?']).len();
        let (address, rest) = word.split_at(end);
        if address.starts_with("https://") || address.starts_with("http://") {
            return format!("<{address}>{rest}");
        }
        let mut escaped = String::with_capacity(word.len());
        for c in word.chars() {
            if matches!(c, '[' | ']' | '<' | '>') {
                escaped.push('\\');
            }
            escaped.push(c);
        }
        escaped
    });
    words.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::{docs, rustdoc};

    #[test]
    fn rustdoc_marks_code_blocks_as_text() {
        assert_eq!(rustdoc("See:\n```graphql\n{ a[0] }\n```"), ["See:", "```text", "{ a[0] }", "```"]);
        assert_eq!(rustdoc("```\nnever closed"), ["```text", "never closed", "```"]);
        assert_eq!(rustdoc("a\n\n        let x = 1;"), ["a", "", "   let x = 1;"]);
    }

    #[test]
    fn deprecation_follows_the_description() {
        let text = |description| docs(description, Some("Use `b`.")).to_string();
        assert_eq!(text(None), "# [doc = \" Deprecated: Use `b`.\"]");
        let expected = "# [doc = \" A.\"] # [doc = \"\"] # [doc = \" Deprecated: Use `b`.\"]";
        assert_eq!(text(Some("A.")), expected);
    }

    #[test]
    fn rustdoc_escapes_links_and_html_outside_code() {
        assert_eq!(rustdoc("A [Book] of `[String!]`, <b>"), ["A \\[Book\\] of `[String!]`, \\<b\\>"]);
        assert_eq!(rustdoc("one ` tick [x]"), ["one \\` tick \\[x\\]"]);
        assert_eq!(rustdoc("See https://example.org/a."), ["See <https://example.org/a>."]);
    }
}
