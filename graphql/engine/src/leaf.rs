//! Scalars and enums as JSON.

use std::borrow::Cow;

use chrono::NaiveDate;

use super::write::{JsonWriter, Leaf};
use crate::base::{GlobalId, HttpUrl, Timestamp, rfc3339};

impl<T: Leaf> Leaf for Option<T> {
    fn write(&self, out: &mut JsonWriter) {
        match self {
            Some(value) => value.write(out),
            None => out.null(),
        }
    }
}

impl<T: Leaf + ?Sized> Leaf for &T {
    fn write(&self, out: &mut JsonWriter) {
        (**self).write(out);
    }
}

impl<T: Leaf> Leaf for Vec<T> {
    fn write(&self, out: &mut JsonWriter) {
        out.list(self.iter(), |value, out| value.write(out));
    }
}

impl<T: Leaf + ToOwned + ?Sized> Leaf for Cow<'_, T> {
    fn write(&self, out: &mut JsonWriter) {
        (**self).write(out);
    }
}

impl Leaf for str {
    fn write(&self, out: &mut JsonWriter) {
        out.string(self);
    }
}

impl Leaf for String {
    fn write(&self, out: &mut JsonWriter) {
        out.string(self);
    }
}

impl Leaf for bool {
    fn write(&self, out: &mut JsonWriter) {
        out.raw(if *self { b"true" } else { b"false" });
    }
}

impl Leaf for i32 {
    fn write(&self, out: &mut JsonWriter) {
        out.raw(itoa::Buffer::new().format(*self).as_bytes());
    }
}

impl Leaf for f64 {
    /// JSON knows no infinity and no NaN: they are null.
    fn write(&self, out: &mut JsonWriter) {
        match self.is_finite() {
            true => out.raw(ryu::Buffer::new().format_finite(*self).as_bytes()),
            false => out.null(),
        }
    }
}

impl Leaf for HttpUrl {
    fn write(&self, out: &mut JsonWriter) {
        out.string(self.as_str());
    }
}

impl Leaf for GlobalId {
    fn write(&self, out: &mut JsonWriter) {
        let mut slash_uuid_quote = *b"/00000000-0000-0000-0000-000000000000\"";
        self.uuid.as_hyphenated().encode_lower(&mut slash_uuid_quote[1..]);
        out.raw(b"\"gid://service/");
        out.raw(self.kind.as_str().as_bytes());
        out.raw(&slash_uuid_quote);
    }
}

impl Leaf for NaiveDate {
    /// `YYYY-MM-DD`.
    fn write(&self, out: &mut JsonWriter) {
        out.raw(&quoted::<12>(&rfc3339::date_text(*self)));
    }
}

impl Leaf for Timestamp {
    fn write(&self, out: &mut JsonWriter) {
        out.raw(&quoted::<26>(&rfc3339::timestamp_text(*self)));
    }
}

/// Puts a text of `N - 2` bytes between quotes.
fn quoted<const N: usize>(text: &[u8]) -> [u8; N] {
    let mut quoted = [b'"'; N];
    quoted[1..N - 1].copy_from_slice(text);
    quoted
}

#[cfg(test)]
mod tests {
    use super::{JsonWriter, Leaf};
    use crate::base::Timestamp;

    #[test]
    fn moments_have_three_decimals() {
        for (ms, text) in [
            (0, "\"1970-01-01T00:00:00.000Z\""),
            (-1, "\"1969-12-31T23:59:59.999Z\""),
            (1_792_915_261_007, "\"2026-10-25T08:01:01.007Z\""),
            (253_402_300_799_120, "\"9999-12-31T23:59:59.120Z\""),
        ] {
            let mut out = JsonWriter::default();
            Timestamp::from_millis(ms).expect("it is in the calendar").write(&mut out);
            assert_eq!(String::from_utf8(out.json).as_deref(), Ok(text));
        }
    }
}
