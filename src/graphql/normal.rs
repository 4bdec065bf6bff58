//! The normal form of a document, in which the service stores it: its own layout, without literals, aliases and comments
//! (decisions H12).
//!
//! It names the same coordinates as the document. It need not be executable: two selections of a field that differed in
//! their aliases now stand side by side.

use std::fmt::Write as _;
use std::ops::Range;
use std::sync::Arc;

use sha2::{Digest as _, Sha256};

use super::ast::{Argument, Directive, Document, Fragment, Literal, Operation, OperationKind, Selection, Variable};
use crate::base::limits::STORED_DOCUMENT_BYTES_MAX;

/// A document in its normal form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NormalDocument {
    pub text: Arc<str>,
    /// The SHA-256 of the text.
    pub digest: [u8; 32],
}

/// Returns the normal form of a valid document, or `None` if it has more than [`STORED_DOCUMENT_BYTES_MAX`].
pub(super) fn normal(document: &Document<'_>) -> Option<Arc<NormalDocument>> {
    let mut writer = Writer { text: String::new(), indent: 0 };
    document.operations.iter().for_each(|operation| writer.operation(operation));
    document.fragments.iter().for_each(|fragment| writer.fragment(fragment));
    let text = writer.text;
    let digest = Sha256::digest(&text).into();
    (text.len() <= STORED_DOCUMENT_BYTES_MAX).then(|| Arc::new(NormalDocument { text: text.into(), digest }))
}

struct Writer {
    text: String,
    indent: usize,
}

impl Writer {
    /// Adds formatted text.
    fn add(&mut self, text: std::fmt::Arguments<'_>) {
        self.text.write_fmt(text).expect("a string takes any text");
    }

    fn operation(&mut self, operation: &Operation<'_>) {
        let Operation { kind, name, variables, directives, set, .. } = operation;
        let kind = match kind {
            OperationKind::Query => "query",
            OperationKind::Mutation => "mutation",
            OperationKind::Subscription => "subscription",
        };
        self.text.push_str(kind);
        if let Some(name) = name {
            self.add(format_args!(" {}", name.text));
        }
        self.within(['(', ')'], variables, Self::variable);
        self.directives(directives);
        self.set(&set.items);
    }

    fn fragment(&mut self, fragment: &Fragment<'_>) {
        self.add(format_args!("fragment {} on {}", fragment.name.text, fragment.on.text));
        self.directives(&fragment.directives);
        self.set(&fragment.set.items);
    }

    fn variable(&mut self, variable: &Variable<'_>) {
        self.add(format_args!("${}: {}", variable.name.text, variable.ty));
        if let Some(default) = &variable.default {
            self.text.push_str(" = ");
            self.value(&default.literal);
        }
        self.directives(&variable.directives);
    }

