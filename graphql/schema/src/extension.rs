//! Writes the extensions of a document (`extend type Book { … }`) into what they extend. Called by [`crate::parse`]. Source: GraphQL specification, sections 3.2.2, 3.3.2 and 3.4.3.

use std::ops::Range;

use cynic_parser::TypeSystemDocument;
use cynic_parser::type_system::{Definition, Description, TypeDefinition};

use crate::ast::name_span;
use crate::diagnostic::{Diagnostic, Span};
use crate::nearest::nearest;
use crate::rule::kind;

/// A document without extensions.
pub(crate) struct Merged {
    pub text: String,
    /// Where each part of the text begins, and where that part begins in the document. Text between parts belongs to the part
    /// before it.
    parts: Vec<(usize, Range<usize>)>,
}

impl Merged {
    /// Returns the span in the document of a span in the text.
    pub(crate) fn original(&self, span: Span) -> Span {
        let start = self.position(span.start);
        let end = self.position(span.end.saturating_sub(1)) + usize::from(span.end > span.start);
        Span { start, end: end.max(start) }
    }

    fn position(&self, at: usize) -> usize {
        let before = self.parts[..self.parts.partition_point(|(begin, _)| *begin <= at)].last();
        before.map_or(0, |(begin, part)| (part.start + at - begin).min(part.end))
    }

    fn copy(&mut self, source: &str, part: Range<usize>) {
        self.parts.push((self.text.len(), part.clone()));
        self.text.push_str(&source[part]);
    }

    /// Copies parts with `between` between them, after `before` if there are any.
    fn join(&mut self, source: &str, parts: &[Range<usize>], before: &str, between: &str) {
        for (at, part) in parts.iter().filter(|part| !source[(*part).clone()].trim().is_empty()).enumerate() {
            self.text.push_str(if at == 0 { before } else { between });
            self.copy(source, part.clone());
            self.text.push('\n'); // ends a comment
        }
    }
}

/// Merges the extensions of a document; returns `None` if it has none, or an error for each that extends nothing.
pub(crate) fn merge(document: &TypeSystemDocument, source: &str) -> Result<Option<Merged>, Vec<Diagnostic>> {
    let extends = |definition: &Definition<'_>| definition.is_type_extension() || definition.is_schema_extension();
    if !document.definitions().any(|definition| extends(&definition)) {
        return Ok(None);
    }
    let mut diagnostics = unknown(document);
    diagnostics.extend(described(document));
    if !diagnostics.is_empty() {
        return Err(diagnostics);
    }
    let mut merged = Merged { text: String::new(), parts: vec![] };
    let extensions = |of: Option<&str>| -> Vec<Parts> {
        let of_type = document.definitions().filter_map(|definition| match (definition, of) {
            (Definition::TypeExtension(ty), Some(name)) if ty.name() == name => {
                Some(Parts::read(source, name_span(ty).end, definition.span().end))
            }
            (Definition::SchemaExtension(_), None) => {
                let span = definition.span();
                Some(Parts::read(source, after_word(source, span.start), span.end))
            }
            _ => None,
        });
        of_type.collect()
    };
    if !document.definitions().any(|definition| definition.is_schema()) && !extensions(None).is_empty() {
        merged.text.push_str("schema");
        merged.write(source, &extensions(None), &implicit_roots(document, source, &extensions(None)), Mark::Block);
    }
    for definition in document.definitions() {
        let span = definition.span();
        let (start, from, name, mark) = match definition {
            Definition::Type(ty) => {
                let mark = if ty.is_union() { Mark::Union } else { Mark::Block };
                (start(span, ty.description()), name_span(ty).end, Some(ty.name()), mark)
            }
            Definition::Schema(schema) => {
                let keyword = schema.description().map_or(span.start, |text| text.span().end);
                (start(span, schema.description()), after_word(source, keyword), None, Mark::Block)
            }
            Definition::Directive(directive) => {
                merged.copy(source, start(span, directive.description())..span.end);
                merged.text.push('\n');
                continue;
            }
            Definition::TypeExtension(_) | Definition::SchemaExtension(_) => continue,
        };
        merged.copy(source, start..from);
        let own = Parts::read(source, from, span.end);
        merged.write(source, &[vec![own], extensions(name)].concat(), "", mark);
    }
    Ok(Some(merged))
}

/// What the contents of a definition begin with.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    Block,
    Union,
}

impl Merged {
    /// Writes the parts of a definition and its extensions; `first` are contents that the document does not have.
    fn write(&mut self, source: &str, all: &[Parts], first: &str, mark: Mark) {
        let of =
            |part: fn(&Parts) -> &Range<usize>| -> Vec<Range<usize>> { all.iter().map(|p| part(p).clone()).collect() };
        self.join(source, &of(|parts| &parts.interfaces), " implements ", " & ");
        self.join(source, &of(|parts| &parts.directives), " ", " ");
        let contents = of(|parts| &parts.contents);
        if mark == Mark::Union {
            return self.join(source, &contents, " = ", " | ");
        }
        if !first.is_empty() || all.iter().any(|parts| parts.has_block) {
            self.text.push_str(&format!(" {{ {first} "));
            self.join(source, &contents, "", "");
            self.text.push('}');
        }
        self.text.push('\n');
    }
}

