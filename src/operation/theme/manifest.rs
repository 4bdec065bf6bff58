//! Parses `theme.toml` and reports every mistake with its file, line and field.

use std::fmt;
use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::import;
use crate::base::HttpUrl;
use crate::base::limits::{
    ALT_TEXT_CHARS_MAX, NAME_CHARS_MAX, THEME_DESCRIPTION_CHARS_MAX, THEME_HANDLE_CHARS_MAX,
    THEME_IMAGE_NAME_CHARS_MAX, URL_CHARS_MAX,
};

const FIELDS: &[&str] = &["handle", "title", "description", "position", "images", "videos", "demo_url"];
const IMAGE_FIELDS: &[&str] = &["file", "alt"];

/// A mistake in a theme's folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Mistake {
    pub file: String,
    /// Counted from 1; `None` if the mistake is the file itself.
    pub line: Option<usize>,
    /// Such as `images[0].file`.
    pub field: Option<String>,
    pub message: String,
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.file)?;
        if let Some(line) = self.line {
            write!(f, ":{line}")?;
        }
        if let Some(field) = &self.field {
            write!(f, ": {field}")?;
        }
        write!(f, ": {}", self.message)
    }
}

/// The values of a `theme.toml`. A field with a mistake is empty.
#[derive(Debug, Default)]
pub(super) struct Manifest {
    pub handle: String,
    pub title: String,
    pub description: String,
    pub position: i64,
    pub images: Vec<Picture>,
    pub videos: Vec<HttpUrl>,
    pub demo_url: Option<HttpUrl>,
}

/// A picture of the manifest.
#[derive(Debug)]
pub(super) struct Picture {
    pub file: String,
    pub alt: Option<String>,
    /// The span of its name, for mistakes in the picture.
    pub span: Range<usize>,
}

/// The mistakes of one file.
pub(super) struct Report<'a> {
    file: &'a str,
    text: &'a str,
    pub mistakes: Vec<Mistake>,
}

impl<'a> Report<'a> {
    pub(super) fn new(file: &'a str, text: &'a str) -> Self {
        Self { file, text, mistakes: Vec::new() }
    }

    pub(super) fn add(&mut self, span: Range<usize>, field: impl Into<Option<String>>, message: impl Into<String>) {
        let before = &self.text.as_bytes()[..span.start.min(self.text.len())];
        let line = Some(1 + before.iter().filter(|byte| **byte == b'\n').count());
        let (file, field, message) = (self.file.to_owned(), field.into(), message.into());
        self.mistakes.push(Mistake { file, line, field, message });
    }
}

/// Parses a manifest; mistakes go to the report.
pub(super) fn read(report: &mut Report<'_>) -> Manifest {
    let (root, errors) = DeTable::parse_recoverable(report.text);
    if !errors.is_empty() {
        for error in errors {
            report.add(error.span().unwrap_or(0..0), None, format!("this is not TOML: {}.", error.message()));
        }
        return Manifest::default();
    }
    let mut fields = Fields { path: String::new(), table: root.get_ref(), span: 0..0, report };
    fields.refuse_unknown(FIELDS);
    Manifest {
        handle: fields.handle(),
        title: fields.text("title", NAME_CHARS_MAX).unwrap_or_default(),
        description: fields.text("description", THEME_DESCRIPTION_CHARS_MAX).unwrap_or_default(),
        position: fields.position(),
        images: fields.images(),
        videos: fields.videos(),
        demo_url: fields.optional_text("demo_url").and_then(|(text, span)| fields.address("demo_url", &text, span)),
    }
}

/// A table of the manifest.
struct Fields<'a, 'r, 's> {
    /// The prefix of field names, such as `images[0].`.
    path: String,
    table: &'a DeTable<'a>,
    /// The span of the table, where missing fields are reported.
    span: Range<usize>,
    report: &'r mut Report<'s>,
}

impl<'a> Fields<'a, '_, '_> {
    fn mistake(&mut self, span: Range<usize>, field: &str, message: impl Into<String>) {
        self.report.add(span, format!("{}{field}", self.path), message);
    }

    fn refuse_unknown(&mut self, known: &[&str]) {
        for (key, _) in self.table.iter().filter(|(key, _)| !known.contains(&key.get_ref().as_ref())) {
            let message = format!("there is no such field. There are: {}.", known.join(", "));
            self.mistake(key.span(), key.get_ref(), message);
        }
    }

    /// A required field.
    fn require(&mut self, field: &str) -> Option<&'a Spanned<DeValue<'a>>> {
        let value = self.table.get(field);
        if value.is_none() {
            self.mistake(self.span.clone(), field, "this field is missing.");
        }
        value
    }

