//! Form fields with label, hint and error, associated for screen readers (WCAG 2.2, 1.3.1, 3.3.1 and 3.3.2).

use maud::{Markup, html};

use crate::base::limits;
use crate::web::form::{Form, shorten};
use crate::web::text::customizer as text;

/// The errors of a form, by field, in the order of the page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Errors(Vec<(&'static str, String)>);

impl Errors {
    pub(super) fn add(&mut self, field: &'static str, message: impl Into<String>) {
        self.0.push((field, message.into()));
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The error of a field.
    pub(super) fn of(&self, field: &str) -> Option<&str> {
        self.0.iter().find(|(known, _)| *known == field).map(|(_, message)| message.as_str())
    }

    /// The list of all errors at the top of the page, which gets the focus. Each links to its field.
    pub(super) fn summary(&self) -> Markup {
        html! {
            @if !self.is_empty() {
                div.errors role="alert" tabindex="-1" autofocus aria-labelledby="errors-title" {
                    h2 #errors-title { (text::SUMMARY) }
                    ul { @for (field, message) in &self.0 { li { a href={ "#" (field) } { (message) } } } }
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
        let error = errors.of(self.name);
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
pub(super) fn text_area(name: &'static str, label: &str, note: &str, value: &str, errors: &Errors) -> Markup {
    let error = errors.of(name);
    html! {
        div.field.wrong[error.is_some()] {
            label for=(name) { (label) }
            (hint(name, Some(note)))
            (message(name, error))
            // Browsers drop the first line break after the tag, so one is added.
            textarea #(name) name=(name) rows="10" dir="auto" autocomplete="off" aria-invalid=[error.map(|_| "true")]
                aria-describedby=[described_by(name, Some(note), error)] {
                "\n" (shorten(value, limits::REFUSED_TEXT_CHARS_SHOWN_MAX))
            }
        }
    }
}

/// A date in three fields, which for dates long ago is quicker than a calendar.
pub(super) fn date(name: &'static str, label: &str, note: &str, values: [&str; 3], errors: &Errors) -> Markup {
    let error = errors.of(name);
    let parts = [("day", text::DAY), ("month", text::MONTH), ("year", text::YEAR)];
    html! {
        fieldset #(name) .field.date.wrong[error.is_some()] tabindex="-1"
            aria-describedby=[described_by(name, Some(note), error)] {
            legend { (label) }
            (hint(name, Some(note)))
            (message(name, error))
            div.parts {
                @for ((part, title), value) in parts.into_iter().zip(values) {
                    div class=(part) {
                        label for={ (name) "_" (part) } { (title) }
                        input id={ (name) "_" (part) } name={ (name) "_" (part) } type="text"
                            value=(shorten(value, limits::REFUSED_LINE_CHARS_SHOWN_MAX)) inputmode="numeric" autocomplete="off" aria-invalid=[error.map(|_| "true")];
                    }
                }
            }
        }
    }
}

/// An option of a choice.
pub(super) struct Choice<'a> {
    pub value: String,
    pub label: &'a str,
    pub note: &'a str,
    /// Its picture, above the label.
    pub picture: Option<Markup>,
}

/// Radio buttons, each with a note and an optional picture.
pub(super) fn choices(
    name: &'static str,
    legend: &str,
    choices: &[Choice<'_>],
    chosen: &str,
    errors: &Errors,
) -> Markup {
    let error = errors.of(name);
    html! {
        fieldset #(name) .field.choices.wrong[error.is_some()] tabindex="-1"
            aria-describedby=[described_by(name, None, error)] {
            legend { (legend) }
            (message(name, error))
            @for (number, choice) in choices.iter().enumerate() {
                @let id = format!("{name}_{number}");
                div.choice.pictured[choice.picture.is_some()] {
                    input #(id) type="radio" name=(name) value=(choice.value) checked[choice.value == chosen]
                        aria-describedby={ (id) "_note" };
                    div {
                        label for=(id) {
                            @if let Some(picture) = &choice.picture { (picture) }
                            span.name { (choice.label) }
                        }
                        p.note id={ (id) "_note" } { (choice.note) }
                    }
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
    let error = errors.of(name);
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
