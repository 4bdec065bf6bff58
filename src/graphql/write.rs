//! JSON, written once, straight into the body of the answer; and the errors that stand beside it.

use std::borrow::Cow;

use chrono::{Datelike, NaiveDate, Timelike};

use super::error::FieldError;
use super::execute::{Null, Path};
use super::plan::{Field, Selection};
use crate::base::{GlobalId, Moment, WebAddress};

/// The answer, as far as it is written.
#[derive(Default)]
pub struct Out {
    pub(super) json: Vec<u8>,
    errors: Vec<u8>,
    pub(super) error_count: usize,
}

impl Out {
    pub fn null(&mut self) {
        self.raw(b"null");
    }

    /// Writes a leaf.
    #[inline]
    pub fn put(&mut self, leaf: &(impl Leaf + ?Sized)) {
        leaf.write(self);
    }

    /// Writes the selected fields of an object whose every field is there.
    #[inline]
    pub fn object(&mut self, typename: &str, selection: &Selection, mut each: impl FnMut(&Field, &mut Out)) {
        self.json.push(b'{');
        for (i, field) in selection.fields.iter().enumerate() {
            self.key(field, i);
            if field.name == "__typename" { self.string(typename) } else { each(field, self) }
        }
        self.json.push(b'}');
    }

    pub(super) fn list<T>(&mut self, items: impl Iterator<Item = T>, mut each: impl FnMut(T, &mut Out)) {
        self.json.push(b'[');
        for (i, item) in items.enumerate() {
            self.comma(i);
            each(item, self);
        }
        self.json.push(b']');
    }

    /// Writes what is JSON already.
    pub fn raw(&mut self, bytes: &[u8]) {
        self.json.extend_from_slice(bytes);
    }

    pub(super) fn open(&mut self, bracket: u8) {
        self.json.push(bracket);
    }

    pub(super) fn close(&mut self, bracket: u8) {
        self.json.push(bracket);
    }

    /// A comma, but not before the first.
    pub(super) fn comma(&mut self, position: usize) {
        if position > 0 {
            self.json.push(b',');
        }
    }

    /// The key of the field at `position`; the plan holds it written, with its comma.
    #[inline]
    pub(super) fn key(&mut self, field: &Field, position: usize) {
        self.json.extend_from_slice(&field.key[usize::from(position == 0)..]);
    }

    pub(super) fn mark(&self) -> usize {
        self.json.len()
    }

    /// Takes back what was written since `mark` and writes null instead; earlier errors stay.
    #[cold]
    pub(super) fn null_from(&mut self, mark: usize, null: &Null) {
        self.json.truncate(mark);
        self.null();
        self.note(&null.0, 1);
    }

    fn note(&mut self, errors: &[u8], count: usize) {
        if self.error_count > 0 {
            self.errors.push(b',');
        }
        self.errors.extend_from_slice(errors);
        self.error_count += count;
    }

    /// Adds what was written beside it, and its errors.
    pub(super) fn append(&mut self, part: Out) {
        self.json.extend_from_slice(&part.json);
        if part.error_count > 0 {
            self.note(&part.errors, part.error_count);
        }
    }

    /// Writes a string with what JSON wants escaped (RFC 8259, section 7).
    pub fn string(&mut self, text: &str) {
        write_string(&mut self.json, text);
    }

    fn digits<const N: usize>(&mut self, mut n: u32) {
        let mut digits = [b'0'; N];
        for digit in digits.iter_mut().rev() {
            *digit = b'0' + (n % 10) as u8;
            n /= 10;
        }
        self.json.extend_from_slice(&digits);
    }

    fn date(&mut self, date: &impl Datelike) {
        self.digits::<4>(date.year().unsigned_abs());
        self.json.push(b'-');
        self.digits::<2>(date.month());
        self.json.push(b'-');
        self.digits::<2>(date.day());
    }

    /// A field's error: null where that is allowed, else up to what holds the field.
    #[cold]
    pub(super) fn fail(&mut self, error: FieldError, field: &Field, path: &Path<'_>) -> Result<(), Null> {
        let mut written = Vec::new();
        write_error(&mut written, &error, field, path);
        if !field.nullable {
            return Err(Null(written.into()));
        }
        self.null();
        self.note(&written, 1);
        Ok(())
    }

