//! Checks the days of published versions: a client can rely on the day on which a version ends.

use chrono::{Days, Months, NaiveDate};
use dated_graphql_schema::{Span, VersionStatus};

use crate::finding::{Finding, Severity};
use crate::frozen::{Before, Entries};
use dated_graphql_codegen::versions::{self, VersionEntry};

/// A deprecation can be this old when it is announced, because a change waits for its review.
const ANNOUNCED_LATE_DAYS_MAX: u64 = 31;

/// Checks the days against those at the merge base, and the time between deprecation and sunset.
pub(crate) fn findings(entries: Entries<'_>, before: &[Before], today: NaiveDate) -> Vec<Finding> {
    let notice = versions::notice_months(entries.source);
    let published = entries.list.iter().filter(|entry| entry.status != VersionStatus::Candidate);
    let found = published.flat_map(|entry| {
        let before = before.iter().filter(|before| before.is_published()).map(|before| &before.entry);
        let changed = before.filter(|before| before.name == entry.name).find_map(|before| change(entry, before, today));
        let faults = changed.into_iter().chain(shortage(entry, notice));
        faults.map(|fault| {
            let finding = Finding::new("version-days", Severity::Error, format!("{}: {fault}", entry.name));
            let span = versions::name_span(entries.source, &entry.name).unwrap_or(Span { start: 0, end: 0 });
            finding.at(entries.path, span, "this version")
        })
    });
    found.collect()
}

/// Describes a day that differs from the merge base and may not.
fn change(now: &VersionEntry, before: &VersionEntry, today: NaiveDate) -> Option<String> {
    let (deprecated, sunset) = (day(&now.deprecated), day(&now.sunset));
    let earliest = today.checked_sub_days(Days::new(ANNOUNCED_LATE_DAYS_MAX)).unwrap_or(today);
    if now.published != before.published {
        return Some("its day of publication was changed".to_owned());
    }
    match (day(&before.deprecated), deprecated) {
        (Some(was), Some(is)) if was != is => return Some(format!("it was deprecated on {was}, and now on {is}")),
        (None, Some(is)) if is < earliest => {
            return Some(format!("its deprecation is new, and more than {ANNOUNCED_LATE_DAYS_MAX} days ago"));
        }
        _ => {}
    }
    match (day(&before.sunset), sunset) {
        (Some(was), Some(is)) if is < was => Some(format!("it ends on {is}, and clients were told {was}")),
        (was, Some(is)) if was != Some(is) && is < today => Some("its sunset is new, and in the past".to_owned()),
        _ => None,
    }
}

/// Describes a notice that is too short.
fn shortage(entry: &VersionEntry, notice_months: u32) -> Option<String> {
    let (deprecated, sunset) = (day(&entry.deprecated)?, day(&entry.sunset)?);
    let earliest = deprecated.checked_add_months(Months::new(notice_months)).filter(|day| sunset < *day)?;
    Some(format!("it ends on {sunset}, and can end on {earliest}: {notice_months} months after its deprecation"))
}

fn day(day: &Option<String>) -> Option<NaiveDate> {
    day.as_ref()?.parse().ok()
}
