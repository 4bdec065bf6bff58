//! Checks the days of published versions: a partner can rely on the day on which a version ends.

use chrono::{Days, Months, NaiveDate};
use schema::VersionStatus;

use super::finding::{Finding, Severity};
use super::frozen::{Before, Entries};
use crate::versions::{self, VersionEntry};

/// A deprecation can be this old when it is announced, because a change waits for its review.
const ANNOUNCED_LATE_DAYS_MAX: u64 = 31;

/// Checks the days against those at the merge base, and the time between deprecation and sunset.
pub(super) fn findings(entries: Entries<'_>, before: &[Before], today: NaiveDate) -> Vec<Finding> {
    let notice = versions::notice_months(entries.source);
    let published = entries.list.iter().filter(|entry| entry.status != VersionStatus::Candidate);
    let found = published.flat_map(|entry| {
        let before = before.iter().map(|before| &before.entry).find(|before| before.name == entry.name);
        let before = before.filter(|before| before.status != VersionStatus::Candidate);
        let faults =
            before.and_then(|before| changed(entry, before, today)).into_iter().chain(too_short(entry, notice));
        faults.map(|(rule, message)| {
            let finding = Finding::new(rule, Severity::Error, format!("{}: {message}", entry.name));
            match versions::name_span(entries.source, &entry.name) {
                Some(span) => finding.at(entries.path, span, "this version"),
                None => finding,
            }
        })
    });
    found.collect()
}

/// A rule and its message.
type Fault = (&'static str, String);

fn changed(now: &VersionEntry, before: &VersionEntry, today: NaiveDate) -> Option<Fault> {
    let (deprecated, sunset) = (day(&now.deprecated), day(&now.sunset));
    let earliest = today.checked_sub_days(Days::new(ANNOUNCED_LATE_DAYS_MAX)).unwrap_or(today);
    if now.published != before.published {
        return Some(("version-days-changed", "its day of publication was changed".to_owned()));
    }
    if let (Some(was), Some(is)) = (day(&before.deprecated), deprecated)
        && was != is
    {
        return Some(("version-days-changed", format!("it was deprecated on {was}, and now on {is}")));
    }
    if let (Some(was), Some(is)) = (day(&before.sunset), sunset)
        && is < was
    {
        return Some(("version-days-changed", format!("it ends on {is}, and partners were told {was}")));
    }
    if before.deprecated.is_none() && deprecated.is_some_and(|day| day < earliest) {
        let message = format!("its deprecation is new, and more than {ANNOUNCED_LATE_DAYS_MAX} days ago");
        return Some(("day-in-the-past", message));
    }
    if now.sunset != before.sunset && sunset.is_some_and(|day| day < today) {
        return Some(("day-in-the-past", "its sunset is new, and in the past".to_owned()));
    }
    None
}

fn too_short(entry: &VersionEntry, notice_months: u32) -> Option<Fault> {
    let (deprecated, sunset) = (day(&entry.deprecated)?, day(&entry.sunset)?);
    let earliest = deprecated.checked_add_months(Months::new(notice_months))?;
    let message =
        || format!("it ends on {sunset}, and can end on {earliest}: {notice_months} months after its deprecation");
    (sunset < earliest).then(|| ("notice-too-short", message()))
}

fn day(day: &Option<String>) -> Option<NaiveDate> {
    day.as_ref()?.parse().ok()
}
