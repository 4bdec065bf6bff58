//! Orders for invoices: by month in the Netherlands and by partner, without test cards (specification, section 5).

use std::collections::BTreeMap;

use chrono::{Datelike as _, NaiveDate, TimeZone as _};
use chrono_tz::Europe::Amsterdam;
use uuid::Uuid;

use super::Failure;
use crate::base::Timestamp;
use crate::model::{OrderLine, Partner};
use crate::services::Services;

/// A calendar month.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Month {
    first: NaiveDate,
}

/// The orders of a partner in a month.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct OrderSum {
    pub month: Month,
    pub partner: String,
    pub orders: u64,
    /// In cents, including VAT.
    pub cents: i64,
}

impl Month {
    /// Parses `2026-11`.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let (year, month) = text.split_once('-')?;
        let right = year.len() == 4 && month.len() == 2;
        let first = NaiveDate::from_ymd_opt(year.parse().ok()?, month.parse().ok()?, 1)?;
        right.then_some(Self { first })
    }

    /// The month of a timestamp, in the Netherlands.
    pub(crate) fn from_timestamp(timestamp: Timestamp) -> Self {
        let day = dutch_day(timestamp);
        Self { first: day.with_day(1).unwrap_or(day) }
    }

    /// Returns the month that many months before.
    pub(crate) fn before(self, months: u32) -> Self {
        Self { first: self.first.checked_sub_months(chrono::Months::new(months)).unwrap_or(self.first) }
    }

    pub(crate) fn next(self) -> Self {
        Self { first: self.first.checked_add_months(chrono::Months::new(1)).unwrap_or(self.first) }
    }

    /// The first moment of the month.
    pub(crate) fn start(self) -> Timestamp {
        start_of_day(self.first)
    }
}

/// Returns when a day begins in the Netherlands.
pub(crate) fn start_of_day(day: NaiveDate) -> Timestamp {
    let midnight = day.and_time(chrono::NaiveTime::MIN);
    // The clock never changes at midnight.
    let start = Amsterdam.from_local_datetime(&midnight).earliest();
    start.map_or_else(|| midnight.and_utc(), |start| start.to_utc()).into()
}

/// Returns the day of a timestamp, in the Netherlands.
pub(crate) fn dutch_day(timestamp: Timestamp) -> NaiveDate {
    timestamp.utc().with_timezone(&Amsterdam).date_naive()
}

impl std::fmt::Display for Month {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.first.format("%Y-%m"))
    }
}

/// A live order with the name of its partner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NamedOrder {
    pub partner: String,
    pub line: OrderLine,
}

/// The live orders of a range of months, of one partner or of all, earliest first.
pub(crate) async fn order_lines(
    services: &Services,
    from: Month,
    to: Month,
    partner: Option<&Partner>,
) -> Result<Vec<NamedOrder>, Failure> {
    let partners = services.store.partners().await?;
    let names: BTreeMap<Uuid, &str> = partners.iter().map(|partner| (partner.id, partner.name.as_str())).collect();
    let mut lines = services.store.order_lines(from.start(), to.next().start()).await?;
    lines.retain(|line| partner.is_none_or(|partner| partner.id == line.partner_id));
    let named =
        |line: OrderLine| NamedOrder { partner: names.get(&line.partner_id).copied().unwrap_or("?").to_owned(), line };
    Ok(lines.into_iter().map(named).collect())
}

/// The sums of the live orders of a range of months, of one partner or of all.
pub(crate) async fn orders(
    services: &Services,
    from: Month,
    to: Month,
    partner: Option<&Partner>,
) -> Result<Vec<OrderSum>, Failure> {
    let mut sums: BTreeMap<(Month, String), (u64, i64)> = BTreeMap::new();
    for NamedOrder { partner, line } in order_lines(services, from, to, partner).await? {
        let sum = sums.entry((Month::from_timestamp(line.ordered_at), partner)).or_default();
        *sum = (sum.0 + 1, sum.1 + line.price.cents());
    }
    let sum =
        |((month, partner), (orders, cents)): ((Month, String), (u64, i64))| OrderSum { month, partner, orders, cents };
    Ok(sums.into_iter().map(sum).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn month_begins_at_midnight_in_the_netherlands() {
        for (month, start) in [("2026-07", "2026-06-30T22:00:00.000Z"), ("2026-12", "2026-11-30T23:00:00.000Z")] {
            let month = Month::parse(month).expect("a month");
            assert_eq!(month.start().to_string(), start);
            assert_eq!(Month::from_timestamp(month.start()), month);
            let just_before = month.start().plus(chrono::Duration::milliseconds(-1));
            assert_eq!(Month::from_timestamp(just_before).next(), month);
        }
        assert_eq!(Month::parse("2026-12").expect("a month").next().to_string(), "2027-01");
    }

    /// The days of 25 and of 23 hours (Directive 2000/84/EC, articles 2 and 3), and the days after them.
    #[test]
    fn day_begins_at_midnight_also_where_the_clock_changes() {
        for (day, start) in [
            ("2026-10-25", "2026-10-24T22:00:00.000Z"),
            ("2026-10-26", "2026-10-25T23:00:00.000Z"),
            ("2027-03-28", "2027-03-27T23:00:00.000Z"),
            ("2027-03-29", "2027-03-28T22:00:00.000Z"),
        ] {
            let day = day.parse().expect("a day");
            assert_eq!(start_of_day(day).to_string(), start);
            let just_before = start_of_day(day).plus(chrono::Duration::milliseconds(-1));
            assert_eq!((dutch_day(start_of_day(day)), dutch_day(just_before).succ_opt()), (day, Some(day)));
        }
    }

    #[test]
    fn text_that_is_no_month_is_not_read() {
        for text in ["", "2026", "2026-13", "2026-1", "26-01", "2026-00", "2026-01-01"] {
            assert_eq!(Month::parse(text), None, "{text:?}");
        }
    }
}
