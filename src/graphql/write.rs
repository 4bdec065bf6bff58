//! JSON, written once, straight into the body of the answer; and the errors that stand beside it.

use super::error::FieldError;
use super::execute::{Null, Path};
use super::leaf::Leaf;
use super::plan::{Field, Selection};

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

    /// Writes a string.
    pub fn string(&mut self, text: &str) {
        write_string(&mut self.json, text);
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
    let others = if error.location.is_some() { &[][..] } else { &field.other_locations };
    let locations = std::iter::once(error.location.unwrap_or(field.location)).chain(others.iter().copied());
    for (i, location) in locations.enumerate() {
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
        Path::Field(_, field) => write_string(out, field.response_key()),
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

/// Writes a string with what JSON wants escaped (RFC 8259, section 7).
pub(super) fn write_string(out: &mut Vec<u8>, text: &str) {
    const HEX: &[u8; 16] = b"0123456789abcdef";
    let mut rest = text.as_bytes();
    out.reserve(rest.len() + 2);
    out.push(b'"');
    loop {
        let (plain, escaped) = rest.split_at(plain_length(rest));
        out.extend_from_slice(plain);
        let Some((&byte, after)) = escaped.split_first() else { break };
        match ESCAPES[usize::from(byte)] {
            b'u' => {
                let (high, low) = (HEX[usize::from(byte >> 4)], HEX[usize::from(byte & 15)]);
                out.extend_from_slice(&[b'\\', b'u', b'0', b'0', high, low]);
            }
            letter => out.extend_from_slice(&[b'\\', letter]),
        }
        rest = after;
    }
    out.push(b'"');
}

/// How many bytes stand for themselves before the first that is escaped; eight are looked at in one go.
fn plain_length(bytes: &[u8]) -> usize {
    let mut at = 0;
    while let Some(eight) = bytes.get(at..at + 8) {
        let escaped = escaped_of_eight(u64::from_le_bytes(eight.try_into().expect("they are eight")));
        if escaped != 0 {
            return at + escaped.trailing_zeros() as usize / 8;
        }
        at += 8;
    }
    let tail = &bytes[at..];
    at + tail.iter().position(|byte| ESCAPES[usize::from(*byte)] != 0).unwrap_or(tail.len())
}

/// The high bit of each byte that is escaped; above the lowest such byte the bits may be wrong.
fn escaped_of_eight(word: u64) -> u64 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGHS: u64 = 0x8080_8080_8080_8080;
    let control = word.wrapping_sub(ONES * 0x20) & !word;
    let is = |byte: u8| {
        let zero_where_it_is = word ^ (ONES * u64::from(byte));
        zero_where_it_is.wrapping_sub(ONES) & !zero_where_it_is
    };
    (control | is(b'"') | is(b'\\')) & HIGHS
}

#[cfg(test)]
mod tests {
    use super::{ESCAPES, plain_length, write_string};

    #[test]
    fn bytes_that_are_escaped_are_found_wherever_they_are() {
        for length in 0..40 {
            let plain = vec![b'a'; length];
            assert_eq!(plain_length(&plain), length);
            for at in 0..length {
                for byte in 0..=u8::MAX {
                    let mut bytes = plain.clone();
                    bytes[at] = byte;
                    let expected = if ESCAPES[usize::from(byte)] == 0 { length } else { at };
                    assert_eq!(plain_length(&bytes), expected, "{byte} at {at} of {length}");
                }
            }
        }
    }

    #[test]
    fn strings_are_what_serde_json_writes() {
        let every: String = (0..0x300).filter_map(char::from_u32).collect();
        for text in ["", "a", "12345678", "\"", "\\\\\\", "plain, and then some \n more", "🕯\u{0}é", &every] {
            let mut written = Vec::new();
            write_string(&mut written, text);
            assert_eq!(String::from_utf8(written).ok(), serde_json::to_string(text).ok());
        }
    }
}
