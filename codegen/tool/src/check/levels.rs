//! `schema/check.toml`: the severity of a rule where it is not the default one, and the address of the page of the rules. Also
//! `--deny`. Used by [`super::project`].

use std::collections::BTreeMap;
use std::str::FromStr;

use schema::diagnostic::{Diagnostic, Report, Span};
use schema::diff::Level;
use schema::nearest;
use serde::Deserialize;
use toml::Spanned;

use super::finding::{Finding, Severity};
use super::registry::{self, Rule};

/// The contents of the file; nothing where there is no file.
#[derive(Clone, Debug, Default)]
pub(super) struct Levels {
    by_rule: BTreeMap<String, Severity>,
    /// The address of docs/schema-rules.md.
    pub rules_page: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    rules_page: Option<String>,
    #[serde(default)]
    levels: BTreeMap<Spanned<String>, Spanned<String>>,
}

/// The names of the levels.
const NAMES: [(&str, Severity); 3] =
    [("error", Severity::Error), ("warning", Severity::Warning), ("note", Severity::Note)];

impl Levels {
    /// Reads the file; reports every unknown rule and level.
    pub(super) fn parse(path: &str, source: &str) -> Result<Self, Report> {
        let file: File = toml::from_str(source).map_err(|error| {
            let at = error.span().map_or(Span { start: 0, end: 0 }, |at| Span { start: at.start, end: at.end });
            Report::new(path, source, vec![Diagnostic::new(at, error.message(), "here")])
        })?;
        let (mut by_rule, mut diagnostics) = (BTreeMap::new(), vec![]);
        for (rule, level) in &file.levels {
            let span = |at: std::ops::Range<usize>| Span { start: at.start, end: at.end };
            let (id, name) = (&**rule.get_ref(), &**level.get_ref());
            match registry::find(id) {
                Some(known) if known.waivable => {}
                Some(_) => {
                    let message = format!("the level of `{id}` is fixed");
                    diagnostics.push(Diagnostic::new(span(rule.span()), message, "only of changes and of lint"));
                }
                None => {
                    let diagnostic = Diagnostic::new(span(rule.span()), unknown_rule(id), "no such rule");
                    diagnostics.push(diagnostic.did_you_mean(nearest_rule(id, |rule| rule.waivable)));
                }
            }
            match NAMES.iter().find(|(known, _)| *known == name) {
                Some((_, severity)) => drop(by_rule.insert(id.to_owned(), *severity)),
                None => {
                    let message = format!("there is no level `{name}`: write `error`, `warning` or `note`");
                    let diagnostic = Diagnostic::new(span(level.span()), message, "no such level");
                    diagnostics.push(diagnostic.did_you_mean(nearest(name, NAMES.iter().map(|(known, _)| *known))));
                }
            }
        }
        if diagnostics.is_empty() {
            return Ok(Self { by_rule, rules_page: file.rules_page });
        }
        Err(Report::new(path, source, diagnostics))
    }

    /// Sets the severity of a finding. One that is milder than its rule, such as an announced removal, does not get worse.
    pub(super) fn apply(&self, finding: Finding) -> Finding {
        let Some(level) = self.by_rule.get(finding.rule).copied() else { return finding };
        let exceptional = registry::find(finding.rule).is_some_and(|rule| finding.severity < rule.severity);
        let severity = if exceptional { finding.severity.min(level) } else { level };
        Finding { severity, ..finding }
    }
}

/// What `--deny` makes an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deny {
    /// Every warning.
    Warnings,
    /// Every change of this level.
    Level(Level),
    /// Every finding of this rule.
    Rule(&'static str),
}

/// A value of `--deny` that names nothing.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct UnknownDenied(String);

impl FromStr for Deny {
    type Err = UnknownDenied;

    fn from_str(name: &str) -> Result<Self, UnknownDenied> {
        match name {
            "warnings" => Ok(Deny::Warnings),
            "dangerous" => Ok(Deny::Level(Level::Dangerous)),
            "breaking" => Ok(Deny::Level(Level::Breaking)),
            _ => registry::find(name).map(|rule| Deny::Rule(rule.id)).ok_or_else(|| UnknownDenied(no_rule(name))),
        }
    }
}

impl Deny {
    /// Makes a finding an error if one of the list names it and no waiver does.
    pub(super) fn apply(list: &[Deny], finding: Finding) -> Finding {
        let named = list.iter().any(|deny| match deny {
            Deny::Warnings => finding.severity == Severity::Warning,
            Deny::Level(level) => finding.level == Some(*level),
            Deny::Rule(rule) => finding.rule == *rule,
        });
        if named && finding.waived.is_none() { Finding { severity: Severity::Error, ..finding } } else { finding }
    }
}

/// Returns the message about a rule that does not exist, with the name that was probably meant.
pub fn no_rule(id: &str) -> String {
    let near = nearest_rule(id, |_| true).map(|near| format!(" (did you mean `{near}`?)"));
    format!("{}{}", unknown_rule(id), near.unwrap_or_default())
}

fn unknown_rule(id: &str) -> String {
    format!("there is no rule `{id}`")
}

fn nearest_rule(id: &str, filter: impl Fn(&Rule) -> bool) -> Option<&'static str> {
    let ids: Vec<&str> = registry::all().into_iter().filter(filter).map(|rule| rule.id).collect();
    nearest(id, ids)
}
