//! The fields of a form on a page, each with label, hint and error, associated for screen readers (WCAG 2.2, 1.3.1, 3.3.1 and 3.3.2).

use http::StatusCode;
use maud::{Markup, html};

use super::form::Form;
use crate::base::limits;
use crate::text;

/// The errors of a form, by field, in the order of the page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Errors(Vec<FieldError>);

/// An error of a field.
#[derive(Clone, Debug, PartialEq, Eq)]
struct FieldError {
    field: &'static str,
    /// The part of the field that is wrong, to which the summary links.
    part: &'static str,
    message: String,
}

impl Errors {
    pub(super) fn add(&mut self, field: &'static str, message: impl Into<String>) {
        self.add_to_part(field, field, message);
    }

    /// Adds an error of one of the inputs of a field.
    pub(super) fn add_to_part(&mut self, field: &'static str, part: &'static str, message: impl Into<String>) {
        self.0.push(FieldError { field, part, message: message.into() });
    }

    /// One error.
    pub(super) fn of_field(field: &'static str, message: String) -> Self {
        let mut errors = Self::default();
        errors.add(field, message);
        errors
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The status of the page.
    pub(super) fn status(&self) -> StatusCode {
        if self.is_empty() { StatusCode::OK } else { StatusCode::UNPROCESSABLE_ENTITY }
    }

    /// The error of a field.
    pub(super) fn find(&self, field: &str) -> Option<&str> {
        self.0.iter().find(|error| error.field == field).map(|error| error.message.as_str())
    }

    /// Whether an input of a field is wrong: the one that the error names, or all of them.
    pub(super) fn is_wrong(&self, field: &str, part: &str) -> bool {
        self.0.iter().any(|error| error.field == field && (error.part == part || error.part == field))
    }

    /// The title of the page, which says first that there are errors.
    pub(super) fn mark(&self, title: &str) -> String {
        if self.is_empty() { title.to_owned() } else { [text::ERROR, title].concat() }
    }

    /// The list of all errors at the top of the page, which gets the focus. Each links to its field.
    pub(super) fn summary(&self) -> Markup {
        html! {
            @if !self.is_empty() {
                div.errors role="alert" tabindex="-1" autofocus aria-labelledby="errors-title" {
                    h2 #errors-title { (text::SUMMARY) }
                    ul { @for error in &self.0 { li { a href={ "#" (error.part) } { (error.message) } } } }
                }
            }
        }
    }
}

/// A single-line field.
pub(super) struct TextField<'a> {
    pub name: &'static str,
    pub label: &'a str,
    pub hint: Option<&'a str>,
    pub value: &'a str,
    /// `text`, `email` or `url`: selects the keyboard of a phone.
    pub kind: &'static str,
    /// The value of `autocomplete` (WCAG 2.2, 1.3.5).
    pub autocomplete: &'static str,
}

impl TextField<'_> {
    pub(super) fn show(&self, errors: &Errors) -> Markup {
        let error = errors.find(self.name);
        html! {
            div.field.wrong[error.is_some()] {
                label for=(self.name) { (self.label) }
                (hint(self.name, self.hint))
                (message(self.name, error))
                input #(self.name) name=(self.name) type=(self.kind) dir="auto"
                    value=(shorten(self.value, limits::REFUSED_LINE_CHARS_SHOWN_MAX))
                    autocomplete=(self.autocomplete) spellcheck="false"
                    autocapitalize=[(self.kind != "text").then_some("none")]
                    aria-invalid=[error.map(|_| "true")]
                    aria-describedby=[described_by(self.name, self.hint, error)];
            }
        }
    }
}

/// A multi-line field.
#[derive(Default)]
pub(super) struct TextArea<'a> {
    pub name: &'static str,
    pub label: &'a str,
    pub hint: &'a str,
    pub value: &'a str,
    pub placeholder: Option<&'a str>,
    /// The most characters, and the texts of the script for the number left and for the number too many.
    pub counted: Option<(usize, &'a str, &'a str)>,
}

impl TextArea<'_> {
    pub(super) fn show(&self, errors: &Errors) -> Markup {
        let (name, error) = (self.name, errors.find(self.name));
        html! {
            div.field.wrong[error.is_some()] {
                label for=(name) { (self.label) }
                (hint(name, Some(self.hint)))
                (message(name, error))
                // Browsers drop the first line break after the tag, so one is added.
                textarea #(name) name=(name) rows="10" dir="auto" autocomplete="off" placeholder=[self.placeholder]
                    data-chars-max=[self.counted.map(|(max, _, _)| max)]
                    data-chars-left=[self.counted.map(|(_, left, _)| left)] data-chars-over=[self.counted.map(|(_, _, over)| over)]
                    aria-invalid=[error.map(|_| "true")] aria-describedby=[described_by(name, Some(self.hint), error)] {
                    "\n" (shorten(self.value, limits::REFUSED_TEXT_CHARS_SHOWN_MAX))
                }
            }
        }
    }
}

/// The value that a ticked checkbox sends.
const TICKED: &str = "ja";

/// Whether a form was sent with this checkbox ticked. Any other value, or a second one, is no tick.
pub(super) fn is_ticked(form: &Form, name: &str) -> bool {
    form.fields().filter(|(known, _)| *known == name).map(|(_, value)| value).eq([TICKED])
}

/// A checkbox.
pub(super) fn tick_box(name: &'static str, label: &str, ticked: bool, errors: &Errors) -> Markup {
    let error = errors.find(name);
    html! {
        div.field.tick.wrong[error.is_some()] {
            (message(name, error))
            div {
                input #(name) type="checkbox" name=(name) value=(TICKED) checked[ticked]
                    aria-invalid=[error.map(|_| "true")] aria-describedby=[described_by(name, None, error)];
                label for=(name) { (label) }
            }
        }
    }
}

pub(super) fn hint(name: &str, hint: Option<&str>) -> Markup {
    html! { @if let Some(hint) = hint { p.note id={ (name) "-hint" } { (hint) } } }
}

pub(super) fn message(name: &str, error: Option<&str>) -> Markup {
    html! {
        @if let Some(error) = error {
            p.error id={ (name) "-error" } { span.unseen { (text::ERROR) } (error) }
        }
    }
}

/// The ids of the hint and the error of a field.
pub(super) fn described_by(name: &str, hint: Option<&str>, error: Option<&str>) -> Option<String> {
    let ids: Vec<String> =
        [hint.map(|_| format!("{name}-hint")), error.map(|_| format!("{name}-error"))].into_iter().flatten().collect();
    (!ids.is_empty()).then(|| ids.join(" "))
}

/// The start of a value that a page shows again.
pub(super) fn shorten(value: &str, chars_max: usize) -> &str {
    value.char_indices().nth(chars_max).map_or(value, |(end, _)| &value[..end])
}