    /// A required text that is not blank.
    fn text(&mut self, field: &str, chars_max: usize) -> Option<String> {
        self.require(field)?;
        let (text, span) = self.optional_text(field)?;
        let text = text.trim();
        let chars = text.chars().count();
        let fault = if chars == 0 {
            "this field is empty.".to_owned()
        } else if chars > chars_max {
            format!("this text has {chars} characters; the most is {chars_max}.")
        } else if text.chars().any(|c| c.is_control() && c != '\n') {
            "this text holds a control character.".to_owned()
        } else {
            return Some(text.to_owned());
        };
        self.mistake(span, field, fault);
        None
    }

    /// An optional text and its span.
    fn optional_text(&mut self, field: &str) -> Option<(String, Range<usize>)> {
        let value = self.table.get(field)?;
        match value.get_ref().as_str() {
            Some(text) => Some((text.to_owned(), value.span())),
            None => {
                self.mistake(value.span(), field, format!("this is {}, not a text.", article(value.get_ref())));
                None
            }
        }
    }

    fn handle(&mut self) -> String {
        let Some(handle) = self.text("handle", THEME_HANDLE_CHARS_MAX) else { return String::new() };
        let plain = handle.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-');
        if plain && !handle.starts_with('-') && !handle.ends_with('-') {
            return handle;
        }
        let span = self.table["handle"].span();
        self.mistake(
            span,
            "handle",
            "a handle holds lower-case letters, digits and hyphens inside, as in winter-licht.",
        );
        String::new()
    }

    fn position(&mut self) -> i64 {
        let Some(value) = self.require("position") else { return 0 };
        let span = value.span();
        let number = value.get_ref().as_integer().and_then(|n| i64::from_str_radix(n.as_str(), n.radix()).ok());
        match number.filter(|n| *n >= 0) {
            Some(number) => number,
            None => {
                self.mistake(span, "position", "this is not a whole number of 0 or more.");
                0
            }
        }
    }

    /// The values of an optional list.
    fn list(&mut self, field: &str) -> Vec<&'a Spanned<DeValue<'a>>> {
        let Some(value) = self.table.get(field) else { return Vec::new() };
        match value.get_ref().as_array() {
            Some(list) => list.iter().collect(),
            None => {
                self.mistake(value.span(), field, format!("this is {}, not a list.", article(value.get_ref())));
                Vec::new()
            }
        }
    }

    fn images(&mut self) -> Vec<Picture> {
        let mut pictures: Vec<Picture> = Vec::new();
        for (i, value) in self.list("images").into_iter().enumerate() {
            let Some(table) = value.get_ref().as_table() else {
                let message = format!("this is {}, not a table with file and alt.", article(value.get_ref()));
                self.mistake(value.span(), &format!("images[{i}]"), message);
                continue;
            };
            let path = format!("images[{i}].");
            let mut fields = Fields { path, table, span: value.span(), report: &mut *self.report };
            let Some(picture) = fields.picture() else { continue };
            if pictures.iter().any(|other| other.file == picture.file) {
                fields.mistake(picture.span, "file", format!("\"{}\" is in the list twice.", picture.file));
            } else {
                pictures.push(picture);
            }
        }
        pictures
    }

    fn picture(&mut self) -> Option<Picture> {
        self.refuse_unknown(IMAGE_FIELDS);
        // An empty text means no URL (section 2.6).
        let silent = self.optional_text("alt").is_none_or(|(text, _)| text.trim().is_empty());
        let alt = if silent { None } else { self.text("alt", ALT_TEXT_CHARS_MAX) };
        let file = self.text("file", THEME_IMAGE_NAME_CHARS_MAX)?;
        let span = self.table["file"].span();
        if let Err(message) = import::check_name(&file) {
            self.mistake(span, "file", message);
            return None;
        }
        Some(Picture { file, alt, span })
    }

    fn videos(&mut self) -> Vec<HttpUrl> {
        let mut videos = Vec::new();
        for (i, value) in self.list("videos").into_iter().enumerate() {
            let field = format!("videos[{i}]");
            match value.get_ref().as_str() {
                Some(text) => videos.extend(self.address(&field, text, value.span())),
                None => {
                    let message = format!("this is {}, not an address.", article(value.get_ref()));
                    self.mistake(value.span(), &field, message);
                }
            }
        }
        videos
    }

    fn address(&mut self, field: &str, text: &str, span: Range<usize>) -> Option<HttpUrl> {
        let address = HttpUrl::parse(text).filter(|_| text.chars().count() <= URL_CHARS_MAX);
        if address.is_none() {
            let message = format!("this is not an http or https address of at most {URL_CHARS_MAX} characters.");
            self.mistake(span, field, message);
        }
        address
    }
}

/// The type of a value, for messages.
fn article(value: &DeValue<'_>) -> String {
    match value.type_str() {
        kind @ ("integer" | "array") => format!("an {kind}"),
        kind => format!("a {kind}"),
    }
}
