//! Rows in PostgreSQL's binary COPY format, which serves as the common form of both engines, and digests of tables.
//!
//! Source: PostgreSQL documentation, COPY, "Binary Format". A row is the number of its fields (two bytes), then for each
//! its length (four bytes, -1 for null) and its bytes.

use std::fmt;

use chrono::{Days, NaiveDate};
use sha2::{Digest as _, Sha256};

use super::table::{Column, Kind};
use crate::base::{lower_hex, rfc3339};

/// Milliseconds from the Unix epoch to the epoch of PostgreSQL, 2000-01-01.
const EPOCH_MS: i64 = 946_684_800_000;
const EPOCH: NaiveDate = NaiveDate::from_ymd_opt(2000, 1, 1).expect("a date");

/// The bytes before the first row: signature, flags, and the length of an extension.
const HEADER: &[u8] = b"PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0";

/// A value as SQLite stores it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::store) enum Value {
    Null,
    Integer(i64),
    Text(String),
    Bytes(Vec<u8>),
}

/// Encodes a row of SQLite. The error says which value does not fit its column.
pub(in crate::store) fn encode(values: &[Value], columns: &[Column]) -> Result<Vec<u8>, String> {
    let mut row = Vec::with_capacity(16 * columns.len());
    row.extend(i16::try_from(columns.len()).map_err(|_| "too many columns")?.to_be_bytes());
    for (value, column) in values.iter().zip(columns) {
        let unfit = || format!("{} holds {value:?}", column.name);
        match (value, column.kind) {
            (Value::Null, _) => row.extend((-1_i32).to_be_bytes()),
            (Value::Bytes(bytes), Kind::Bytes) => field(&mut row, bytes)?,
            (Value::Bytes(bytes), Kind::Uuid) if bytes.len() == 16 => field(&mut row, bytes)?,
            (Value::Text(text), Kind::Text) => field(&mut row, text.as_bytes())?,
            (Value::Text(text), Kind::Date) => {
                let day = rfc3339::parse_date(text).ok_or_else(unfit)?;
                let days = i32::try_from((day - EPOCH).num_days()).map_err(|_| unfit())?;
                field(&mut row, &days.to_be_bytes())?;
            }
            (Value::Integer(0 | 1), Kind::Bool) => field(&mut row, &[u8::from(*value == Value::Integer(1))])?,
            (Value::Integer(number), Kind::BigInt) => field(&mut row, &number.to_be_bytes())?,
            (Value::Integer(number), Kind::Integer) => {
                field(&mut row, &i32::try_from(*number).map_err(|_| unfit())?.to_be_bytes())?;
            }
            (Value::Integer(ms), Kind::Moment) => {
                let us = ms.checked_sub(EPOCH_MS).and_then(|ms| ms.checked_mul(1_000)).ok_or_else(unfit)?;
                field(&mut row, &us.to_be_bytes())?;
            }
            _ => return Err(unfit()),
        }
    }
    Ok(row)
}

fn field(row: &mut Vec<u8>, bytes: &[u8]) -> Result<(), String> {
    row.extend(i32::try_from(bytes.len()).map_err(|_| "a value of more than 2 GiB")?.to_be_bytes());
    row.extend(bytes);
    Ok(())
}

/// Decodes a row for SQLite.
pub(in crate::store) fn decode(row: &[u8], columns: &[Column]) -> Result<Vec<Value>, String> {
    let mut rest = row.get(2..).ok_or("a row without fields")?;
    let mut values = Vec::with_capacity(columns.len());
    for column in columns {
        let unfit = || format!("{} cannot be read", column.name);
        let (length, after) = rest.split_first_chunk::<4>().ok_or_else(unfit)?;
        let Ok(length) = usize::try_from(i32::from_be_bytes(*length)) else {
            values.push(Value::Null);
            rest = after;
            continue;
        };
        let (bytes, after) = after.split_at_checked(length).ok_or_else(unfit)?;
        rest = after;
        values.push(value(bytes, column.kind).ok_or_else(unfit)?);
    }
    Ok(values)
}

fn value(bytes: &[u8], kind: Kind) -> Option<Value> {
    Some(match kind {
        Kind::Uuid | Kind::Bytes => Value::Bytes(bytes.to_vec()),
        Kind::Text => Value::Text(String::from_utf8(bytes.to_vec()).ok()?),
        Kind::Bool => Value::Integer((*bytes.first()?).into()),
        Kind::Integer => Value::Integer(i32::from_be_bytes(bytes.try_into().ok()?).into()),
        Kind::BigInt => Value::Integer(i64::from_be_bytes(bytes.try_into().ok()?)),
        Kind::Moment => {
            let us = i64::from_be_bytes(bytes.try_into().ok()?);
            // A part of a millisecond would be lost.
            Value::Integer((us % 1_000 == 0).then_some(us / 1_000)?.checked_add(EPOCH_MS)?)
        }
        Kind::Date => {
            let days = i32::from_be_bytes(bytes.try_into().ok()?);
            let by = Days::new(days.unsigned_abs().into());
            let day = if days < 0 { EPOCH.checked_sub_days(by) } else { EPOCH.checked_add_days(by) };
            Value::Text(day?.to_string())
        }
    })
}

/// Splits the output of COPY into rows.
#[derive(Debug, Default)]
pub(in crate::store) struct RowSplitter {
    bytes: Vec<u8>,
    header_read: bool,
}

impl RowSplitter {
    /// The bytes that COPY begins with.
    pub(in crate::store) const HEADER: &[u8] = HEADER;
    /// The bytes that COPY ends with.
    pub(in crate::store) const END: [u8; 2] = (-1_i16).to_be_bytes();

