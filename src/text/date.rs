//! Dates in Dutch.

use chrono::{Datelike as _, NaiveDate, NaiveTime};
use chrono_tz::Europe::Amsterdam;

use super::card as words;
use crate::base::Timestamp;
use crate::model::Farewell;

const MONTHS: [&str; 12] = [
    "januari",
    "februari",
    "maart",
    "april",
    "mei",
    "juni",
    "juli",
    "augustus",
    "september",
    "oktober",
    "november",
    "december",
];

/// The number of a month by its name, by the beginning of its name from three letters on, or by `mrt`.
pub(crate) fn month(name: &str) -> Option<u32> {
    let name = name.trim_end_matches('.').to_lowercase().replace("mrt", "maart");
    let found = (1..).zip(MONTHS).find(|(_, month)| name.len() >= 3 && month.starts_with(&name));
    found.map(|(number, _)| number)
}

const WEEKDAYS: [&str; 7] = ["maandag", "dinsdag", "woensdag", "donderdag", "vrijdag", "zaterdag", "zondag"];

/// `dinsdag`.
pub(crate) fn weekday(date: NaiveDate) -> &'static str {
    WEEKDAYS[date.weekday().num_days_from_monday() as usize]
}

/// The years of birth and death as far as they are known: one if both are the same.
pub(crate) fn years(birth: Option<NaiveDate>, death: Option<NaiveDate>) -> Vec<String> {
    let mut years: Vec<_> = [birth, death].into_iter().flatten().map(|date| date.year().to_string()).collect();
    years.dedup();
    years
}

/// `9.05`.
pub(crate) fn clock(time: NaiveTime) -> String {
    time.format("%-H.%M").to_string()
}

/// The hour of a farewell: `om 9.05 uur`, `van 9.05 tot 10.00 uur`.
pub(crate) fn hour(farewell: &Farewell) -> Option<String> {
    let until = farewell.until.map(clock);
    farewell.time.map(|time| words::at_time(&clock(time), until.as_deref()))
}

/// `zaterdag 14 november 2026 om 11.00 uur`; `None` without a date.
pub(crate) fn when(farewell: &Farewell) -> Option<String> {
    let day = farewell.date.map(|day| format!("{} {}", weekday(day), in_full(day)))?;
    Some([Some(day), hour(farewell)].into_iter().flatten().collect::<Vec<_>>().join(" "))
}

/// `31 februari`, also if there is no such day.
pub(crate) fn day_of_month(day: &str, month: usize) -> Option<String> {
    MONTHS.get(month.checked_sub(1)?).map(|month| format!("{day} {month}"))
}

/// `3 november 2026`.
pub(crate) fn in_full(date: NaiveDate) -> String {
    format!("{} {} {}", date.day(), MONTHS[date.month0() as usize], date.year())
}

/// The days of birth and death as one line of text.
pub(crate) fn lifetime(birth: Option<NaiveDate>, death: Option<NaiveDate>) -> Option<String> {
    match (birth, death) {
        (Some(birth), Some(death)) if birth == death => Some(format!("{}{}", words::BORN_AND_DIED, in_full(death))),
        (Some(birth), Some(death)) => Some(format!("{} – {}", in_full(birth), in_full(death))),
        (Some(birth), None) => Some(format!("{}{}", words::BORN, in_full(birth))),
        (None, Some(death)) => Some(format!("{}{}", words::DIED, in_full(death))),
        (None, None) => None,
    }
}

/// `3 november 2026`, the day of a timestamp in the Netherlands.
pub(crate) fn day(timestamp: Timestamp) -> String {
    in_full(timestamp.utc().with_timezone(&Amsterdam).date_naive())
}

/// `3 november 2026 om 14.05 uur`, in the time zone of the Netherlands.
pub(crate) fn with_time(timestamp: Timestamp) -> String {
    let local = timestamp.utc().with_timezone(&Amsterdam);
    format!("{} om {} uur", in_full(local.date_naive()), local.format("%H.%M"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn date_is_written_in_full_and_time_is_that_of_the_netherlands() {
        let date = |text: &str| in_full(text.parse().expect("a date"));
        assert_eq!([date("2026-11-03"), date("1899-01-31")], ["3 november 2026", "31 januari 1899"]);
        assert_eq!(weekday("2026-11-14".parse().expect("a date")), "zaterdag");
        let years = |birth: &str, death: &str| years(birth.parse().ok(), death.parse().ok());
        assert_eq!(years("1938-04-12", "2026-11-03"), ["1938", "2026"]);
        assert_eq!([years("2026-01-31", "2026-11-03"), years("", "2026-11-03")], [["2026"], ["2026"]]);
        let at = |ms| with_time(Timestamp::from_millis(ms).expect("a timestamp"));
        assert_eq!(at(1_794_299_400_000), "10 november 2026 om 09.30 uur");
        assert_eq!(at(1_783_727_999_999), "11 juli 2026 om 01.59 uur");
    }
}
