//! `schema/project.toml`: the levels of rules, and waivers, which allow a finding until a day, for a reason.

use std::collections::BTreeMap;

use chrono::{Days, NaiveDate};
use dated_graphql_schema::diagnostic::{Diagnostic, Report, Span};
use dated_graphql_schema::nearest;
use serde::Deserialize;
use serde::de::IgnoredAny;
use toml::Spanned;
use toml::value::Datetime;

use crate::finding::{Finding, Severity};
use crate::{lint, registry};
use dated_graphql_codegen::load::PROJECT;

/// For how many days the waiver lasts that a finding proposes.
const PROPOSED_DAYS: u64 = 90;

/// The contents of the file.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Policy {
    /// A folder with JSON Schemas of each version, `<version>/<name>.schema.json`.
    pub json_schemas: Option<String>,
    #[serde(default)]
    levels: BTreeMap<Spanned<String>, Level>,
    #[serde(default, rename = "waiver")]
    waivers: Vec<Waiver>,
    // Read by `emit::RustPaths`.
    #[serde(rename = "rust")]
    _rust: Option<IgnoredAny>,
    #[serde(rename = "scalar")]
    _scalars: Option<IgnoredAny>,
    #[serde(rename = "resolve")]
    _resolved: Option<IgnoredAny>,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Level {
    Off,
    Warning,
    Error,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Waiver {
    rule: Spanned<String>,
    coordinate: String,
    reason: Spanned<String>,
    /// The last day.
    expires: Spanned<Datetime>,
    #[serde(skip)]
    used: bool,
}

impl Policy {
    /// Reads the file; reports every mistake in it.
    pub(crate) fn parse(path: &str, source: &str) -> Result<Self, Report> {
        let policy: Self = toml::from_str(source).map_err(|error| {
            let at = span(&error.span().unwrap_or(0..0));
            Report::new(path, source, vec![Diagnostic::new(at, error.message(), "here")])
        })?;
        let mut found = vec![];
        for rule in policy.levels.keys().chain(policy.waivers.iter().map(|waiver| &waiver.rule)) {
            let id = rule.get_ref();
            let rules = registry::all();
            if !rules.iter().any(|known| known.waivable && known.id == id) {
                let message = format!("`{id}` is no rule of changes or lint");
                let ids = rules.iter().filter(|known| known.waivable).map(|known| known.id);
                found.push(Diagnostic::new(span(&rule.span()), message, "no such rule").did_you_mean(nearest(id, ids)));
            }
        }
        for (at, Waiver { rule, coordinate, reason, expires, .. }) in policy.waivers.iter().enumerate() {
            let same = |other: &Waiver| other.rule.get_ref() == rule.get_ref() && other.coordinate == *coordinate;
            if reason.get_ref().trim().is_empty() {
                found.push(Diagnostic::new(span(&reason.span()), "a waiver gives a reason", "why?"));
            }
            if expires.get_ref().date.is_none() || expires.get_ref().time.is_some() {
                let message = "`expires` is a day, such as `2027-03-31`";
                found.push(Diagnostic::new(span(&expires.span()), message, "no day"));
            }
            if policy.waivers[..at].iter().any(same) {
                let message = format!("`{}` is waived twice at `{coordinate}`", rule.get_ref());
                found.push(Diagnostic::new(span(&rule.span()), message, "again here"));
            }
        }
        if found.is_empty() { Ok(policy) } else { Err(Report::new(path, source, found)) }
    }

    /// Sets the severity of a finding; `None` if its rule is off. A finding that is milder than its rule, such as an
    /// announced removal or lint of what clients use already, does not get worse.
    pub(crate) fn apply_level(&self, finding: Finding) -> Option<Finding> {
        let set = self.levels.iter().find(|(rule, _)| rule.get_ref() == finding.rule).map(|(_, level)| *level);
        let lint = lint::RULES.iter().find(|rule| rule.id == finding.rule);
        let level = match (set, lint) {
            (Some(Level::Off), _) => return None,
            (Some(Level::Warning), _) => Severity::Warning,
            (Some(Level::Error), _) => Severity::Error,
            (None, Some(rule)) => rule.level?,
            (None, None) => return Some(finding),
        };
        let by_default = registry::find(finding.rule).and_then(|rule| rule.severity);
        let is_milder = lint.is_some() || by_default.is_some_and(|severity| finding.severity < severity);
        let severity = if is_milder { finding.severity.min(level) } else { level };
        Some(Finding { severity, ..finding })
    }

    /// Makes a finding of a candidate a note if a waiver names it; proposes a waiver for a breaking change.
    pub(crate) fn apply_waiver(&mut self, finding: Finding, today: NaiveDate) -> Finding {
        let proposed = propose(&finding, today);
        let Some(waiver) = self.find(&finding) else { return Finding { waiver: proposed, ..finding } };
        waiver.used = true;
        let (expires, reason) = (waiver.expires.get_ref().to_string(), waiver.reason.get_ref());
        if expires < today.to_string() {
            return finding.note(format!("its waiver in {PROJECT} ended on {expires}"));
        }
        let note = format!("waived until {expires}: {reason}");
        Finding { severity: Severity::Note, ..finding.note(note) }
    }

    /// Marks the waiver of a finding of a published version as used: it stays as a record.
    pub(crate) fn settle(&mut self, finding: &Finding) {
        if let Some(waiver) = self.find(finding) {
            waiver.used = true;
        }
    }

    fn find(&mut self, finding: &Finding) -> Option<&mut Waiver> {
        // A change is waived as a warning too; a warning of lint is about a schema that clients use already.
        let least = if finding.level.is_some() { Severity::Warning } else { Severity::Error };
        let coordinate = finding.coordinate.as_deref().filter(|_| finding.severity >= least)?;
        let names = |waiver: &&mut Waiver| waiver.rule.get_ref() == finding.rule && waiver.coordinate == coordinate;
        self.waivers.iter_mut().find(names)
    }

    /// Returns an error for each waiver that no finding has used.
    pub(crate) fn unused(&self) -> impl Iterator<Item = Finding> {
        self.waivers.iter().filter(|waiver| !waiver.used).map(|Waiver { rule, coordinate, .. }| {
            let message = format!("nothing at `{coordinate}` breaks `{}`", rule.get_ref());
            let finding = Finding::new("waiver-unused", Severity::Error, message).coordinate(coordinate);
            finding.at(PROJECT, span(&rule.span()), "matches no finding").help("remove it")
        })
    }
}

/// Returns a waiver to paste for an error that is a change.
fn propose(finding: &Finding, today: NaiveDate) -> Option<String> {
    let coordinate = finding.coordinate.as_deref()?;
    let is_error = finding.severity == Severity::Error && finding.level.is_some();
    let expires = today.checked_add_days(Days::new(PROPOSED_DAYS)).filter(|_| is_error)?;
    let rule = finding.rule;
    Some(format!("[[waiver]]\nrule = \"{rule}\"\ncoordinate = \"{coordinate}\"\nreason = \"\"\nexpires = {expires}"))
}

fn span(range: &std::ops::Range<usize>) -> Span {
    Span { start: range.start, end: range.end }
}
