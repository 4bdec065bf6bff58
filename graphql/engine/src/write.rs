//! Writes the response as JSON, and collects its errors.

use std::ops::Range;

use super::context::RequestContext;
use super::error::FieldError;
use super::executed::Executed;
use super::json_string::write_string;
use super::path::Path;
use super::plan::{Field, Selection};

/// The response written so far.
#[derive(Default)]
pub struct JsonWriter {
    pub(super) json: Vec<u8>,
    errors: Vec<u8>,
    pub(super) error_codes: Vec<&'static str>,
    /// See [`Executed::root_values`].
    pub(super) root_values: Vec<Range<usize>>,
}

/// A null that propagates from a non-null field to its parent, with the written error and its code. The error is added where null
/// is allowed; of several errors that null the same field only one is reported (GraphQL specification, section 6.4.4).
#[derive(Debug)]
pub struct NullBubble(Box<(Vec<u8>, &'static str)>);

/// The bytes that a part can take before it grows.
const PART_BYTES: usize = 256;

impl JsonWriter {
    /// Returns a writer for a part that is appended later.
    pub(super) fn part() -> Self {
        Self { json: Vec::with_capacity(PART_BYTES), ..Self::default() }
    }

    pub(super) fn null(&mut self) {
        self.raw(b"null");
    }

    pub(super) fn boolean(&mut self, value: bool) {
        self.raw(if value { b"true" } else { b"false" });
    }

    /// Writes the selected fields of an object whose fields are all preloaded.
    #[inline]
    pub(super) fn object<E>(
        &mut self,
        typename: &str,
        selection: &Selection,
        mut each: impl FnMut(&Field, &mut JsonWriter) -> Result<(), E>,
    ) -> Result<(), E> {
        self.json.push(b'{');
        for (i, field) in selection.fields.iter().enumerate() {
            self.key(field, i);
            if field.name == "__typename" { self.string(typename) } else { each(field, self)? }
        }
        self.json.push(b'}');
        Ok(())
    }

    /// Writes a list; `each` gets the position of an item too.
    #[inline]
    pub(super) fn list<T, E>(
        &mut self,
        items: impl Iterator<Item = T>,
        mut each: impl FnMut(usize, T, &mut JsonWriter) -> Result<(), E>,
    ) -> Result<(), E> {
        self.json.push(b'[');
        for (i, item) in items.enumerate() {
            self.comma(i);
            each(i, item, self)?;
        }
        self.json.push(b']');
        Ok(())
    }

    /// Writes bytes that are JSON.
    pub fn raw(&mut self, bytes: &[u8]) {
        self.json.extend_from_slice(bytes);
    }

    pub(super) fn open(&mut self, bracket: u8) {
        self.json.push(bracket);
    }

    pub(super) fn close(&mut self, bracket: u8) {
        self.json.push(bracket);
    }

    /// Writes a comma, except at position 0.
    pub(super) fn comma(&mut self, position: usize) {
        if position > 0 {
            self.json.push(b',');
        }
    }

    /// Writes the key of the field at `position`. The planned key starts with a comma.
    #[inline]
    pub(super) fn key(&mut self, field: &Field, position: usize) {
        self.json.extend_from_slice(&field.key.as_bytes()[usize::from(position == 0)..]);
    }

    pub(super) fn mark(&self) -> usize {
        self.json.len()
    }

    /// Replaces what was written since `mark` by null; earlier errors are kept.
    #[cold]
    pub(super) fn null_from(&mut self, mark: usize, null: &NullBubble) {
        self.json.truncate(mark);
        self.null();
        let (error, code) = &*null.0;
        self.note(error, &[*code]);
    }

    fn note(&mut self, errors: &[u8], codes: &[&'static str]) {
        if !self.error_codes.is_empty() {
            self.errors.push(b',');
        }
        self.errors.extend_from_slice(errors);
        self.error_codes.extend_from_slice(codes);
    }

    /// Appends a part that was written separately, with its errors.
    pub(super) fn append(&mut self, part: JsonWriter) {
        self.json.extend_from_slice(&part.json);
        if !part.error_codes.is_empty() {
            self.note(&part.errors, &part.error_codes);
        }
    }

    /// Writes a string.
    pub fn string(&mut self, text: &str) {
        write_string(&mut self.json, text);
    }

    /// Writes the errors after the data.
    pub(super) fn finish(mut self, has_data: bool) -> Executed {
        if !self.error_codes.is_empty() {
            self.json.extend_from_slice(b",\"errors\":[");
            self.json.extend_from_slice(&self.errors);
            self.json.push(b']');
        }
        self.json.push(b'}');
        let Self { json, error_codes, root_values, .. } = self;
        Executed { body: json.into(), error_codes, has_data, refused: false, root_values }
    }
}

impl NullBubble {
    #[cold]
    pub(super) fn new(error: &FieldError, field: &Field, path: &Path<'_>, context: &impl RequestContext) -> Self {
        let mut written = Vec::new();
        write_error(&mut written, error, field, path, context);
        Self(Box::new((written, error.code)))
    }
}

fn write_error(out: &mut Vec<u8>, error: &FieldError, field: &Field, path: &Path<'_>, context: &impl RequestContext) {
    out.extend_from_slice(b"{\"message\":");
    write_string(out, &context.message(&error.message));
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
    if let Some(id) = context.request_id() {
        out.extend_from_slice(b",\"requestId\":");
        write_string(out, id);
    }
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
