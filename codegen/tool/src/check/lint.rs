//! What a schema owes its readers beyond being correct: one file for each rule.
//!
//! A rule looks at a whole schema. Whether what it finds is an error is decided here: in what changed since the version
//! before it is, in what partners already use it is a warning.

mod connection_arguments;
mod connection_shape;
mod deprecation_reason;
mod deprecation_replacement;
mod description_missing;
mod description_sentence;
mod edge_shape;
mod enum_value_name;
mod field_name;
mod input_name;
mod limit_stated;
mod list_item_null;
mod mutation_payload;
mod node_id;
mod page_info_shape;
mod slot;
mod type_name;
mod type_unreachable;
mod user_error_shape;
mod word;

use std::collections::BTreeSet;

use super::finding::{Finding, Severity};
use crate::coordinate;
use crate::diagnostic::Span;
use crate::diff::{self, Pair};
use crate::sdl::Sdl;

/// One rule.
pub struct Rule {
    /// Its name; it never changes.
    pub id: &'static str,
    /// What it asks, in a sentence.
    pub summary: &'static str,
    /// Why it asks it.
    pub reason: &'static str,
    check: fn(&Sdl, &mut Vec<Smell>),
}

/// Every rule, as docs/schema-rules.md lists them.
pub static RULES: &[&Rule] = &[
    &description_missing::RULE,
    &description_sentence::RULE,
    &limit_stated::RULE,
    &type_name::RULE,
    &input_name::RULE,
    &field_name::RULE,
    &enum_value_name::RULE,
    &list_item_null::RULE,
    &node_id::RULE,
    &connection_shape::RULE,
    &connection_arguments::RULE,
    &edge_shape::RULE,
    &page_info_shape::RULE,
    &mutation_payload::RULE,
    &user_error_shape::RULE,
    &deprecation_reason::RULE,
    &deprecation_replacement::RULE,
    &type_unreachable::RULE,
];

/// What a rule found.
struct Smell {
    coordinate: String,
    message: String,
    label: String,
    /// Where it is, when that is not the name at the coordinate.
    span: Option<Span>,
    help: Option<String>,
}

impl Smell {
    fn new(coordinate: impl Into<String>, message: impl Into<String>, label: impl Into<String>) -> Self {
        Self { coordinate: coordinate.into(), message: message.into(), label: label.into(), span: None, help: None }
    }

    fn span(mut self, span: Option<Span>) -> Self {
        self.span = span;
        self
    }

    fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

/// What of a schema is held against its author: all of it, or what changed since another.
pub enum Scope<'a> {
    Everything,
    Since(&'a Sdl),
}

/// Everything the rules find in a schema.
pub fn lint(sdl: &Sdl, scope: &Scope<'_>) -> Vec<Finding> {
    let changed: BTreeSet<String> = match scope {
        Scope::Everything => BTreeSet::new(),
        Scope::Since(old) => diff::find(Pair { old, new: sdl }).into_iter().map(|change| change.coordinate).collect(),
    };
    let is_old = |at: &str| match scope {
        Scope::Everything => false,
        // What is new is new with all it holds; of what changed, only the place itself is.
        Scope::Since(old) => !changed
            .iter()
            .any(|changed| changed == at || (old.places.get(changed).is_none() && coordinate::covers(changed, at))),
    };
    let mut findings = vec![];
    for rule in RULES {
        let mut smells = vec![];
        (rule.check)(sdl, &mut smells);
        for smell in smells {
            let severity = if is_old(&smell.coordinate) { Severity::Warning } else { Severity::Error };
            let place = sdl.places.get(&smell.coordinate).map(|place| place.name);
            let span = smell.span.or(place).unwrap_or_else(|| sdl.top());
            let finding = Finding::new(rule.id, severity, smell.message).coordinate(&smell.coordinate);
            findings.push(Finding { help: smell.help, ..finding.at(&sdl.path, span, smell.label) });
        }
    }
    findings
}