    /// The errors, to follow the data.
    pub(super) fn finish(mut self, request_id: &str) -> (Vec<u8>, usize) {
        if self.error_count > 0 {
            self.json.extend_from_slice(b",\"errors\":[");
            // The request id is the same in all of them: it is written last, where they leave a gap for it.
            let mut id = Vec::new();
            write_string(&mut id, request_id);
            for piece in self.errors.split(|b| *b == REQUEST_ID).enumerate() {
                if piece.0 > 0 {
                    self.json.extend_from_slice(&id);
                }
                self.json.extend_from_slice(piece.1);
            }
            self.json.push(b']');
        }
        self.json.push(b'}');
        (self.json, self.error_count)
    }
}

/// Stands in an error where the request id comes: no byte of JSON.
const REQUEST_ID: u8 = 0;

fn write_error(out: &mut Vec<u8>, error: &FieldError, field: &Field, path: &Path<'_>) {
    out.extend_from_slice(b"{\"message\":");
    write_string(out, &error.message);
    out.extend_from_slice(b",\"locations\":[");
    let locations = error.location.as_ref().map_or(&*field.locations, std::slice::from_ref);
    for (i, location) in locations.iter().enumerate() {
        if i > 0 {
            out.push(b',');
        }
        out.extend_from_slice(format!("{{\"line\":{},\"column\":{}}}", location.line, location.column).as_bytes());
    }
    out.extend_from_slice(b"],\"path\":[");
    write_path(out, path);
    out.extend_from_slice(b"],\"extensions\":{\"code\":");
    write_string(out, error.code);
    out.extend_from_slice(b",\"requestId\":");
    out.push(REQUEST_ID);
    if let Some(detail) = &error.detail {
        out.extend_from_slice(b",\"detail\":");
        write_string(out, detail);
    }
    out.extend_from_slice(b"}}");
}

fn write_path(out: &mut Vec<u8>, path: &Path<'_>) {
    let parent = match path {
        Path::Root => return,
        Path::Field(parent, _) | Path::Index(parent, _) => parent,
    };
    write_path(out, parent);
    if !matches!(parent, Path::Root) {
        out.push(b',');
    }
    match path {
        Path::Field(_, field) => write_string(out, &field.response_key),
        Path::Index(_, i) => out.extend_from_slice(itoa::Buffer::new().format(*i).as_bytes()),
        Path::Root => {}
    }
}

/// For each byte: 0 where it stands for itself, `u` where it is written by number, else the letter of its escape.
const ESCAPES: [u8; 256] = {
    let mut table = [0; 256];
    let mut control = 0;
    while control < 32 {
        table[control] = b'u';
        control += 1;
    }
    table[8] = b'b';
    table[9] = b't';
    table[10] = b'n';
    table[12] = b'f';
    table[13] = b'r';
    table[b'"' as usize] = b'"';
    table[b'\\' as usize] = b'\\';
    table
};

pub(super) fn write_string(out: &mut Vec<u8>, text: &str) {
    const HEX: &[u8; 16] = b"0123456789abcdef";
    let bytes = text.as_bytes();
    out.reserve(bytes.len() + 2);
    out.push(b'"');
    let mut start = 0;
    for (i, &byte) in bytes.iter().enumerate() {
        let escape = ESCAPES[usize::from(byte)];
        if escape == 0 {
            continue;
        }
        out.extend_from_slice(&bytes[start..i]);
        start = i + 1;
        if escape == b'u' {
            let (high, low) = (HEX[usize::from(byte >> 4)], HEX[usize::from(byte & 15)]);
            out.extend_from_slice(&[b'\\', b'u', b'0', b'0', high, low]);
        } else {
            out.extend_from_slice(&[b'\\', escape]);
        }
    }
    out.extend_from_slice(&bytes[start..]);
    out.push(b'"');
}

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
    fn write(&self, out: &mut Out) {
        out.raw(b"\"");
        out.date(self);
        out.raw(b"\"");
    }
}

impl Leaf for Moment {
    /// RFC 3339, UTC, exactly three decimals, `Z` (decisions V6).
    fn write(&self, out: &mut Out) {
        let moment = self.utc();
        out.raw(b"\"");
        out.date(&moment);
        out.raw(b"T");
        out.digits::<2>(moment.hour());
        out.raw(b":");
        out.digits::<2>(moment.minute());
        out.raw(b":");
        out.digits::<2>(moment.second());
        out.raw(b".");
        out.digits::<3>(moment.nanosecond() / 1_000_000 % 1_000);
        out.raw(b"Z\"");
    }
}
