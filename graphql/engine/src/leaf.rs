//! Scalars and enums as JSON.

use std::borrow::Cow;

use chrono::{Datelike as _, NaiveDate};
use serde_json::Value as Json;

use super::write::{JsonWriter, Leaf};

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

impl Leaf for i64 {
    fn write(&self, out: &mut JsonWriter) {
        out.raw(itoa::Buffer::new().format(*self).as_bytes());
    }
}

impl Leaf for Json {
    fn write(&self, out: &mut JsonWriter) {
        out.raw(self.to_string().as_bytes());
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

impl Leaf for NaiveDate {
    /// `YYYY-MM-DD`.
    fn write(&self, out: &mut JsonWriter) {
        let mut quoted = [b'"'; 12];
        quoted[1..11].copy_from_slice(&date_text(*self));
        out.raw(&quoted);
    }
}

/// Returns the date as `YYYY-MM-DD`, of the years 0 to 9999. Written digit by digit: chrono's formats take many times as long.
pub fn date_text(date: NaiveDate) -> [u8; 10] {
    let mut text = *b"0000-00-00";
    let year = date.year().unsigned_abs() % 10_000;
    for (at, pair) in [(0, year / 100), (2, year % 100), (5, date.month()), (8, date.day())] {
        text[at] = b'0' + (pair / 10) as u8;
        text[at + 1] = b'0' + (pair % 10) as u8;
    }
    text
}