/// Returns the roots that a schema without a schema block has by their names, except those that an extension names.
fn implicit_roots(document: &TypeSystemDocument, source: &str, extensions: &[Parts]) -> String {
    let named = |word: &str| extensions.iter().any(|parts| source[parts.contents.clone()].contains(word));
    let is_type = |name: &str| document.definitions().any(|d| d.as_type().is_some_and(|ty| ty.name() == name));
    let roots = [("query", "Query"), ("mutation", "Mutation"), ("subscription", "Subscription")].into_iter();
    let roots = roots.filter(|(operation, ty)| is_type(ty) && !named(operation));
    roots.map(|(operation, ty)| format!("{operation}: {ty} ")).collect()
}

/// Returns an error for each extension of a type that is not defined, or is of another kind.
fn unknown(document: &TypeSystemDocument) -> Vec<Diagnostic> {
    let types: Vec<TypeDefinition<'_>> = document.definitions().filter_map(|definition| definition.as_type()).collect();
    let extensions = document.definitions().filter_map(|definition| definition.as_type_extension());
    let found = extensions.filter_map(|extension| {
        let name = extension.name();
        match types.iter().find(|ty| ty.name() == name) {
            None => {
                let message = format!("there is no type `{name}` to extend");
                let diagnostic = Diagnostic::new(name_span(extension), message, "not in this file");
                Some(diagnostic.did_you_mean(nearest(name, types.iter().map(TypeDefinition::name))))
            }
            Some(ty) if kind(*ty) != kind(extension) => {
                let message = format!("`{name}` is {}", kind(*ty).kind_name());
                let label = format!("extended as {}", kind(extension).kind_name());
                Some(Diagnostic::new(name_span(extension), message, label).related(name_span(*ty), "defined here"))
            }
            Some(_) => None,
        }
    });
    found.collect()
}

/// Returns an error for each extension with a description (GraphQL specification, section 3.4.3).
fn described(document: &TypeSystemDocument) -> impl Iterator<Item = Diagnostic> {
    let descriptions = document.definitions().filter_map(|definition| match definition {
        Definition::TypeExtension(ty) => ty.description(),
        Definition::SchemaExtension(schema) => schema.description(),
        _ => None,
    });
    descriptions.map(|description| {
        let help = "describe what is extended, or write a comment: `# …`".to_owned();
        Diagnostic::new(description.span(), "an extension has no description", "not allowed here").help(help)
    })
}

/// Returns the start of a definition, with its description.
fn start(span: cynic_parser::Span, description: Option<Description<'_>>) -> usize {
    description.map_or(span.start, |text| text.span().start.min(span.start))
}

/// Returns the end of the word `schema` at or after a byte.
fn after_word(source: &str, from: usize) -> usize {
    source[from..].find("schema").map_or(from, |at| from + at + "schema".len())
}

/// The parts of a definition after its name.
#[derive(Clone)]
struct Parts {
    /// The names after `implements`.
    interfaces: Range<usize>,
    directives: Range<usize>,
    /// What is between the braces, or the members of a union.
    contents: Range<usize>,
    has_block: bool,
}

impl Parts {
    /// Reads the parts between two bytes. Strings, comments and arguments are skipped.
    fn read(source: &str, from: usize, end: usize) -> Self {
        let mut parts = Parts { interfaces: end..end, directives: end..end, contents: end..end, has_block: false };
        let (mut at, mut depth) = (from, 0usize);
        while at < end {
            let rest = &source[at..end];
            let step = token(rest);
            match rest.as_bytes()[0] {
                b'(' => depth += 1,
                b')' => depth = depth.saturating_sub(1),
                _ if depth > 0 => {}
                b'{' | b'=' => {
                    let block = rest.starts_with('{');
                    let last = if block { source[..end].rfind('}').unwrap_or(end) } else { end };
                    parts.interfaces.end = parts.interfaces.end.min(at).max(parts.interfaces.start.min(at));
                    parts.directives.end = at;
                    parts.contents = at + 1..last;
                    parts.has_block = block;
                    break;
                }
                b'@' if parts.directives.start == end => {
                    parts.interfaces.end = at;
                    parts.directives.start = at;
                }
                b'i' if rest[..step] == *"implements" && parts.directives.start == end => {
                    parts.interfaces.start = at + step;
                }
                _ => {}
            }
            at += step;
        }
        for range in [&mut parts.interfaces, &mut parts.directives] {
            range.start = range.start.min(range.end);
        }
        let trimmed = |range: &Range<usize>, separator: char| {
            let text = &source[range.clone()];
            let rest = text.trim_start().strip_prefix(separator).unwrap_or(text);
            range.end - rest.len()..range.end
        };
        parts.interfaces = trimmed(&parts.interfaces, '&');
        if !parts.has_block {
            parts.contents = trimmed(&parts.contents, '|');
        }
        parts
    }
}

/// Returns the length of the string, comment, name or character that a text begins with.
fn token(text: &str) -> usize {
    let name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let length = match text.as_bytes()[0] {
        b'#' => text.find('\n'),
        b'"' if text.starts_with("\"\"\"") => {
            let mut at = 3;
            while let Some(end) = text[at..].find("\"\"\"").map(|end| at + end) {
                if !text[..end].ends_with('\\') {
                    return end + 3;
                }
                at = end + 3;
            }
            None
        }
        b'"' => {
            let mut escaped = false;
            let end = text.char_indices().skip(1).find(|(_, c)| {
                let ends = *c == '"' && !escaped;
                escaped = *c == '\\' && !escaped;
                ends
            });
            end.map(|(at, _)| at + 1)
        }
        _ if text.starts_with(name) => text.find(|c: char| !name(c)),
        _ => text.chars().next().map(char::len_utf8),
    };
    length.unwrap_or(text.len())
}