    fn directives(&mut self, directives: &[Directive<'_>]) {
        for directive in directives {
            self.add(format_args!(" @{}", directive.name.text));
            self.within(['(', ')'], &directive.arguments, Self::argument);
        }
    }

    fn argument(&mut self, argument: &Argument<'_>) {
        self.add(format_args!("{}: ", argument.name.text));
        self.value(&argument.value.literal);
    }

    /// Writes a selection set and the end of its line. Of selections that are equal now, the first is written.
    fn set(&mut self, items: &[Selection<'_>]) {
        self.text.push_str(" {\n");
        self.indent += 1;
        let mut written: Vec<Range<usize>> = Vec::with_capacity(items.len());
        for item in items {
            let start = self.text.len();
            self.selection(item);
            let (before, new) = self.text.split_at(start);
            match written.iter().any(|range| &before[range.clone()] == new) {
                true => self.text.truncate(start),
                false => written.push(start..self.text.len()),
            }
        }
        self.indent -= 1;
        self.start_line();
        self.text.push_str("}\n");
    }

    fn selection(&mut self, selection: &Selection<'_>) {
        self.start_line();
        let set = match selection {
            Selection::Field(field) => {
                self.text.push_str(field.name.text);
                self.within(['(', ')'], &field.arguments, Self::argument);
                field.set.as_ref()
            }
            Selection::Spread(spread) => {
                self.add(format_args!("...{}", spread.name.text));
                None
            }
            Selection::Inline(inline) => {
                self.text.push_str("...");
                if let Some(on) = inline.on {
                    self.add(format_args!(" on {}", on.text));
                }
                Some(&inline.set)
            }
        };
        self.directives(selection.directives());
        match set {
            Some(set) => self.set(&set.items),
            None => self.text.push('\n'),
        }
    }

    fn start_line(&mut self) {
        self.text.extend(std::iter::repeat_n("  ", self.indent));
    }

    /// Writes a value without what it holds: an empty text, zero and false stand for every text, number and Boolean. Null,
    /// enum values and the names of input fields stay, because they are words of the schema.
    fn value(&mut self, literal: &Literal<'_>) {
        match literal {
            Literal::Variable(name) => self.add(format_args!("${name}")),
            Literal::Int(_) | Literal::Float(_) => self.text.push('0'),
            Literal::String(_) => self.text.push_str("\"\""),
            Literal::Boolean(_) => self.text.push_str("false"),
            Literal::Null => self.text.push_str("null"),
            Literal::Enum(name) => self.text.push_str(name),
            Literal::List(items) => {
                // The number of items may come from data: of equal ones, one is written.
                let mut written: Vec<String> = vec![];
                for item in items {
                    let start = self.text.len();
                    self.value(&item.literal);
                    let item = self.text.split_off(start);
                    if !written.contains(&item) {
                        written.push(item);
                    }
                }
                self.add(format_args!("[{}]", written.join(", ")));
            }
            Literal::Object(fields) => {
                self.within(['{', '}'], fields, |writer, field| {
                    writer.add(format_args!("{}: ", field.name.text));
                    writer.value(&field.value.literal);
                });
                if fields.is_empty() {
                    self.text.push_str("{}");
                }
            }
        }
    }

    /// Writes items between brackets; nothing if there are none.
    fn within<T>(&mut self, [open, close]: [char; 2], items: &[T], write: impl Fn(&mut Self, &T)) {
        for (at, item) in items.iter().enumerate() {
            self.text.push_str(if at == 0 { "" } else { ", " });
            if at == 0 {
                self.text.push(open);
            }
            write(self, item);
        }
        if !items.is_empty() {
            self.text.push(close);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graphql::limit::Limits;
    use crate::graphql::parse::parse;

    fn normal_of(text: &str) -> Option<Arc<NormalDocument>> {
        normal(&parse(text, &Limits::default()).expect("a document"))
    }

    #[test]
    fn normal_form_holds_no_literal_alias_or_comment() {
        let text = r#"
            # Jansen
            query Read($id: ID! = "gid://1", $in: [In!] = [{a: 1.5, b: [ON, OFF]}], $b: Boolean = true) @d(s: """x""") {
              jansen: card(id: $id, n: -12, s: "De Vries", on: true, none: null, is: ACTIVE, ids: ["a", "b", $c], e: {}) {
                id, name: firstName @include(if: $b) ...More ... on Card { id }
                ... @skip(if: true) { id }
              }
              other: card(id: $id, n: 5, s: "", on: false, none: null, is: ACTIVE, ids: ["c", $c], e: {}) {
                id firstName @include(if: $b) ...More ... on Card { x: id } ... @skip(if: false) { id }
              }
              card(id: "7") { id id }
            }
            fragment More on Card { id }"#;
        let expected = "query Read($id: ID! = \"\", $in: [In!] = [{a: 0, b: [ON, OFF]}], $b: Boolean = false) @d(s: \"\") {\n  \
                        card(id: $id, n: 0, s: \"\", on: false, none: null, is: ACTIVE, ids: [\"\", $c], e: {}) {\n    \
                        id\n    firstName @include(if: $b)\n    ...More\n    ... on Card {\n      id\n    }\n    \
                        ... @skip(if: false) {\n      id\n    }\n  }\n  \
                        card(id: \"\") {\n    id\n  }\n}\n\
                        fragment More on Card {\n  id\n}\n";
        let found = normal_of(text).expect("it is short");
        assert_eq!(&*found.text, expected);
        // The normal form is its own normal form, and the same for another layout.
        assert_eq!(normal_of(expected).expect("it is short"), found);
        assert_eq!(normal_of(&text.replace("  ", "\t")).expect("it is short").digest, found.digest);
        assert_eq!(&*normal_of("{ a }").expect("it is short").text, "query {\n  a\n}\n");
    }

    #[test]
    fn document_that_is_too_long_has_no_normal_form() {
        let with_fields = |count: usize| {
            let fields: Vec<String> = (0..count).map(|number| format!("f{number:04}")).collect();
            normal_of(&format!("{{ {} }}", fields.join(" ")))
        };
        // Each field takes eight bytes, and the rest of the document ten.
        let fits = (STORED_DOCUMENT_BYTES_MAX - 10) / 8;
        assert!(with_fields(fits).is_some() && with_fields(fits + 1).is_none());
    }
}
