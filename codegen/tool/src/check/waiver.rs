//! `schema/waivers.toml`: findings that are allowed until a day, with a reason. Used by [`super::project`].

use chrono::{Days, NaiveDate};
use schema::diagnostic::{Diagnostic, Report, Span};
use schema::nearest;
use serde::Deserialize;
use toml::Spanned;
use toml::value::Datetime;

use super::finding::{Finding, Location, Severity, Waived};
use super::registry;

/// The waivers of a file.
#[derive(Clone, Debug, Default)]
pub(super) struct Waivers {
    path: String,
    list: Vec<Waiver>,
    /// Rule and coordinate of the findings of the candidate that no waiver names.
    others: Vec<(&'static str, String)>,
}

/// For how many days the waiver lasts that a finding proposes.
const PROPOSED_DAYS: u64 = 90;

/// One waiver.
#[derive(Clone, Debug)]
struct Waiver {
    rule: String,
    coordinate: String,
    reason: String,
    /// The last day, `YYYY-MM-DD`.
    expires: String,
    span: Span,
    /// Whether it matched a finding, and of which kind of version.
    used: Used,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Used {
    Never,
    ByCandidate,
    ByPublished,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    waiver: Vec<Entry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    rule: Spanned<String>,
    coordinate: Spanned<String>,
    reason: Spanned<String>,
    expires: Spanned<Datetime>,
}

impl Waivers {
    /// Reads the file.
    pub(super) fn parse(path: &str, source: &str) -> Result<Self, Report> {
        let fail = |span: Span, message: &str| Report::new(path, source, vec![Diagnostic::new(span, message, "here")]);
        let file: File = toml::from_str(source)
            .map_err(|error| fail(error.span().map_or(Span { start: 0, end: 0 }, span), error.message()))?;
        let mut list = vec![];
        for entry in file.waiver {
            let day = entry.expires.get_ref();
            if day.date.is_none() || day.time.is_some() {
                return Err(fail(span(entry.expires.span()), "`expires` is a day, such as `2027-03-31`"));
            }
            list.push(Waiver {
                span: span(entry.rule.span()),
                expires: day.to_string(),
                rule: entry.rule.into_inner(),
                coordinate: entry.coordinate.into_inner(),
                reason: entry.reason.into_inner(),
                used: Used::Never,
            });
        }
        Ok(Self { path: path.to_owned(), list, others: vec![] })
    }

    /// Makes a finding of a candidate a note if a waiver names it.
    pub(super) fn apply(&mut self, finding: Finding, today: &str) -> Finding {
        let path = self.path.clone();
        let Some(waiver) = self.naming(&finding) else {
            self.others.extend(finding.coordinate.clone().map(|coordinate| (finding.rule, coordinate)));
            return finding;
        };
        waiver.used = Used::ByCandidate;
        if waiver.expires.as_str() < today {
            return finding;
        }
        let note = format!("waived until {}: {}", waiver.expires, waiver.reason);
        let waived = Waived { reason: waiver.reason.clone(), at: Location { path, span: waiver.span } };
        Finding { severity: Severity::Note, waived: Some(waived), ..finding.note(note) }
    }

    /// Marks the waiver of a finding of a published version as used.
    pub(super) fn settle(&mut self, finding: &Finding) {
        if let Some(waiver) = self.naming(finding) {
            waiver.used = Used::ByPublished;
        }
    }

    fn naming(&mut self, finding: &Finding) -> Option<&mut Waiver> {
        // A change is waived as a warning too; a warning of lint is about a schema that partners use already.
        let least = if finding.level.is_some() { Severity::Warning } else { Severity::Error };
        let waivable = finding.severity >= least && is_waivable(finding.rule);
        let coordinate = finding.coordinate.as_deref().filter(|_| waivable)?;
        self.list.iter_mut().find(|waiver| waiver.rule == finding.rule && waiver.coordinate == coordinate)
    }

    /// Returns what an unused waiver was probably meant for: another rule at its coordinate, or a similar coordinate.
    fn meant(&self, waiver: &Waiver) -> Option<String> {
        let same_place = self.others.iter().find(|(_, coordinate)| *coordinate == waiver.coordinate);
        let same_rule = self.others.iter().filter(|(rule, _)| *rule == waiver.rule);
        let near = nearest(&waiver.coordinate, same_rule.map(|(_, coordinate)| &**coordinate));
        let name = same_place.map(|(rule, _)| *rule).or(near)?;
        Some(format!("did you mean `{name}`?"))
    }

    /// Checks the waivers themselves, after [`apply`](Self::apply) and [`settle`](Self::settle) have seen all findings.
    pub(super) fn findings(&self, today: &str) -> Vec<Finding> {
        let mut found = vec![];
        for (at, waiver) in self.list.iter().enumerate() {
            let mut add = |rule, message: String, label: &str, help: Option<String>| {
                let finding = Finding::new(rule, Severity::Error, message).coordinate(&waiver.coordinate);
                found.push(Finding { help, ..finding.at(&self.path, waiver.span, label) });
            };
            let Waiver { rule, coordinate, .. } = waiver;
            let same = |other: &Waiver| other.rule == *rule && other.coordinate == *coordinate;
            if !is_waivable(rule) {
                let ids: Vec<&str> = registry::all().iter().filter(|rule| rule.waivable).map(|rule| rule.id).collect();
                let near = nearest(rule, ids.iter().copied()).map(|near| format!("did you mean `{near}`?"));
                add("waiver-wrong", format!("there is no rule `{rule}` that can be waived"), "no such rule", near);
            } else if waiver.reason.trim().is_empty() {
                add("waiver-wrong", format!("the waiver of `{rule}` gives no reason"), "why?", None);
            } else if self.list[..at].iter().any(same) {
                add("waiver-wrong", format!("`{rule}` is waived twice at `{coordinate}`"), "again here", None);
            } else if waiver.used == Used::Never {
                let help = Some(self.meant(waiver).unwrap_or_else(|| "remove it".to_owned()));
                add("waiver-unused", format!("nothing at `{coordinate}` breaks `{rule}`"), "matches no finding", help);
            } else if waiver.used == Used::ByCandidate && waiver.expires.as_str() < today {
                let message = format!("the waiver of `{rule}` at `{coordinate}` ended on {}", waiver.expires);
                add("waiver-expired", message, "fix the finding, or extend the waiver", None);
            }
        }
        found
    }
}

/// Returns a waiver to paste for an error that is a change.
pub(super) fn proposed(finding: &Finding, today: NaiveDate) -> Option<String> {
    let coordinate = finding.coordinate.as_deref()?;
    let waivable = finding.severity == Severity::Error && finding.level.is_some() && is_waivable(finding.rule);
    let expires = today.checked_add_days(Days::new(PROPOSED_DAYS)).filter(|_| waivable)?;
    let rule = finding.rule;
    Some(format!("[[waiver]]\nrule = \"{rule}\"\ncoordinate = \"{coordinate}\"\nreason = \"\"\nexpires = {expires}"))
}

fn is_waivable(rule: &str) -> bool {
    registry::find(rule).is_some_and(|known| known.waivable)
}

fn span(range: std::ops::Range<usize>) -> Span {
    Span { start: range.start, end: range.end }
}