    /// Adds output and passes on the rows that are complete.
    pub(in crate::store) fn add(&mut self, bytes: &[u8], mut row: impl FnMut(Vec<u8>)) {
        self.bytes.extend(bytes);
        let mut start = 0;
        if !self.header_read {
            if self.bytes.len() < HEADER.len() {
                return;
            }
            (start, self.header_read) = (HEADER.len(), true);
        }
        while let Some(length) = row_length(&self.bytes[start..]) {
            row(self.bytes[start..start + length].to_vec());
            start += length;
        }
        self.bytes.drain(..start);
    }

    /// Whether all output was passed on, up to the end mark.
    pub(in crate::store) fn is_complete(&self) -> bool {
        self.bytes == Self::END
    }
}

/// The length of the first row; `None` if it is not complete, or at the end mark.
fn row_length(bytes: &[u8]) -> Option<usize> {
    let fields = i16::from_be_bytes(*bytes.first_chunk()?);
    let mut length = 2;
    for _ in 0..usize::try_from(fields).ok()? {
        let field = i32::from_be_bytes(*bytes.get(length..)?.first_chunk()?);
        length += 4 + usize::try_from(field).unwrap_or(0);
    }
    (length <= bytes.len()).then_some(length)
}

/// A digest of rows in any order: the sum of the SHA-256 of each, and their number.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::store) struct TableDigest {
    rows: u64,
    sum: [u64; 4],
}

impl TableDigest {
    /// Adds an encoded row.
    pub(in crate::store) fn add(&mut self, row: &[u8]) {
        self.rows += 1;
        let digest = Sha256::digest(row);
        for (sum, part) in self.sum.iter_mut().zip(digest.as_chunks::<8>().0) {
            *sum = sum.wrapping_add(u64::from_be_bytes(*part));
        }
    }

    pub(in crate::store) fn rows(&self) -> u64 {
        self.rows
    }

    /// The sum in hexadecimal digits.
    pub(in crate::store) fn hex(&self) -> String {
        self.sum.iter().map(|part| lower_hex(&part.to_be_bytes())).collect()
    }
}

impl fmt::Display for TableDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} rows with digest {}", self.rows, self.hex())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn columns(kinds: &[Kind]) -> Vec<Column> {
        kinds.iter().map(|kind| Column { name: format!("{kind:?}"), kind: *kind }).collect()
    }

    const KINDS: [Kind; 8] =
        [Kind::Uuid, Kind::Moment, Kind::Date, Kind::Bool, Kind::Integer, Kind::BigInt, Kind::Text, Kind::Bytes];

    #[test]
    fn row_of_every_type_is_decoded_as_it_was_encoded() {
        let text = |text: &str| Value::Text(text.to_owned());
        let one =
            [Value::Bytes(vec![7; 16]), Value::Integer(1), text("1931-03-07"), Value::Integer(1), Value::Integer(-5)];
        let one = [&one[..], &[Value::Integer(i64::MIN), text("é \\ \n\t"), Value::Bytes(vec![])]].concat();
        let other = [Value::Bytes(vec![0; 16]), Value::Integer(-1), text("2026-11-23"), Value::Integer(0)];
        let other =
            [&other[..], &[Value::Integer(0), Value::Integer(i64::MAX), text(""), Value::Bytes(vec![255])]].concat();
        let columns = columns(&KINDS);
        for row in [one, other, vec![Value::Null; 8]] {
            assert_eq!(decode(&encode(&row, &columns).expect("it fits"), &columns), Ok(row));
        }
    }

    #[test]
    fn value_that_does_not_fit_its_column_is_refused() {
        for (value, kind) in [
            (Value::Bytes(vec![7; 15]), Kind::Uuid),
            (Value::Text("x".to_owned()), Kind::Bytes),
            (Value::Integer(2), Kind::Bool),
            (Value::Integer(1 << 40), Kind::Integer),
            (Value::Integer(i64::MAX), Kind::Moment),
            (Value::Text("23-11-2026".to_owned()), Kind::Date),
        ] {
            assert!(encode(std::slice::from_ref(&value), &columns(&[kind])).is_err(), "{value:?}");
        }
        // Half a millisecond.
        assert_eq!(super::value(&500_i64.to_be_bytes(), Kind::Moment), None);
    }

    #[test]
    fn rows_are_split_at_any_boundary_of_the_output() {
        let columns = columns(&[Kind::Text, Kind::BigInt]);
        let rows: Vec<_> = (0..20)
            .map(|n| encode(&[Value::Text("a".repeat(n)), Value::Integer(n as i64)], &columns).expect("it fits"))
            .collect();
        let output = [HEADER, &rows.concat(), &RowSplitter::END].concat();
        for piece in [1, 2, 3, 7, output.len()] {
            let (mut splitter, mut found) = (RowSplitter::default(), Vec::new());
            output.chunks(piece).for_each(|bytes| splitter.add(bytes, |row| found.push(row)));
            assert!(found == rows && splitter.is_complete(), "pieces of {piece}");
        }
    }

    #[test]
    fn digest_depends_on_every_row_and_not_on_their_order() {
        let digest = |rows: &[&[u8]]| {
            let mut digest = TableDigest::default();
            rows.iter().for_each(|row| digest.add(row));
            digest
        };
        assert_eq!(digest(&[b"a", b"b"]), digest(&[b"b", b"a"]));
        for other in [digest(&[b"a"]), digest(&[b"a", b"a"]), digest(&[b"a", b"b", b"b"])] {
            assert_ne!(digest(&[b"a", b"b"]), other);
        }
    }
}
