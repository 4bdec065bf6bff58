//! Scalars and enums as JSON.

use std::borrow::Cow;

use chrono::{Datelike, NaiveDate, Timelike};

use super::write::Out;
use crate::base::{GlobalId, Moment, WebAddress};

/// A scalar or an enum, or a list of them.
pub trait Leaf {
    fn write(&self, out: &mut Out);
}

impl<T: Leaf> Leaf for Option<T> {
    fn write(&self, out: &mut Out) {
        match self {
            Some(value) => value.write(out),
            None => out.null(),
        }
    }
}

impl<T: Leaf + ?Sized> Leaf for &T {
    fn write(&self, out: &mut Out) {
        (**self).write(out);
    }
}

impl<T: Leaf> Leaf for Vec<T> {
    fn write(&self, out: &mut Out) {
        out.list(self.iter(), |value, out| value.write(out));
    }
}

impl<T: Leaf + ToOwned + ?Sized> Leaf for Cow<'_, T> {
    fn write(&self, out: &mut Out) {
        (**self).write(out);
    }
}

impl Leaf for str {
    fn write(&self, out: &mut Out) {
        out.string(self);
    }
}

impl Leaf for String {
    fn write(&self, out: &mut Out) {
        out.string(self);
    }
}

impl Leaf for bool {
    fn write(&self, out: &mut Out) {
        out.raw(if *self { b"true" } else { b"false" });
    }
}

impl Leaf for i32 {
    fn write(&self, out: &mut Out) {
        out.raw(itoa::Buffer::new().format(*self).as_bytes());
    }
}

impl Leaf for f64 {
    /// JSON knows no infinity and no NaN: they are null.
    fn write(&self, out: &mut Out) {
        match self.is_finite() {
            true => out.raw(ryu::Buffer::new().format_finite(*self).as_bytes()),
            false => out.null(),
        }
    }
}

impl Leaf for WebAddress {
    fn write(&self, out: &mut Out) {
        out.string(self.as_str());
    }
}

impl Leaf for GlobalId {
    fn write(&self, out: &mut Out) {
        out.raw(b"\"gid://service/");
        out.raw(self.kind.as_str().as_bytes());
        out.raw(b"/");
        out.raw(self.uuid.as_hyphenated().encode_lower(&mut [0; 36]).as_bytes());
        out.raw(b"\"");
    }
}

impl Leaf for NaiveDate {
    /// `YYYY-MM-DD`.
    fn write(&self, out: &mut Out) {
        let mut text = *b"\"0000-00-00\"";
        date(&mut text, *self);
        out.raw(&text);
    }
}

impl Leaf for Moment {
    /// RFC 3339, UTC, exactly three decimals, `Z` (decisions V6).
    fn write(&self, out: &mut Out) {
        let moment = self.utc().naive_utc();
        let mut text = *b"\"0000-00-00T00:00:00.000Z\"";
        date(&mut text, moment.date());
        let (time, ms) = (moment.time(), moment.nanosecond() / 1_000_000 % 1_000);
        for (at, pair) in [(12, time.hour()), (15, time.minute()), (18, time.second()), (22, ms % 100)] {
            two_digits(&mut text, at, pair);
        }
        text[21] = b'0' + (ms / 100) as u8;
        out.raw(&text);
    }
}

/// Writes a date of the years 0 to 9999, which are all that a client can name, after the quote.
fn date(text: &mut [u8], date: NaiveDate) {
    let year = date.year().unsigned_abs() % 10_000;
    for (at, pair) in [(1, year / 100), (3, year % 100), (6, date.month()), (9, date.day())] {
        two_digits(text, at, pair);
    }
}

fn two_digits(text: &mut [u8], at: usize, n: u32) {
    text[at] = b'0' + (n / 10) as u8;
    text[at + 1] = b'0' + (n % 10) as u8;
}

#[cfg(test)]
mod tests {
    use super::{Leaf, Out};
    use crate::base::Moment;

    #[test]
    fn moments_have_three_decimals() {
        for (ms, text) in [
            (0, "\"1970-01-01T00:00:00.000Z\""),
            (-1, "\"1969-12-31T23:59:59.999Z\""),
            (1_792_915_261_007, "\"2026-10-25T08:01:01.007Z\""),
            (253_402_300_799_120, "\"9999-12-31T23:59:59.120Z\""),
        ] {
            let mut out = Out::default();
            Moment::from_millis(ms).expect("it is in the calendar").write(&mut out);
            assert_eq!(String::from_utf8(out.json).as_deref(), Ok(text));
        }
    }
}
