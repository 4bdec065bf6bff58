//! Converts a syntax error to a [`Diagnostic`].

use dated_graphql_syntax::{DEPTH_MAX, KEYWORDS, LOCATIONS, Problem, Span, SyntaxError};

use crate::diagnostic::Diagnostic;
use crate::nearest::nearest;

const LIST: &str = "write a list as `[Book]`, with the brackets around the type";

/// Converts an error of `source`.
pub(crate) fn diagnostic(error: &SyntaxError, source: &str) -> Diagnostic {
    let span = error.span;
    let found = &source[span.start..span.end];
    let (message, label, help) = match &error.problem {
        Problem::Token { expected } => return token(span, expected, source),
        Problem::EmptyDocument => {
            return Diagnostic::new(end(source), "the file defines nothing", "add `type Query { … }`");
        }
        Problem::NeverClosed { end } => {
            let diagnostic = Diagnostic::new(span, format!("this `{found}` is never closed"), "opened here");
            return diagnostic.related(Span { start: *end, end: *end }, "the definition ends here");
        }
        Problem::Character => {
            let help = match found {
                "'" | "‘" | "’" | "“" | "”" | "„" => Some("write a string between `\"`"),
                ";" => Some("remove it: nothing separates definitions and fields"),
                "/" => Some("write a comment as `# …`"),
                "?" => Some("remove it: a type without `!` may be null"),
                "<" => Some(LIST),
                _ => None,
            };
            ("this character means nothing here".to_owned(), "cannot be read", help)
        }
        Problem::Number => {
            ("this is no number".to_owned(), "cannot be read", Some("write it as `12`, `-0.5` or `6.02e23`"))
        }
        Problem::Unterminated => {
            let help = "write a text of several lines between `\"\"\"`";
            let quotes = if found.starts_with("\"\"\"") { "\"\"\"" } else { "\"" };
            let diagnostic = Diagnostic::new(span, "this string has no end", "cannot be read");
            return diagnostic.help(format!("end it with `{quotes}`; {help}"));
        }
        Problem::Escape => {
            let help = r#"the escapes are \" \\ \/ \b \f \n \r \t \u0041 and \u{41}"#;
            ("there is no such escape".to_owned(), "cannot be read", Some(help))
        }
        Problem::TooDeep { .. } => (format!("more than {DEPTH_MAX} brackets lie in each other"), "one too many", None),
        Problem::ExtensionDescription => {
            let help = "describe what is extended, or write a comment: `# …`";
            ("an extension has no description".to_owned(), "not allowed here", Some(help))
        }
    };
    Diagnostic::new(span, message, label).help(help.map(str::to_owned))
}

/// Converts the error of a token in the place of something that is expected.
fn token(span: Span, expected: &str, source: &str) -> Diagnostic {
    let found = &source[span.start..span.end];
    let label = format!("expected {expected}");
    if found.is_empty() {
        return Diagnostic::new(end(source), "the file ends in the middle of a definition", label);
    }
    let before = source[..span.start].trim_end();
    if (found, before.chars().next_back()) == (")", Some('(')) {
        return Diagnostic::new(span, "there is nothing between these brackets", "leave them out");
    }
    let diagnostic = Diagnostic::new(span, format!("unexpected `{found}`"), label);
    let is_type = found.starts_with(|c: char| c.is_ascii_uppercase()) && expected.starts_with("a definition");
    match found {
        "=" if expected.starts_with("a field") => {
            diagnostic.help("only an argument and a field of an input have a default".to_owned())
        }
        "=" if expected.starts_with("a value") => diagnostic.help("a value of an enum is its name alone".to_owned()),
        _ if before.ends_with(',') && (is_type || expected == "`{`") => {
            diagnostic.help("write `&` between interfaces, and `|` between the members of a union".to_owned())
        }
        ":" if expected == "`{`" => diagnostic.help("write `implements`".to_owned()),
        "|" => diagnostic.help("define `union Name = A | B`, and name it here".to_owned()),
        _ if is_type => diagnostic.help(format!("write `type {found} {{ … }}`, or another kind of definition")),
        "[" => diagnostic.help(LIST.to_owned()),
        _ if before.ends_with('=') && found == "$" => {
            diagnostic.help("write a value: a schema has no variables".to_owned())
        }
        _ if before.ends_with(':') => diagnostic.help("write the type behind the `:`".to_owned()),
        _ if expected.starts_with("a definition") => diagnostic.did_you_mean(nearest(found, KEYWORDS)),
        _ if expected.starts_with("a location") => diagnostic.did_you_mean(nearest(found, LOCATIONS.split(' '))),
        _ => diagnostic,
    }
}

fn end(source: &str) -> Span {
    let end = source.trim_end().len();
    Span { start: end, end }
}

#[cfg(test)]
mod tests {
    use crate::model::Schema;

    #[test]
    fn mistake_of_another_language_has_help() {
        for (sdl, help) in [
            ("type Query { a: Int; b: Int }", "nothing separates definitions and fields"),
            ("type Query { a: Int? }", "a type without `!` may be null"),
            ("type Query { a: Book[] }", "write a list as `[Book]`"),
            ("type Query { a: Array<Book> }", "write a list as `[Book]`"),
            ("type Query implements A, B { a: Int }", "write `&` between interfaces"),
            ("type Query { a: Int } union U = A, B", "`|` between the members of a union"),
            ("type Query: A { a: Int }", "write `implements`"),
            ("type Query { 'a': Int }", "write a string between"),
            ("type Query { a: Int } // c", "write a comment as `# …`"),
            ("type Query { a: Int = 1 }", "only an argument and a field of an input have a default"),
            ("enum E { A = 1 }", "a value of an enum is its name alone"),
            ("type Query { a: Int | String }", "define `union Name = A | B`"),
            ("Query { a: Int }", "write `type Query { … }`"),
            ("type Query { a(x: Int = $y): Int }", "a schema has no variables"),
        ] {
            let lines: Vec<String> = Schema::parse("a", sdl).expect_err(sdl).lines().collect();
            assert!(lines[0].contains(help), "{lines:?}");
        }
    }
}
