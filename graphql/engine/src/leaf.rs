//! Scalars and enums as JSON.

use std::borrow::Cow;

use chrono::{Datelike as _, NaiveDate};
use serde_json::Value as Json;

use super::argument::Enum;
use super::error::FieldError;
use super::write::JsonWriter;

/// A scalar or an enum.
///
/// ```
/// use dated_graphql::{FieldError, JsonWriter, Leaf, TextScalar};
///
/// struct Color(u32);
///
/// impl TextScalar for Color {
///     fn read(text: &str) -> Option<Self> {
///         u32::from_str_radix(text.strip_prefix('#')?, 16).ok().map(Color)
///     }
/// }
///
/// impl Leaf for Color {
///     fn write(&self, out: &mut JsonWriter) -> Result<(), FieldError> {
///         out.string(&format!("#{:06x}", self.0));
///         Ok(())
///     }
/// }
/// ```
pub trait Leaf {
    /// Writes the value, unless it is null. An error makes the field null.
    fn write(&self, out: &mut JsonWriter) -> Result<(), FieldError>;

    /// Returns whether the value is null, which is an error of a field that is never null.
    fn is_null(&self) -> bool {
        false
    }
}

/// Why a value has no JSON.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub(super) enum LeafError {
    #[error("Float cannot represent {0}")]
    Float(f64),
    #[error("a date cannot represent the year {0}")]
    Year(i32),
    #[error("a scalar is null in a field that is never null")]
    Null,
}

impl<T: Leaf + ToOwned + ?Sized> Leaf for Cow<'_, T> {
    #[inline]
    fn write(&self, out: &mut JsonWriter) -> Result<(), FieldError> {
        (**self).write(out)
    }

    #[inline]
    fn is_null(&self) -> bool {
        (**self).is_null()
    }
}

impl<T: Enum> Leaf for T {
    #[inline]
    fn write(&self, out: &mut JsonWriter) -> Result<(), FieldError> {
        out.raw(self.json().as_bytes());
        Ok(())
    }
}

impl Leaf for str {
    #[inline]
    fn write(&self, out: &mut JsonWriter) -> Result<(), FieldError> {
        out.string(self);
        Ok(())
    }
}

impl Leaf for String {
    #[inline]
    fn write(&self, out: &mut JsonWriter) -> Result<(), FieldError> {
        out.string(self);
        Ok(())
    }
}

impl Leaf for bool {
    #[inline]
    fn write(&self, out: &mut JsonWriter) -> Result<(), FieldError> {
        out.boolean(*self);
        Ok(())
    }
}

impl Leaf for i32 {
    #[inline]
    fn write(&self, out: &mut JsonWriter) -> Result<(), FieldError> {
        out.raw(itoa::Buffer::new().format(*self).as_bytes());
        Ok(())
    }
}

impl Leaf for i64 {
    #[inline]
    fn write(&self, out: &mut JsonWriter) -> Result<(), FieldError> {
        out.raw(itoa::Buffer::new().format(*self).as_bytes());
        Ok(())
    }
}

impl Leaf for Json {
    fn write(&self, out: &mut JsonWriter) -> Result<(), FieldError> {
        out.raw(self.to_string().as_bytes());
        Ok(())
    }

    fn is_null(&self) -> bool {
        self.is_null()
    }
}

impl Leaf for f64 {
    /// JSON knows no infinity and no NaN (GraphQL specification, section 3.5.2).
    fn write(&self, out: &mut JsonWriter) -> Result<(), FieldError> {
        if !self.is_finite() {
            return Err(FieldError::internal(LeafError::Float(*self)));
        }
        out.raw(ryu::Buffer::new().format_finite(*self).as_bytes());
        Ok(())
    }
}

impl Leaf for NaiveDate {
    /// `YYYY-MM-DD`, of the years 0 to 9999.
    fn write(&self, out: &mut JsonWriter) -> Result<(), FieldError> {
        if !(0..=9_999).contains(&self.year()) {
            return Err(FieldError::internal(LeafError::Year(self.year())));
        }
        let mut quoted = [b'"'; 12];
        quoted[1..11].copy_from_slice(&date_text(*self));
        out.raw(&quoted);
        Ok(())
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
