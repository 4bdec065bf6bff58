//! The notice between the deprecation of an element and its removal. Called by [`crate::project`] for every change.

use chrono::{Months, NaiveDate};
use dated_graphql_schema::deprecation::deprecations;
use dated_graphql_schema::sdl::Sdl;

use crate::compat::DEPRECATABLE;
use crate::finding::{Finding, Severity};
use dated_graphql_codegen::versions::VersionEntry;

/// The versions before the removal, oldest first, and the least time that a deprecation lasts.
pub(crate) struct Notice<'a> {
    pub older: &'a [Sdl],
    pub entries: &'a [VersionEntry],
    pub months: u32,
}

impl Notice<'_> {
    /// Makes an announced removal an error if the version is published on a day before the end of the notice.
    pub(crate) fn apply(&self, finding: Finding, published: NaiveDate) -> Finding {
        let announced = self.first_deprecation(&finding);
        let Some((version, deprecated)) = announced else { return finding };
        let Some(earliest) = deprecated.checked_add_months(Months::new(self.months)).filter(|day| published < *day)
        else {
            return finding;
        };
        let message = format!(
            "{}, which {version} deprecated on {deprecated}: it can be removed from {earliest}, after {} months",
            finding.message, self.months
        );
        let help = "keep it, and remove it in a version that is published then";
        Finding { rule: "removed-too-soon", severity: Severity::Error, message, ..finding.help(help) }
    }

    /// Returns the first of the versions that deprecate what a finding removes, without a gap, and its day of publication.
    fn first_deprecation(&self, finding: &Finding) -> Option<(&str, NaiveDate)> {
        let coordinate = finding.coordinate.as_deref().filter(|_| DEPRECATABLE.contains(&finding.rule))?;
        let versions = self.older.iter().zip(self.entries).rev();
        let deprecating =
            versions.take_while(|(sdl, _)| deprecations(&sdl.schema).iter().any(|(at, _)| at == coordinate));
        let (_, first) = deprecating.last()?;
        Some((&first.name, first.published.as_ref()?.parse().ok()?))
    }
}

/// Returns the day on which a candidate is published at the earliest: its name is a month.
pub(crate) fn earliest_publication(version: &str, today: NaiveDate) -> NaiveDate {
    let first = format!("{version}-01").parse().unwrap_or(today);
    today.max(first)
}
