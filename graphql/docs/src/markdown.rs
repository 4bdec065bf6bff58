//! Converts descriptions to HTML: paragraphs, lists, code and code blocks. Other Markdown is shown as text.
//!
//! Code that names an element of the schema becomes a link to it. A sentence that states a limit in figures is marked.

use super::html::{escape, to};
use dated_graphql_schema::Sdl;
use dated_graphql_schema::coordinate;

/// Words that, together with a figure, make a sentence state a limit.
const LIMITS: [&str; 9] =
    ["at most", "up to", "no more than", "maximum", "between", "at least", "characters", " to 2", "valid for"];

/// Converts a description; names are resolved relative to the coordinate `around`.
pub(super) fn blocks(sdl: &Sdl, around: &str, text: &str) -> String {
    let mut html = String::new();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let trimmed = line.trim();
        if let Some(fence) = ["```", "~~~"].into_iter().find(|fence| trimmed.starts_with(fence)) {
            let code: Vec<&str> = lines.by_ref().take_while(|line| !line.trim().starts_with(fence)).collect();
            html.push_str(&format!("<pre><code>{}</code></pre>\n", escape(&code.join("\n"))));
        } else if let Some(first) = item(trimmed) {
            let mut items = vec![first.to_owned()];
            while let Some(next) = lines.peek().map(|line| line.trim()).filter(|line| !line.is_empty()) {
                match item(next) {
                    Some(next) => items.push(next.to_owned()),
                    None => {
                        let last = items.pop().unwrap_or_default();
                        items.push(format!("{last} {next}"));
                    }
                }
                lines.next();
            }
            let items: Vec<String> =
                items.iter().map(|text| format!("<li>{}</li>", sentences(sdl, around, text))).collect();
            html.push_str(&format!("<ul>{}</ul>\n", items.concat()));
        } else if !trimmed.is_empty() {
            let mut words = vec![trimmed];
            while let Some(next) = lines.peek().map(|line| line.trim()) {
                if next.is_empty() || item(next).is_some() || next.starts_with("```") || next.starts_with("~~~") {
                    break;
                }
                words.push(next);
                lines.next();
            }
            html.push_str(&format!("<p>{}</p>\n", sentences(sdl, around, &words.join(" "))));
        }
    }
    html
}

/// Returns the text of a list item.
fn item(line: &str) -> Option<&str> {
    line.strip_prefix("- ").or_else(|| line.strip_prefix("* "))
}

/// Converts sentences, and marks sentences that state a limit.
fn sentences(sdl: &Sdl, around: &str, text: &str) -> String {
    let mut html = vec![];
    let mut rest = text;
    while !rest.is_empty() {
        let end = sentence_end(rest);
        let (sentence, after) = rest.split_at(end);
        let inner = inline(sdl, around, sentence.trim());
        html.push(if states_limit(sentence) { format!("<mark>{inner}</mark>") } else { inner });
        rest = after.trim_start();
    }
    html.join(" ")
}

/// Converts the first sentence of a description.
pub(super) fn first_sentence(sdl: &Sdl, around: &str, text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    inline(sdl, around, &text[..sentence_end(&text)])
}

/// Returns the end of the first sentence: after a full stop or colon outside code, before a space.
fn sentence_end(text: &str) -> usize {
    let mut code = false;
    for (at, c) in text.char_indices() {
        match c {
            '`' => code = !code,
            '.' | ':' if !code && text[at + 1..].starts_with(' ') => return at + 1,
            _ => {}
        }
    }
    text.len()
}

fn states_limit(sentence: &str) -> bool {
    let text = sentence.to_lowercase();
    text.contains(|c: char| c.is_ascii_digit()) && LIMITS.iter().any(|word| text.contains(word))
}

/// Converts text with code; code that names an element becomes a link.
fn inline(sdl: &Sdl, around: &str, text: &str) -> String {
    // Unpaired back ticks are text.
    if !text.matches('`').count().is_multiple_of(2) {
        return escape(text);
    }
    let parts = text.split('`').enumerate().map(|(at, part)| {
        if at % 2 == 0 {
            return escape(part);
        }
        match resolve(sdl, around, part) {
            Some(coordinate) => to(&coordinate, part),
            None => format!("<code>{}</code>", escape(part)),
        }
    });
    parts.collect()
}

/// Returns the coordinate that a name in a description refers to.
fn resolve(sdl: &Sdl, around: &str, name: &str) -> Option<String> {
    let roots = [Some(&*sdl.schema.query), sdl.schema.mutation.as_deref()].into_iter().flatten();
    let parents = std::iter::successors(Some(around), |at| coordinate::parent(at));
    let mut candidates = vec![name.to_owned()];
    for parent in parents.chain(roots) {
        candidates.push(coordinate::member(parent, name));
        candidates.push(coordinate::argument(parent, name));
    }
    let known = |at: &String| *at != coordinate::SCHEMA && at != around && sdl.spans.get(at).is_some();
    candidates.into_iter().find(known)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sdl() -> Sdl {
        let source = "type Query { book(id: ID!): Book books: [Book] } type Book { name: String status: Int }";
        Sdl::parse("a", "a.graphql", source).expect("a schema")
    }

    fn html(text: &str) -> String {
        blocks(&sdl(), "Book.name", text)
    }

    #[test]
    fn paragraphs_lists_and_blocks_are_distinguished() {
        assert_eq!(html("One\ntwo.\n\nThree."), "<p>One two.</p>\n<p>Three.</p>\n");
        assert_eq!(html("See:\n- a\n  b\n- c\n\nD."), "<p>See:</p>\n<ul><li>a b</li><li>c</li></ul>\n<p>D.</p>\n");
        assert_eq!(html("```graphql\n{ a }\n```\nAfter."), "<pre><code>{ a }</code></pre>\n<p>After.</p>\n");
        assert_eq!(html("one ` tick"), "<p>one ` tick</p>\n");
    }

    #[test]
    fn name_of_the_schema_is_a_link() {
        let link = |at: &str, text: &str| format!("<p><a href=\"#{at}\"><code>{text}</code></a></p>\n");
        assert_eq!(html("`status`"), link("Book.status", "status"));
        assert_eq!(html("`Book`"), link("Book", "Book"));
        assert_eq!(html("`book(id:)`"), link("Query.book(id:)", "book(id:)"));
        assert_eq!(html("`DRAFT`"), "<p><code>DRAFT</code></p>\n");
    }

    #[test]
    fn sentence_with_a_limit_is_marked() {
        let expected = "<p>Free text. <mark>At most 200 characters.</mark> See <code>a. b</code>.</p>\n";
        assert_eq!(html("Free text. At most 200 characters. See `a. b`."), expected);
    }
}
