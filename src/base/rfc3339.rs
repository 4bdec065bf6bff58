//! Writes and reads dates and timestamps digit by digit: chrono's formats take many times as long (docs/performance.md).
//!
//! RFC 3339, of the years 0 to 9999, which are all that a client can name.

use chrono::NaiveDate;
use dated_graphql::date_text;

use super::Timestamp;

const DAY_MS: i64 = 86_400_000;

/// The timestamp in UTC with exactly three decimals and `Z`.
pub(crate) fn timestamp_text(timestamp: Timestamp) -> [u8; 24] {
    let days = timestamp.millis().div_euclid(DAY_MS);
    let date =
        i32::try_from(days).ok().and_then(NaiveDate::from_epoch_days).expect("a timestamp is within the calendar");
    let ms_of_day = timestamp.millis().rem_euclid(DAY_MS) as u32;
    let (seconds, ms) = (ms_of_day / 1_000, ms_of_day % 1_000);
    let mut text = *b"0000-00-00T00:00:00.000Z";
    text[..10].copy_from_slice(&date_text(date));
    for (at, pair) in [(11, seconds / 3_600), (14, seconds / 60 % 60), (17, seconds % 60), (21, ms % 100)] {
        two_digits(&mut text, at, pair);
    }
    text[20] = b'0' + (ms / 100) as u8;
    text
}

fn two_digits(text: &mut [u8], at: usize, n: u32) {
    text[at] = b'0' + (n / 10) as u8;
    text[at + 1] = b'0' + (n % 10) as u8;
}

/// Parses a date as [`date_text`] writes it.
pub(crate) fn parse_date(text: &str) -> Option<NaiveDate> {
    let number = |range: std::ops::Range<usize>| text.get(range)?.parse().ok();
    let year: u32 = number(0..4).filter(|_| text.len() == 10)?;
    NaiveDate::from_ymd_opt(year as i32, number(5..7)?, number(8..10)?)
}
